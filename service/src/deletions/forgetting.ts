import type { Corpus } from "@engram/spec";
import { conversationNames, hashNames, memoryNames, type Name } from "../tombstones/hashes.ts";
import { countedForgotten, insertedHashes, type TombstoneRef } from "../tombstones/queries.ts";
import { assertForgettable, type ForgettableItem } from "./forgotten-queries.ts";

const namesOf = ({ content_hash, ...item }: ForgettableItem): Name[] =>
  content_hash === null ? conversationNames(item) : memoryNames({ ...item, content_hash });

/**
 * Statements for the batch that deletes exactly these items, which add them to a tombstone. They come before the
 * deletion, and fail the batch with `item_changed` if an item is not as it was read.
 */
export async function forgottenItems(
  ref: TombstoneRef,
  key: string,
  { corpus, items }: { corpus: Corpus; items: ForgettableItem[] },
) {
  const hashes = await hashNames(key, items.flatMap(namesOf));
  const messages = items.reduce((sum, { message_count }) => sum + message_count, 0);
  const counts =
    corpus === "memories"
      ? { conversations: 0, messages: 0, memories: items.length }
      : { conversations: items.length, messages, memories: 0 };
  return {
    unchanged: assertForgettable(ref.organizationId, items),
    hashes: insertedHashes(ref, hashes.values()),
    counted: countedForgotten(ref, counts),
  };
}
