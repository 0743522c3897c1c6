import type { Readable } from "node:stream";
import type { ConversationLine, MessageLine } from "@engram/sdk";

export interface Source {
  /** Name of the file, for messages to the user. */
  name: string;
  /** Opens a new stream from the start of the file. */
  open(): Promise<Readable>;
}

/** What an importer yields for an item of the file: an import line for the service, or why the item is left out. */
export type Entry =
  | {
      type: "conversation" | "message" | "memory";
      /** A string is a line that is sent to the service as it is. */
      line: ConversationLine | MessageLine | string;
      /** Position in the file, for messages to the user. */
      place: string;
    }
  | { type: "left out"; reason: string; place: string };

/**
 * Reads the file of another product and yields import lines. Keeps at most one conversation in memory.
 *
 * The same conversation always yields the same lines. If it has grown, it yields the same lines and new ones. A
 * repeated import therefore finds what is stored already. Ids are derived from the product's ids, and sequence
 * numbers from positions that do not change when a conversation grows.
 *
 * @throws if the file as a whole is invalid.
 */
export type Importer = (source: Source) => AsyncIterable<Entry>;

export const leftOut = (reason: string, place: string): Entry => ({ type: "left out", reason, place });
