import { wordOf } from "../clients/texts.ts";
import type { Model } from "../model/model.ts";
import { expect } from "../violation.ts";
import type { World } from "../world.ts";
import { conversationOf, hashOf } from "./vectors.ts";

interface Closed {
  id: string;
  organization_id: string;
  type: string;
  target_id: string;
}

/** Holds the receipts that say that all is gone against what is still there. @throws {Violation} */
export function checkReceipts({ clock, database, index, texts }: World, model: Model): void {
  const closed = database.select<Closed>(
    // One that was called off has left some of what it found.
    `SELECT id, organization_id, type, target_id FROM operations
      WHERE vectors_deleted_at_ms IS NOT NULL AND canceled_at_ms IS NULL`,
  );
  if (closed.length === 0) return;
  const vectors = [...index.visible(clock.nowMs()).values()].map((row) => ({
    ...row,
    text: texts.textOf(row.values),
  }));
  const messages = [...model.messages.values()].flat();
  const found = new Map(model.receipts.map(({ operationId, foundIds }) => [operationId, foundIds]));
  for (const { id, organization_id, type, target_id } of closed) {
    const gone = messages.filter(
      ({ conversation, ...message }) =>
        (type === "delete_organization" && conversation.organization.id === target_id) ||
        (type === "delete_conversation" && conversation.id === target_id) ||
        (type === "delete_conversations" && found.get(id)?.includes(conversation.id ?? "")) ||
        (type === "delete_message" && message.id === target_id),
    );
    // In which conversation, too: a fork has the same words, and stays.
    const words = gone.map(({ conversation, marker }) => ({
      word: wordOf(marker),
      conversation: hashOf(conversation.id ?? ""),
    }));
    const memories = {
      delete_memory: [target_id],
      delete_memories: found.get(id) ?? [],
      delete_organization: model.organizations
        .filter((organization) => organization.id === target_id)
        .flatMap((organization) => organization.memories.flatMap((memory) => memory.id ?? [])),
    }[type];
    // Not by their words: a content that was deleted may be captured again.
    const hashes = new Set(memories?.map(hashOf));
    const left = vectors.find(
      (vector) =>
        vector.namespace === organization_id &&
        (words.some(
          ({ word, conversation }) =>
            vector.text.includes(word) &&
            (type === "delete_organization" || conversationOf(vector) === conversation),
        ) ||
          (hashes.size > 0 && hashes.has(conversationOf(vector)))),
    );
    expect(left === undefined, "receipts", () => `${id} says that ${target_id} is gone: ${left?.id} is not`);
  }
}
