// The product's Worker, in which every MCP server also serves the suite's fixtures: its scenarios call tools,
// resources and prompts with fixed names. Everything else, from the socket to the response, is the product.
import { type RequestMethod, Server } from "@modelcontextprotocol/server";
import { addFixtures, withFixtures } from "./fixtures/add.ts";
import type { Handler, Register } from "./fixtures/fixture.ts";

const register = Server.prototype.setRequestHandler as Register;

Server.prototype.setRequestHandler = function (this: Server, method: RequestMethod, handler: Handler) {
  const serve = register.bind(this) as Register;
  serve(method, withFixtures(method, handler));
  // The last method that the product registers.
  if (method === "tools/call") addFixtures(this, serve);
} as Server["setRequestHandler"];

export { Background, default } from "../../src/worker.ts";
