import type { Readable } from "node:stream";
import type { ConversationLine, MessageLine } from "@engram/sdk";

/** A file of an export. */
export interface Source {
  /** As people know it. */
  name: string;
  /** Its bytes, from the beginning each time. */
  open(): Promise<Readable>;
}

/** What comes of a file, in order: a line for the service, or something that is left out, and why. */
export type Entry =
  | {
      type: "conversation" | "message" | "memory";
      /** As text where it is passed on as it was. */
      line: ConversationLine | MessageLine | string;
      /** Where in the file it comes from. */
      place: string;
    }
  | { type: "left out"; reason: string; place: string };

/**
 * Reads a vendor's file, holding no more of it than its largest conversation.
 *
 * The same conversation gives the same lines every time, and a longer version of it the same lines and more: ids
 * come from the vendor's ids, sequence numbers from places that only grow.
 *
 * @throws when the file is not what it should be as a whole.
 */
export type Importer = (source: Source) => AsyncIterable<Entry>;

export const leftOut = (reason: string, place: string): Entry => ({ type: "left out", reason, place });
