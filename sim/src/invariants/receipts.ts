import { wordOf } from "../clients/texts.ts";
import type { Model } from "../model/model.ts";
import { expect } from "../violation.ts";
import type { World } from "../world.ts";

interface Closed {
  id: string;
  organization_id: string;
  type: string;
  target_id: string;
}

/** Holds the receipts that say that all is gone against what is still there. @throws {Violation} */
export function checkReceipts({ clock, database, index, texts }: World, model: Model): void {
  const closed = database.select<Closed>(
    "SELECT id, organization_id, type, target_id FROM operations WHERE vectors_deleted_at_ms IS NOT NULL",
  );
  if (closed.length === 0) return;
  const vectors = [...index.visible(clock.nowMs()).values()].map(({ id, namespace, values }) => ({
    id,
    namespace,
    text: texts.textOf(values),
  }));
  const messages = [...model.messages.values()];
  const found = new Map(
    model.receipts.map(({ operationId, conversationId }) => [operationId, conversationId]),
  );
  for (const { id, organization_id, type, target_id } of closed) {
    const gone = messages.filter(
      ({ conversation, ...message }) =>
        (type === "delete_organization" && conversation.organization.id === target_id) ||
        (type === "delete_conversation" && conversation.id === target_id) ||
        (type === "delete_conversations" && conversation.id === found.get(id)) ||
        (type === "delete_message" && message.id === target_id),
    );
    const words = gone.map(({ marker }) => wordOf(marker));
    const left = vectors.find(
      ({ namespace, text }) => namespace === organization_id && words.some((word) => text.includes(word)),
    );
    expect(left === undefined, "receipts", () => `${id} says that ${target_id} is gone: ${left?.id} is not`);
  }
}
