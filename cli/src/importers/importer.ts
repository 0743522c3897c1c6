import type { Readable } from "node:stream";
import type { ConversationLine, MemoryLine, MessageLine } from "@engram/sdk";

export interface Source {
  name: string;
  /** Opens the file at its start, each time that it is called. */
  open(): Promise<Readable>;
}

export type Entry =
  | {
      type: "conversation" | "message" | "memory";
      /** A string is a line of NDJSON, which is sent as it is. */
      line: ConversationLine | MessageLine | MemoryLine | string;
      place: string;
    }
  | { type: "left out"; reason: string; place: string };

/**
 * Reads the entries of a file. Keeps at most one conversation in memory.
 *
 * The same conversation always yields the same lines, and new ones if it has grown, so a repeated import
 * finds what is stored. Ids are derived from the ids in the file, and sequence numbers from positions that do
 * not change when a conversation grows.
 *
 * @throws {Error} If the file as a whole is invalid.
 */
export type Importer = (source: Source) => AsyncIterable<Entry>;

export const leftOut = (reason: string, place: string): Entry => ({ type: "left out", reason, place });
