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

export interface Deletion {
  /** The kind of deleted items, in the plural. */
  of: string;
  texts: Stored[];
  /** No response may contain these ids after the deletion. */
  ids: string[];
  ask(client: Engram): PromiseLike<Operation>;
}

/**
 * Id of the first of these texts whose marker the response contains, else the first of the ids in it;
 * undefined when there is none.
 */
export const isIn = (answer: string, { texts, ids }: Pick<Deletion, "texts" | "ids">): string | undefined =>
  texts.find(({ marker }) => answer.includes(marker))?.id ?? ids.find((id) => answer.includes(id));
