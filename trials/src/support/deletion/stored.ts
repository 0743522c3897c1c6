import type { Engram, Operation } from "@engram/sdk";
import type { Sentence } from "../sentences.ts";

/** A text that was stored. */
export interface Stored extends Sentence {
  kind: "message" | "memory";
  /** Of the message or of the memory. */
  id: string;
  /** Of its conversation; a memory's own. */
  homeId: string;
  /** A part of how it is stored, when that is compressed. */
  packed: string | undefined;
  /** Where the text model wrote the marker of a memory. */
  writtenIn: ("tags" | "summary")[];
}

/** A deletion that is yet to be asked for. */
export interface Deletion {
  /** What it deletes, in the plural. */
  of: string;
  /** The texts that go with it. */
  texts: Stored[];
  /** No answer may name these afterwards. */
  ids: string[];
  ask(client: Engram): PromiseLike<Operation>;
}

/** Whether an answer holds one of these texts or ids, and which first. */
export const heldBy = (answer: string, { texts, ids }: Pick<Deletion, "texts" | "ids">): string | undefined =>
  texts.find(({ marker }) => answer.includes(marker))?.id ?? ids.find((id) => answer.includes(id));
