// A web chat that remembers what a person said in earlier chats. Needs a running Engram.
import { readFileSync } from "node:fs";
import { ConnectionError, Engram } from "@engram/sdk";
import { serve } from "@hono/node-server";
import { createChat } from "./chat.ts";
import { chooseModel } from "./model.ts";

const baseUrl = process.env.ENGRAM_URL ?? localUrl();

try {
  const engram = new Engram({ baseUrl, apiKey: process.env.ENGRAM_API_KEY ?? readLocal("key") });
  // Fails now, not at the first message, if the service or the key is not right.
  await engram.conversations.list({ limit: 1 }).page();

  const { model, name } = chooseModel(process.env);
  const port = Number(process.env.PORT ?? 3000);
  serve({ fetch: createChat(engram, model).fetch, hostname: "127.0.0.1", port }, (address) =>
    console.log(`Chat with ${name} at http://127.0.0.1:${address.port}`),
  );
} catch (error) {
  console.error(reasonOf(error));
  process.exit(1);
}

function reasonOf(error: unknown): string {
  if (error instanceof ConnectionError)
    return `The Engram service does not answer at ${baseUrl}. Start it with \`npm start\`.`;
  return error instanceof Error ? error.message : String(error);
}

/** The address that `npm start` serves: another than the usual one if its port was taken. */
function localUrl(): string {
  const { url } = JSON.parse(readLocal("running.json"));
  return url;
}

/** A file of the service that `npm start` runs in this repository. */
function readLocal(name: string): string {
  try {
    return readFileSync(new URL(`../../.engram/${name}`, import.meta.url), "utf8").trim();
  } catch {
    throw new Error("Start the service with `npm start`, or set ENGRAM_URL and ENGRAM_API_KEY.");
  }
}
