import { type Sql, sql } from "../platform/sql.ts";

/** Columns that have the number of a conversation, or begin with it. Numbers change in a move to D1. */
export type Numbers = Record<string, "conversation" | "message" | "vector">;

/** A table whose rows move with their organization. */
export interface MovedTable {
  name: string;
  /** Columns that identify a row of an organization. */
  key: readonly string[];
  /** Columns by which the rows are read in pages: those of an index, after the organization. By default the key. */
  order?: readonly string[];
  /** The first column of the order, if it comes before the organization in the index. */
  leading?: string;
  numbers?: Numbers;
  /** Rows that the sweep of a database works on. They are in one database at a time. */
  waits?: Sql;
  /** Read in pages of another table, by a number that both share. */
  joins?: "messages";
  /** Rows of it end at a time, so two databases may differ. */
  expires?: true;
}

/** Tables whose rows are copied while the organization is in use. */
export const COPIED: readonly MovedTable[] = [
  {
    name: "conversations",
    key: ["id"],
    numbers: { row_key: "conversation" },
    waits: sql`deleted_at_ms IS NOT NULL`,
  },
  {
    name: "messages",
    key: ["row_key"],
    order: ["id"],
    numbers: { row_key: "message" },
  },
  { name: "message_entities", key: ["row_key"], numbers: { row_key: "message" }, joins: "messages" },
  {
    name: "memory_versions",
    key: ["memory_id", "version"],
    order: ["memory_id", "replaced_at_ms", "version"],
  },
  { name: "memory_sources", key: ["memory_id", "ordinal"] },
  {
    name: "entity_messages",
    key: ["conversation_row_key", "kind", "folded", "sequence"],
    numbers: { conversation_row_key: "conversation" },
  },
  {
    name: "entity_conversations",
    key: ["scope", "kind", "folded", "conversation_row_key"],
    numbers: { conversation_row_key: "conversation" },
  },
  {
    name: "conversation_chunks",
    key: ["conversation_id", "window_start", "id"],
    numbers: { vector_id: "vector" },
  },
  { name: "summaries", key: ["conversation_id", "level", "from_sequence"] },
  { name: "events", key: ["sequence"] },
  { name: "audit_events", key: ["id"], waits: sql`number IS NULL` },
  {
    name: "operations",
    key: ["id"],
    numbers: { last_row_key: "conversation" },
    waits: sql`completed_at_ms IS NULL`,
  },
  { name: "tombstones", key: ["id"], waits: sql`lifted_at_ms IS NOT NULL` },
  { name: "tombstone_hashes", key: ["hash", "tombstone_id"] },
  { name: "holds", key: ["id"] },
  { name: "hold_items", key: ["hold_id", "item_id"] },
  { name: "archive_parts", key: ["archive_id", "number"] },
  { name: "recalls", key: ["id"] },
  { name: "evaluations", key: ["id"] },
  { name: "usage", key: ["day", "key_id"] },
  { name: "webhook_deliveries", key: ["webhook_id", "sequence"] },
  { name: "context_heads", key: ["id"], expires: true },
  {
    name: "idempotency_keys",
    key: ["expires_day", "key_id", "operation", "idempotency_key"],
    leading: "expires_day",
    expires: true,
  },
];

/** Tables whose rows are copied last, when nothing can be written. They are few. */
export const LAST: readonly MovedTable[] = [
  { name: "organization_counters", key: [] },
  { name: "api_keys", key: ["id"] },
  { name: "grants", key: ["id"] },
  { name: "oauth_records", key: ["key"] },
  { name: "webhooks", key: ["id"] },
  { name: "retention_rules", key: ["id"] },
  { name: "audit_starts", key: [] },
  { name: "archives", key: ["id"] },
  { name: "archive_schedules", key: [] },
  { name: "index_jobs", key: ["id"] },
  { name: "enrichment_jobs", key: ["memory_id"] },
  { name: "summary_jobs", key: ["conversation_id"] },
  { name: "vector_deletions", key: ["vector_id"], numbers: { vector_id: "vector" } },
];

const named = (name: string): MovedTable =>
  [...COPIED, ...LAST].find((moved) => moved.name === name) as MovedTable;

export const CHUNKS = named("conversation_chunks");

/** Tables with the ids of the vectors that a move may have copied: also those that are to be deleted since. */
export const WITH_VECTORS: readonly MovedTable[] = [CHUNKS, named("vector_deletions")];

/**
 * Tables that a move does not copy: it inserts the words of the messages that it copies, and sets the row of the
 * organization itself.
 */
export const NOT_COPIED: readonly string[] = [
  "late_words",
  "cell_members",
  "moves",
  "moved_rows",
  "moved_keys",
];

/** Work that a sweep does. It must be little when an organization moves. */
export const QUEUES = LAST.filter(({ name }) => name.endsWith("_jobs") || name === "vector_deletions");

/** Tables that a sweep works off. In a database that an organization has left, they have nothing of it. */
export const WORKED_OFF: readonly string[] = [
  ...QUEUES.map(({ name }) => name),
  "late_words",
  "webhooks",
  "archives",
  "archive_schedules",
];

/** Queues and webhooks with a lease: what holds one also writes to other places, such as the vector store. */
export const LEASED: readonly string[] = ["index_jobs", "summary_jobs", "webhooks"];
