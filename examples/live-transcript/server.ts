// A page that shows a conversation live: `node server.ts conv_…`. Needs a running Engram.
import { readFileSync } from "node:fs";
import { ConnectionError, Engram } from "@engram/sdk";
import { serve } from "@hono/node-server";
import { createTranscript } from "./transcript.ts";

const baseUrl = process.env.ENGRAM_URL ?? "http://127.0.0.1:26366";

try {
  const [conversationId] = process.argv.slice(2);
  if (conversationId === undefined) throw new Error("Name the conversation: node server.ts conv_…");
  const engram = new Engram({ baseUrl, apiKey: process.env.ENGRAM_API_KEY ?? localKey() });
  const { title } = await engram.conversations.get(conversationId, { message_limit: 0 });
  const port = Number(process.env.PORT ?? 3000);
  const { fetch } = createTranscript(engram, conversationId);
  serve({ fetch, hostname: "127.0.0.1", port }, (address) =>
    console.log(`${title ?? "Conversation"} at http://127.0.0.1:${address.port}`),
  );
} catch (error) {
  const isDown = error instanceof ConnectionError;
  console.error(
    isDown ? `The Engram service does not answer at ${baseUrl}. Start it with \`npm start\`.` : String(error),
  );
  process.exit(1);
}

/** The key that `npm start` wrote to the repository. */
function localKey(): string {
  try {
    return readFileSync(new URL("../../.engram/key", import.meta.url), "utf8").trim();
  } catch {
    throw new Error("No key: start the service with `npm start`, or set ENGRAM_API_KEY.");
  }
}
