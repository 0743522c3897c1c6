// A web chat that remembers what a person said in earlier chats. Needs a running Engram.
import { readFileSync } from "node:fs";
import { Engram } from "@engram/sdk";
import { serve } from "@hono/node-server";
import { createChat } from "./chat.ts";
import { chooseModel } from "./model.ts";

const engram = new Engram({
  baseUrl: process.env.ENGRAM_URL ?? "http://127.0.0.1:26366",
  apiKey: process.env.ENGRAM_API_KEY ?? localKey(),
});
// Fails now, not at the first message, if the service or the key is not right.
await engram.conversations.list({ limit: 1 }).page();

const { model, name } = chooseModel(process.env);
const port = Number(process.env.PORT ?? 3000);
serve({ fetch: createChat(engram, model).fetch, hostname: "127.0.0.1", port }, (address) =>
  console.log(`Chat with ${name} at http://127.0.0.1:${address.port}`),
);

/** The key that `npm start` wrote to the repository. */
function localKey(): string {
  try {
    return readFileSync(new URL("../../.engram/key", import.meta.url), "utf8").trim();
  } catch {
    throw new Error("No key: start the service with `npm start`, or set ENGRAM_API_KEY.");
  }
}
