// The product's Worker, of which every MCP server serves the suite's fixtures besides: its scenarios ask for tools,
// resources and prompts of fixed names. The way to them, from the socket to the answer, is the product's own.
import { type RequestMethod, Server } from "@modelcontextprotocol/server";
import { addFixtures, type Handler, type Register, withFixtures } from "./fixtures/add.ts";

const register = Server.prototype.setRequestHandler as Register;

Server.prototype.setRequestHandler = function (this: Server, method: RequestMethod, handler: Handler) {
  const serve = register.bind(this) as Register;
  serve(method, withFixtures(method, handler));
  // The last that the product registers.
  if (method === "tools/call") addFixtures(this, serve);
} as Server["setRequestHandler"];

export { Background, default } from "../../src/worker.ts";
