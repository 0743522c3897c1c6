import type { Conversation } from "@engram/spec";
import { type Owner, refuseWhen, toTimestamp } from "./batch.ts";
import {
  type ConversationFilter,
  conversationConditions,
  existing,
  toWhere,
} from "./conversation-filters.ts";
import { type PageLimits, readPage } from "./pages.ts";

export interface NewConversation {
  organizationId: string;
  id: string;
  externalId: string | null;
  title: string | null;
  agentId: string | null;
  userId: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  nowMs: number;
}

/** A conversation and its version, which makes its ETag. */
export interface VersionedConversation {
  conversation: Conversation;
  version: number;
}

export interface ConversationRow {
  id: string;
  external_id: string | null;
  title: string | null;
  agent_id: string | null;
  user_id: string | null;
  tags: string;
  metadata: string;
  message_count: number;
  last_sequence: number;
  version: number;
  created_at_ms: number;
  updated_at_ms: number;
}

const COLUMNS = `id, external_id, title, agent_id, user_id, tags, metadata, message_count, last_sequence, version,
  created_at_ms, updated_at_ms`;

export function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    external_id: row.external_id,
    title: row.title,
    agent_id: row.agent_id,
    user_id: row.user_id,
    tags: JSON.parse(row.tags) as string[],
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    message_count: row.message_count,
    last_sequence: row.last_sequence,
    created_at: toTimestamp(row.created_at_ms),
    updated_at: toTimestamp(row.updated_at_ms),
  };
}

const toVersioned = (row: ConversationRow): VersionedConversation => ({
  conversation: toConversation(row),
  version: row.version,
});

/** The conversation that a statement with RETURNING or SELECT of all columns answered. */
export function readConversation(result: D1Result<unknown> | undefined): VersionedConversation | null {
  const row = (result?.results as ConversationRow[] | undefined)?.[0];
  return row === undefined ? null : toVersioned(row);
}

/** Number of the conversation with this new id (?2) or external id (?3): two seeks. */
const CREATED = `SELECT number FROM conversations WHERE organization_id = ?1 AND id = ?2
  UNION ALL
  SELECT number FROM conversations WHERE organization_id = ?1 AND external_id = ?3 AND deleted_at_ms IS NULL
  LIMIT 1`;

/** An SQL expression of what a creation gave, as JSON over binds ?5 (new id) and ?6 (external id). */
export const CREATED_AS_JSON = `json_object('new_id', ?5, 'id', (SELECT id FROM conversations
  WHERE number = (${CREATED.replaceAll("?2", "?5").replaceAll("?3", "?6")})))`;

/**
 * The statements that create a conversation unless its external id is taken, and select the one that
 * there is then; the last of them answers it.
 *
 * Refuses as `external_id_conflict` when the taken one is outside of what `owner` may see.
 */
export function insertConversation(
  db: D1Database,
  owner: Owner,
  conversation: NewConversation,
): D1PreparedStatement[] {
  const { organizationId, id, externalId } = conversation;
  return [
    refuseWhen(
      db,
      "external_id_conflict",
      `EXISTS (SELECT 1 FROM conversations
                WHERE organization_id = ?1 AND external_id = ?2 AND deleted_at_ms IS NULL
                  AND ?3 IS NOT NULL AND agent_id IS NOT ?3)`,
    ).bind(organizationId, externalId, owner.agentId),
    db
      .prepare(
        `INSERT INTO conversations
           (organization_id, id, external_id, title, agent_id, user_id, tags, metadata, created_at_ms, updated_at_ms)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9
          WHERE NOT EXISTS (SELECT 1 FROM conversations
                             WHERE organization_id = ?1 AND external_id = ?3 AND deleted_at_ms IS NULL)`,
      )
      .bind(
        organizationId,
        id,
        externalId,
        conversation.title,
        conversation.agentId,
        conversation.userId,
        JSON.stringify(conversation.tags),
        JSON.stringify(conversation.metadata),
        conversation.nowMs,
      ),
    db
      .prepare(
        `UPDATE organization_counters SET conversation_count = conversation_count
           + (SELECT count(*) FROM conversations WHERE organization_id = ?1 AND id = ?2)
          WHERE organization_id = ?1`,
      )
      .bind(organizationId, id),
    db
      .prepare(
        `SELECT ${COLUMNS} FROM conversations
          WHERE number = (${CREATED})`,
      )
      .bind(organizationId, id, externalId),
  ];
}

