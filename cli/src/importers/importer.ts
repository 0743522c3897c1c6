import type { Readable } from "node:stream";
import type { ConversationLine, MessageLine } from "@engram/sdk";

export interface Source {
  /** Name for messages to the user. */
  name: string;
  /** Opens a new stream from the start of the file. */
  open(): Promise<Readable>;
}

/**
 * An item read from a file, in file order: a line for the service, or the reason why something was left out.
 */
export type Entry =
  | {
      type: "conversation" | "message" | "memory";
      /** A string is passed on unchanged. */
      line: ConversationLine | MessageLine | string;
      /** Position in the file, for messages to the user. */
      place: string;
    }
  | { type: "left out"; reason: string; place: string };

/**
 * Reads a vendor's file. Holds at most its largest conversation in memory.
 *
 * Deterministic: the same conversation always yields the same lines, and a longer version yields the same
 * lines plus new ones. Ids are derived from the vendor's ids, and sequence numbers from positions that only
 * grow.
 *
 * @throws when the file as a whole is invalid.
 */
export type Importer = (source: Source) => AsyncIterable<Entry>;

export const leftOut = (reason: string, place: string): Entry => ({ type: "left out", reason, place });
