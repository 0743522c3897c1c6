import type { Ids } from "./requests.ts";

/** What a text in a request can name: an item, or the items that have it. */
export type Named =
  | keyof Ids
  | "agent_id"
  | "user_id"
  | "external_id"
  | "tag"
  | "name"
  | "source"
  | "content"
  | "metadata"
  | "word"
  | "cursor"
  | "idempotency_key";

/** What a text names, by the field or parameter of the contract that takes it. A test fails if one is missing. */
const NAMED: Readonly<Record<string, Named>> = {
  conversation_id: "conversation_id",
  source_conversation_id: "conversation_id",
  source_message_id: "message_id",
  message_id: "message_id",
  memory_id: "memory_id",
  supersedes: "memory_id",
  operation_id: "operation_id",
  tombstone_id: "tombstone_id",
  hold_id: "hold_id",
  rule_id: "rule_id",
  archive_id: "archive_id",
  recall_id: "recall_id",
  from_recall: "recall_id",
  evaluation_id: "evaluation_id",
  grant_id: "grant_id",
  member_id: "member_id",
  item_id: "message_id",
  used: "message_id",
  expected: "message_id",
  key_id: "key_id",
  organization_id: "organization_id",
  webhook_id: "webhook_id",
  delivery_id: "delivery_id",
  entity_id: "entity_id",
  request_id: "request_id",
  ids: "conversation_id",
  // Of a conversation that an import creates.
  id: "conversation_id",
  // Of the last line of an export.
  after: "conversation_id",
  agent_id: "agent_id",
  user_id: "user_id",
  external_id: "external_id",
  exclude_conversation: "external_id",
  source: "source",
  tags: "tag",
  tags_any: "tag",
  tags_all: "tag",
  names: "name",
  metadata: "metadata",
  "idempotency-key": "idempotency_key",
  // A capture looks for a memory with the same content.
  content: "content",
  query: "word",
  exclude: "word",
  prefix: "word",
  cursor: "cursor",
};

/** Texts that are only stored or sent to the caller's own listeners, and positions in the caller's own data. */
const KEPT = new Set([
  ...["name", "email", "title", "summary", "parts", "quote", "state", "value", "url", "origin", "reason"],
  ...["tool_call_id", "tool_name", "run_id", "outcome", "request", "hash", "embedding", "reranking"],
  ...["enriched_by", "content_hash", "external_digest", "superseded_by", "if-match", "last-event-id"],
  // Has a form of its own. as-of.proof.test.ts tries messages of others.
  "as_of",
  // Only continues what it names. stable-contexts.test.ts tries those of others.
  "previous",
]);

/**
 * What a text in a field names, or undefined if it is only kept.
 *
 * @throws {Error} If the lists have no such field.
 */
export function namedBy(field: string, place: string): Named | undefined {
  const named = NAMED[field];
  if (named === undefined && !KEPT.has(field))
    throw new Error(`${place}.${field} is missing in service/test/support/fields.ts`);
  return named;
}