/** The statement that answers a conversation of the owner. */
export function conversationById(db: D1Database, owner: Owner, id: string): D1PreparedStatement {
  return db
    .prepare(
      `SELECT ${COLUMNS} FROM conversations
        WHERE organization_id = ?1 AND id = ?2 AND kind = 'conversation' AND deleted_at_ms IS NULL
          AND (?3 IS NULL OR agent_id = ?3)`,
    )
    .bind(owner.organizationId, id, owner.agentId);
}

/** A conversation of the owner; null when it has none such. */
export async function selectConversation(
  db: D1Database,
  owner: Owner,
  id: string,
): Promise<VersionedConversation | null> {
  const row = await conversationById(db, owner, id).first<ConversationRow>();
  return row && toVersioned(row);
}

export type ConversationSort = "created_at" | "updated_at" | "message_count";
const SORT_COLUMNS: Record<ConversationSort, string> = {
  created_at: "c.created_at_ms",
  updated_at: "c.updated_at_ms",
  message_count: "c.message_count",
};

/** Where a page of conversations ended. */
export interface ConversationPosition {
  value: number;
  id: string;
}

/**
 * A page of conversations, ties by id, from behind `after` on; the number of all of them too when asked for. It holds
 * fewer than `limit` where `limits` says so.
 */
export async function selectConversations(
  db: D1Database,
  input: {
    owner: Owner;
    filter: ConversationFilter;
    sort: ConversationSort;
    order: "asc" | "desc";
    after: ConversationPosition | null;
    limit: number;
    withTotal: boolean;
  },
  limits: PageLimits,
): Promise<{ conversations: Conversation[]; next: ConversationPosition | null; total: number | undefined }> {
  const column = SORT_COLUMNS[input.sort];
  const [direction, beyond] = input.order === "asc" ? ["ASC", ">"] : ["DESC", "<"];
  const { organizationId } = input.owner;
  const conditions = conversationConditions(input.owner, input.filter);
  const where = toWhere(conditions, 5);
  const beyondLast = input.after === null ? "" : `AND (${column}, c.id) ${beyond} (?2, ?3)`;
  const statements = [
    db
      .prepare(
        `SELECT ${COLUMNS}, ${column} AS sort_value FROM conversations AS c
          WHERE ${existing(input.filter)} AND ${where.sql} ${beyondLast}
          ORDER BY ${column} ${direction}, c.id ${direction} LIMIT ?4 + 1`,
      )
      .bind(organizationId, input.after?.value ?? null, input.after?.id ?? null, input.limit, ...where.binds),
  ];
  if (input.withTotal) {
    const counted = toWhere(conditions, 2);
    statements.push(
      db
        .prepare(
          `SELECT count(*) AS total FROM conversations AS c WHERE ${existing(input.filter)} AND ${counted.sql}`,
        )
        .bind(organizationId, ...counted.binds),
    );
  }
  const [page, counted] = await db.batch(statements);
  const rows = (page?.results ?? []) as (ConversationRow & { sort_value: number })[];
  const textsOf = ({ metadata }: ConversationRow) => [metadata];
  const conversations = await readPage(rows.slice(0, input.limit), limits, textsOf, toConversation);
  const last = rows[conversations.length - 1];
  return {
    conversations,
    next: last && conversations.length < rows.length ? { value: last.sort_value, id: last.id } : null,
    total: (counted?.results as { total: number }[] | undefined)?.[0]?.total,
  };
}

/** Ends the batch unless the conversation has this version; null asks for none. */
export function refuseOtherVersion(
  db: D1Database,
  input: { organizationId: string; id: string; version: number | null },
): D1PreparedStatement {
  return refuseWhen(
    db,
    "precondition_failed",
    `?3 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM conversations WHERE organization_id = ?1 AND id = ?2 AND version = ?3)`,
  ).bind(input.organizationId, input.id, input.version);
}

/** The statement that changes what is given and answers the conversation. */
export function updateConversation(
  db: D1Database,
  input: {
    organizationId: string;
    id: string;
    title: string | null | undefined;
    tags: string[] | undefined;
    metadata: Record<string, unknown> | undefined;
    nowMs: number;
  },
): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE conversations
          SET title = CASE WHEN ?3 THEN ?4 ELSE title END,
              tags = coalesce(?5, tags), metadata = coalesce(?6, metadata),
              version = version + 1, updated_at_ms = ?7
        WHERE organization_id = ?1 AND id = ?2 AND deleted_at_ms IS NULL RETURNING ${COLUMNS}`,
    )
    .bind(
      input.organizationId,
      input.id,
      input.title !== undefined,
      input.title ?? null,
      input.tags === undefined ? null : JSON.stringify(input.tags),
      input.metadata === undefined ? null : JSON.stringify(input.metadata),
      input.nowMs,
    );
}
