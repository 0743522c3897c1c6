// A web chat that remembers what a person said in earlier chats. Needs a running Engram.
import { Engram } from "@engram/sdk";
import { serve } from "@hono/node-server";
import { findService } from "../service.ts";
import { createChat } from "./chat.ts";
import { chooseModel } from "./model.ts";

const port = Number(process.env.PORT ?? 3000);

try {
  const { model, name } = chooseModel(process.env);
  const chat = createChat(new Engram(await findService()), model);
  serve({ fetch: chat.fetch, hostname: "127.0.0.1", port }, (address) =>
    console.log(`Chat with ${name} at http://127.0.0.1:${address.port}`),
  ).on("error", fail);
} catch (error) {
  fail(error);
}

function fail(error: unknown): never {
  const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  const reason = error instanceof Error ? error.message : String(error);
  console.error(
    isTaken ? `Port ${port} is taken. Set PORT to another one, or to 0 for any free port.` : reason,
  );
  process.exit(1);
}
