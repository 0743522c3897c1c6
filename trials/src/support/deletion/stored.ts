import type { Engram, Operation } from "@engram/sdk";
import type { Sentence } from "../sentences.ts";

export interface Stored extends Sentence {
  kind: "message" | "memory";
  /** Id of the message or memory. */
  id: string;
  /** Id of the conversation; a memory's own id. */
  homeId: string;
  /** A part of the compressed text as stored; undefined if it is not compressed. */
  packed: string | undefined;
  /** The fields in which the text model repeated a memory's marker. */
  writtenIn: ("tags" | "summary")[];
}

/** A planned deletion. */
export interface Deletion {
  /** The kind of deleted items, in the plural. */
  of: string;
  /** The deleted texts. */
  texts: Stored[];
  /** No response may contain these ids after the deletion. */
  ids: string[];
  ask(client: Engram): PromiseLike<Operation>;
}

/** Id of the first of these texts or ids that the response contains. */
export const heldBy = (answer: string, { texts, ids }: Pick<Deletion, "texts" | "ids">): string | undefined =>
  texts.find(({ marker }) => answer.includes(marker))?.id ?? ids.find((id) => answer.includes(id));
