import type { Readable } from "node:stream";
import type { ConversationLine, MemoryLine, MemoryVersionLine, MessageLine } from "@engram/sdk";
import { fieldsOf, listOf } from "./values.ts";

export interface Source {
  /** The path in the imported directory or zip file, without the ending of a compressed file. */
  name: string;
  /** True for standard input, whose name identifies nothing. */
  isUnnamed?: boolean;
  /** Whether a file or directory of this name was found in the same directory or zip file. */
  isBeside?: (name: string) => boolean;
  /** Opens the file at its start, each time that it is called. */
  open(): Promise<Readable>;
}

export type Entry =
  | {
      type: "conversation" | "message" | "memory" | "memory_version" | "recall";
      /** A string is a line of NDJSON, which is sent as it is. */
      line: ConversationLine | MessageLine | MemoryLine | MemoryVersionLine | string;
      place: string;
      /**
       * True if the id is derived from the content. A stored message with the id is then the same message, even if
       * it is in another conversation.
       */
      isNamedByContent?: boolean;
    }
  | Missing;

/**
 * `left out`: an item of a known type that is not stored on purpose. `not understood`: an item or a field that this
 * program does not know, or cannot read.
 */
export interface Missing {
  type: "left out" | "not understood";
  /** Type of the item, as its format names it, such as `attachment/file`. */
  what: string;
  reason: string;
  place: string;
}

export const leftOut = (what: string, reason: string, place: string): Missing => ({
  type: "left out",
  what,
  reason,
  place,
});

export const notUnderstood = (what: string, reason: string, place: string): Missing => ({
  type: "not understood",
  what,
  reason,
  place,
});

/** For an item that is not stored, or of an unknown type if no reason is known. */
export const notStored = (what: string, reason: string | undefined, place: string): Missing =>
  reason === undefined ? notUnderstood(what, "unknown type", place) : leftOut(what, reason, place);

export const KEPT_IN_PARTS = "unknown type; kept in parts, which are not searched";

/** For blocks of a message that no importer knows. The message is stored, and they are part of its `parts`. */
export const unknownBlocks = (content: unknown, known: ReadonlySet<unknown>, place: string): Missing[] =>
  [...new Set(listOf(content).map((block) => fieldsOf(block).type))]
    .filter((type) => !known.has(type))
    .map((type) => notUnderstood(`block ${String(type)}`, KEPT_IN_PARTS, place));

/**
 * Stands for the time of an item whose source names none. The import replaces it with the stored time of the item's
 * conversation, or else with the time of the import.
 */
export const UNKNOWN_TIME = "unknown";
