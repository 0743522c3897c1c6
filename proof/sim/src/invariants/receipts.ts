import { wordOf } from "../clients/texts.ts";
import type { Model } from "../model/model.ts";
import { mayReappear } from "../model/presence.ts";
import { expect } from "../violation.ts";
import type { World } from "../world.ts";
import { copiesIn } from "./moves.ts";
import { conversationOf, hashOf } from "./vectors.ts";

interface Closed {
  id: string;
  organization_id: string;
  type: string;
  target_id: string;
  is_canceled: 0 | 1;
}

/** Check that data whose receipt says purged is really gone. @throws {Violation} */
export function checkReceipts(world: World, model: Model): void {
  const { databases, texts } = world;
  // A canceled deletion has left a part of what it found. For an organization, what was missing after the
  // cancel is gone.
  const closed = databases.flatMap((database) =>
    database.without(copiesIn(world, model, database), () =>
      database.select<Closed>(
        `SELECT id, organization_id, type, target_id, canceled_at_ms IS NOT NULL AS is_canceled FROM operations
          WHERE vectors_deleted_at_ms IS NOT NULL AND (canceled_at_ms IS NULL OR type = 'delete_organization')`,
      ),
    ),
  );
  if (closed.length === 0) return;
  const vectors = world.storedVectors().map((row) => ({
    ...row,
    text: texts.textOf(row.values),
  }));
  const messages = [...model.messages.values()].flat();
  const found = new Map(model.receipts.map(({ operationId, foundIds }) => [operationId, foundIds]));
  for (const { id, organization_id, type, target_id, is_canceled } of closed) {
    if (is_canceled) {
      const missed = missedOf(model, organization_id);
      const left = vectors.find((vector) => missed.has(conversationOf(vector)));
      expect(left === undefined, "receipts", () => `${id} says that what it hid is gone: ${left?.id} is not`);
      continue;
    }
    const gone = messages.filter((message) => {
      const { conversation, deletions } = message;
      return (
        (type === "delete_organization" && conversation.organization.id === target_id) ||
        (type === "delete_conversation" && conversation.id === target_id) ||
        (["delete_conversations", "delete_user"].includes(type) &&
          found.get(id)?.includes(conversation.id ?? "")) ||
        (type === "delete_message" &&
          message.id === target_id &&
          !deletions.some((deletion) => mayReappear(message, deletion)))
      );
    });
    // Compared together with the conversation, because a fork has the same words and stays.
    const words = gone.map(({ conversation, marker }) => ({
      word: wordOf(marker),
      conversation: hashOf(conversation.id ?? ""),
    }));
    const memories = {
      delete_memory: [target_id],
      delete_memories: found.get(id) ?? [],
      delete_user: found.get(id) ?? [],
      delete_organization: model.organizations
        .filter((organization) => organization.id === target_id)
        .flatMap((organization) => organization.memories.flatMap((memory) => memory.id ?? [])),
    }[type];
    // Not compared by words, because the same content may have been captured again.
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

/**
 * What was missing after the only deletion of an organization was canceled, as hashes in vectors. Excludes
 * items that others may have deleted since, and imported items, which a repeat may restore.
 */
function missedOf({ organizations }: Model, organizationId: string): Set<string> {
  const organization = organizations.find(({ id }) => id === organizationId);
  if (organization === undefined || organization.deletions.length > 1) return new Set();
  const { conversations, conversationWipes, memories, memoryWipes } = organization;
  const missed = [
    ...conversations.filter((one) => !conversationWipes.some(({ covers }) => covers(one))),
    ...memories.filter((one) => !memoryWipes.some(({ covers }) => covers(one))),
  ].filter(
    ({ deletions, landing, hazards }) =>
      deletions.length === 0 && landing === null && hazards.some(({ done }) => Number.isFinite(done)),
  );
  return new Set(missed.flatMap(({ id }) => (id === null ? [] : [hashOf(id)])));
}
