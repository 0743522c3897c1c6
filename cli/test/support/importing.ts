import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ConversationLine, MemoryLine, MessageLine } from "@engram/sdk";
import type { Importer } from "../../src/importers/formats.ts";
import type { Source } from "../../src/importers/importer.ts";
import { Sessions } from "../../src/importers/sessions.ts";
import type { Person } from "./program.ts";

/** A file of the fixtures. */
export const fixture = (name: string): string => join(import.meta.dirname, "../fixtures", name);

/** Everything that an organization has, by id. */
export async function holdings({ client }: Person): Promise<Map<string, unknown>> {
  const held = new Map<string, unknown>();
  for await (const line of client.export())
    held.set("id" in line ? line.id : `${line.memory_id} ${line.version}`, line);
  return held;
}

interface Missing {
  what: string;
  reason: string;
  place: string;
}

/** The result of reading the files of an import: conversations with their messages, memories, and what is left out. */
export async function readWith(importer: Importer, ...sources: Source[]) {
  const conversations: (ConversationLine & { messages: MessageLine[] })[] = [];
  const memories: MemoryLine[] = [];
  const leftOut: Missing[] = [];
  const notUnderstood: Missing[] = [];
  const sessions = new Sessions();
  const entries = async function* () {
    for (const source of sources) yield* importer(source, sessions);
  };
  for await (const entry of entries()) {
    if ("reason" in entry) {
      const { type, what, reason, place } = entry;
      (type === "left out" ? leftOut : notUnderstood).push({ what, reason, place });
    } else if (typeof entry.line === "string") throw new Error("a vendor's line is an object");
    else if (entry.line.type === "conversation") conversations.push({ ...entry.line, messages: [] });
    else if (entry.line.type === "memory") memories.push(entry.line);
    else if (entry.line.type === "message") conversations.at(-1)?.messages.push(entry.line);
  }
  return { conversations, memories, leftOut, notUnderstood };
}

export const fileSource = (path: string): Source => ({
  name: "file",
  open: async () => createReadStream(path),
});
export const textSource = (text: string): Source => ({
  name: "file",
  open: async () => Readable.from([Buffer.from(text)]),
});
export const jsonSource = (value: unknown): Source => textSource(JSON.stringify(value));
