import type { Conversation } from "@engram/spec";
import { type Owner, refuseWhen, toTimestamp } from "./batch.ts";
import {
  type ListPosition,
  pageOf,
  readTotal,
  type Scan,
  toPosition,
  totalOf,
} from "./conversation-scans.ts";
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

/** A conversation and its version, from which its ETag is made. */
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

const COLUMN_NAMES = [
  "id",
  "external_id",
  "title",
  "agent_id",
  "user_id",
  "tags",
  "metadata",
  "message_count",
  "last_sequence",
  "version",
  "created_at_ms",
  "updated_at_ms",
] as const satisfies (keyof ConversationRow)[];
const COLUMNS = COLUMN_NAMES.join(", ");

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

/** The conversation that a SELECT or RETURNING of all columns returned; null when there was none. */
export function readConversation(result: D1Result<unknown> | undefined): VersionedConversation | null {
  const row = (result?.results as ConversationRow[] | undefined)?.[0];
  return row === undefined ? null : toVersioned(row);
}

/** Number of the conversation with this new id (?2) or external id (?3), by two index seeks. */
const CREATED = `SELECT number FROM conversations WHERE organization_id = ?1 AND id = ?2
  UNION ALL
  SELECT number FROM conversations WHERE organization_id = ?1 AND external_id = ?3 AND deleted_at_ms IS NULL
  LIMIT 1`;

/** SQL expression of the result of a creation as JSON. Binds ?5 (new id) and ?6 (external id). */
export const CREATED_AS_JSON = `json_object('new_id', ?5, 'id', (SELECT id FROM conversations
  WHERE number = (${CREATED.replaceAll("?2", "?5").replaceAll("?3", "?6")})))`;

/**
 * Creates a conversation unless its external id exists. The last statement returns the created or existing
 * one.
 *
 * Ends the batch as `external_id_conflict` if `owner` may not see the existing one.
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

export function conversationById(db: D1Database, owner: Owner, id: string): D1PreparedStatement {
  return db
    .prepare(
      `SELECT ${COLUMNS} FROM conversations
        WHERE organization_id = ?1 AND id = ?2 AND kind = 'conversation' AND deleted_at_ms IS NULL
          AND (?3 IS NULL OR agent_id = ?3)`,
    )
    .bind(owner.organizationId, id, owner.agentId);
}

export async function selectConversation(
  db: D1Database,
  owner: Owner,
  id: string,
): Promise<VersionedConversation | null> {
  const row = await conversationById(db, owner, id).first<ConversationRow>();
  return row && toVersioned(row);
}

export interface ConversationPage {
  conversations: Conversation[];
  /** Position of the next page; null at the end of the list. */
  next: ListPosition | null;
  /** Number of matches; null when counting would read too many rows, undefined when not requested. */
  total: number | null | undefined;
}

/** A page of conversations. It may hold fewer than `limit` because of `limits`. */
export async function selectConversations(
  db: D1Database,
  scan: Scan,
  { limit, withTotal }: { limit: number; withTotal: boolean },
  limits: PageLimits,
): Promise<ConversationPage> {
  const { tables, binds, order } = pageOf(scan, limit);
  const [page, counted] = await db.batch([
    db
      .prepare(
        `WITH ${tables}
         SELECT ${COLUMN_NAMES.map((name) => `c.${name}`).join(", ")}, page.sort_value AS sort_value, reached.scan_end AS scan_end
           FROM reached LEFT JOIN page ON TRUE LEFT JOIN conversations AS c ON c.number = page.number
          ORDER BY ${order}`,
      )
      .bind(...binds),
    ...(withTotal ? [totalOf(db, scan)] : []),
  ]);
  const found = (page?.results ?? []) as PageRow[];
  // Without a match, the only row carries the end of the scan.
  const rows = found.filter(({ id }) => id !== null);
  const textsOf = ({ metadata }: ConversationRow) => [metadata];
  const conversations = await readPage(rows.slice(0, limit), limits, textsOf, toConversation);
  const last = rows[conversations.length - 1];
  const isCut = last !== undefined && conversations.length < rows.length;
  return {
    conversations,
    next: isCut ? { value: last.sort_value, id: last.id } : toPosition(found[0]?.scan_end ?? null),
    total: withTotal ? readTotal(counted) : undefined,
  };
}

interface PageRow extends ConversationRow {
  sort_value: number;
  scan_end: string | null;
}

/** Ends the batch if the conversation has another version. Null skips the check. */
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

/** Updates the given fields and returns the conversation. */
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
