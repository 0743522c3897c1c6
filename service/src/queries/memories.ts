import type { Memory, MemoryKind, MemoryLine } from "@engram/spec";
import { type ContentEncoding, decodeText } from "../text/compression.ts";
import { type Owner, refuseWhen, toJsonLists, toTimestamp } from "./batch.ts";
import { existing } from "./conversation-filters.ts";
import {
  type ListPosition,
  pageOf,
  readTotal,
  type Scan,
  toPosition,
  totalOf,
} from "./conversation-scans.ts";
import { insertWords, type MessageRecord, withoutWords } from "./messages.ts";
import { ITEM_BYTES, type PageLimits, readPage } from "./pages.ts";

/**
 * A memory as it is inserted: a conversation of one message that holds the content. Field names are short
 * because it is bound as JSON.
 */
export interface MemoryRecord
  extends Pick<
    MessageRecord,
    "content" | "encoding" | "bytes" | "words" | "phrases" | "token_count" | "traits"
  > {
  id: string;
  message_id: string;
  kind: MemoryKind;
  source: string | null;
  agent_id: string | null;
  tags: string[];
  summary: string | null;
  metadata: Record<string, unknown>;
  /** Bits of the fields that the caller provided: 1 tags, 2 summary. */
  authored: number;
  enriched_by: string | null;
  content_hash: string;
  created_at_ms: number;
  updated_at_ms: number;
}

/** A memory and its version, from which its ETag is made. */
export interface VersionedMemory {
  memory: Memory;
  version: number;
}

export interface MemoryRow {
  id: string;
  kind: MemoryKind;
  content: string;
  content_encoding: ContentEncoding | null;
  source: string | null;
  agent_id: string | null;
  tags: string;
  summary: string | null;
  metadata: string;
  enriched_by: string | null;
  content_hash: string;
  version: number;
  created_at_ms: number;
  updated_at_ms: number;
}

const COLUMNS = `c.id, c.kind, m.content, m.content_encoding, c.source, c.agent_id, c.tags, c.summary, c.metadata,
  c.enriched_by, c.content_hash, c.version, c.created_at_ms, c.updated_at_ms`;

/** Joins the message of a memory, `c`. */
const CONTENT = "messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id";

export async function toMemory(row: Omit<MemoryRow, "version">): Promise<Memory> {
  return {
    id: row.id,
    kind: row.kind,
    content: await decodeText(row.content, row.content_encoding),
    source: row.source,
    agent_id: row.agent_id,
    tags: JSON.parse(row.tags) as string[],
    summary: row.summary,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    enriched_by: row.enriched_by,
    content_hash: row.content_hash,
    created_at: toTimestamp(row.created_at_ms),
    updated_at: toTimestamp(row.updated_at_ms),
  };
}

/** The memory that a statement returned; null when it returned none. */
export async function readMemory(result: D1Result<unknown> | undefined): Promise<VersionedMemory | null> {
  const row = (result?.results as MemoryRow[] | undefined)?.[0];
  return row === undefined ? null : { memory: await toMemory(row), version: row.version };
}

/** The memory with the agent and content of `new.value`, in the organization at ?1. */
export const MEMORY_BY_CONTENT = `conversations AS c ON c.organization_id = ?1 AND c.deleted_at_ms IS NULL
  AND coalesce(c.agent_id, '') = coalesce(new.value ->> 'agent_id', '')
  AND c.content_hash = new.value ->> 'content_hash'`;

/** The agent and content as one string. Memories with the same identity are one memory. */
export const identityOf = ({ agent_id, content_hash }: Pick<Memory, "agent_id" | "content_hash">): string =>
  JSON.stringify([agent_id, content_hash]);

/**
 * Inserts memories with rows, terms, counters and indexing jobs. A memory that exists with the same content
 * only gets a new version and `updated_at`. `records` must not repeat an agent and content.
 */
export function insertMemories(
  db: D1Database,
  organizationId: string,
  records: MemoryRecord[],
  nowMs: number,
): D1PreparedStatement[] {
  const ids = JSON.stringify(records.map(({ id }) => id));
  const rows = toJsonLists(records.map(withoutWords)).flatMap((list) => {
    const bound = (sql: string, ...more: unknown[]) => db.prepare(sql).bind(organizationId, list, ...more);
    return [
      bound(
        `UPDATE conversations SET updated_at_ms = ?3, version = version + 1
          WHERE number IN (SELECT c.number FROM json_each(?2) AS new CROSS JOIN ${MEMORY_BY_CONTENT}) AND +organization_id = ?1`,
        nowMs,
      ),
      bound(
        `INSERT INTO conversations
           (organization_id, id, kind, source, agent_id, tags, summary, metadata, authored, enriched_by, content_hash,
            message_count, token_count, last_sequence, created_at_ms, updated_at_ms)
         SELECT ?1, new.value ->> 'id', new.value ->> 'kind', new.value ->> 'source', new.value ->> 'agent_id',
                new.value -> 'tags', new.value ->> 'summary', new.value -> 'metadata', new.value ->> 'authored',
                new.value ->> 'enriched_by', new.value ->> 'content_hash', 1, new.value ->> 'token_count', 1,
                new.value ->> 'created_at_ms', new.value ->> 'updated_at_ms'
           FROM json_each(?2) AS new
          WHERE NOT EXISTS (SELECT 1 FROM (SELECT 1) CROSS JOIN ${MEMORY_BY_CONTENT})
          ORDER BY new.key`,
      ),
      bound(
        `INSERT INTO messages
           (number, organization_id, conversation_id, id, sequence, role, content, content_encoding, content_bytes,
            token_count, traits, created_at_ms, stored_at_ms)
         SELECT (c.number << 24) + 1, ?1, c.id, new.value ->> 'message_id', 1, 'user', new.value ->> 'content',
                new.value ->> 'encoding', new.value ->> 'bytes', new.value ->> 'token_count', new.value ->> 'traits',
                new.value ->> 'created_at_ms', ?3
           FROM json_each(?2) AS new
          CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = new.value ->> 'id'
          ORDER BY new.key`,
        nowMs,
      ),
    ];
  });
  const fresh = `FROM json_each(?2) AS new
    CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = new.value`;
  return [
    ...rows,
    ...insertWords(
      db,
      organizationId,
      records.map(({ message_id, words, phrases }) => ({ id: message_id, words, phrases })),
    ),
    db
      .prepare(
        `UPDATE organization_counters
            SET (memory_count, memory_token_count) =
                (SELECT organization_counters.memory_count + count(*),
                        organization_counters.memory_token_count + coalesce(sum(c.token_count), 0) ${fresh})
          WHERE organization_id = ?1`,
      )
      .bind(organizationId, ids),
    db
      .prepare(
        `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
         SELECT ?1, c.id, 1, 1, ?3 ${fresh} ORDER BY new.key`,
      )
      .bind(organizationId, ids, nowMs),
  ];
}

/** The agent and content of each captured memory, with its id if it is new. */
const toNames = (records: Pick<MemoryRecord, "id" | "agent_id" | "content_hash">[]): string =>
  JSON.stringify(records.map(({ id, agent_id, content_hash }) => ({ id, agent_id, content_hash })));

/** The result of a capture: the memory with this content, and whether it is new. */
export interface CapturedRow {
  id: string;
  is_new: 0 | 1;
}

const captured = (names: string): string =>
  `SELECT c.id AS id, c.id = new.value ->> 'id' AS is_new, new.key AS place
     FROM json_each(${names}) AS new CROSS JOIN ${MEMORY_BY_CONTENT}`;

/** The results of a capture, in the order of the records. */
export const selectCaptured = (
  db: D1Database,
  organizationId: string,
  records: MemoryRecord[],
): D1PreparedStatement =>
  db.prepare(`${captured("?2")} ORDER BY place`).bind(organizationId, toNames(records));

/** SQL expression of the same results as JSON. Binds ?5, made by `capturedBinds`. */
export const CAPTURED_AS_JSON = `(SELECT json_group_array(json_object('id', id, 'is_new', is_new))
  FROM (${captured("?5")} ORDER BY place))`;
export const capturedBinds = (records: MemoryRecord[]): unknown[] => [toNames(records)];

export const memoryByContent = (
  db: D1Database,
  organizationId: string,
  record: MemoryRecord,
): D1PreparedStatement =>
  db
    .prepare(
      `SELECT ${COLUMNS} FROM json_each(?2) AS new CROSS JOIN ${MEMORY_BY_CONTENT} CROSS JOIN ${CONTENT}`,
    )
    .bind(organizationId, toNames([record]));

export const memoryById = (db: D1Database, owner: Owner, id: string): D1PreparedStatement =>
  db
    .prepare(
      `SELECT ${COLUMNS} FROM conversations AS c CROSS JOIN ${CONTENT}
        WHERE ${existing({ corpora: ["memories"] })} AND c.id = ?2 AND (?3 IS NULL OR c.agent_id = ?3)`,
    )
    .bind(owner.organizationId, id, owner.agentId);

/**
 * The memory's chunks for one embedding model, and whether their vectors are stored.
 *
 * The `+` keeps SQLite from reading all chunks of the organization by their model.
 */
export const storedChunksOf = (
  db: D1Database,
  input: { organizationId: string; id: string; model: string },
): D1PreparedStatement =>
  db
    .prepare(
      `SELECT id, indexed_at_ms IS NOT NULL AS indexed FROM conversation_chunks
        WHERE organization_id = ?1 AND conversation_id = ?2 AND +model = ?3`,
    )
    .bind(input.organizationId, input.id, input.model);

/** SQL expression over `c` and its message, `m`: size of a memory in bytes. */
const MEMORY_BYTES = `${ITEM_BYTES} + m.content_bytes + octet_length(c.metadata) + octet_length(c.tags)
  + coalesce(octet_length(c.summary), 0) + coalesce(octet_length(c.source), 0) + coalesce(octet_length(c.agent_id), 0)`;

/** A page of memories. It may hold fewer than `limit` because of `limits`. */
export async function selectMemories(
  db: D1Database,
  scan: Scan,
  { limit, withTotal }: { limit: number; withTotal: boolean },
  limits: PageLimits,
): Promise<{ memories: Memory[]; next: ListPosition | null; total: number | null | undefined }> {
  const { tables, binds, order } = pageOf(scan, limit);
  const [page, counted] = await db.batch([
    db
      .prepare(
        `WITH ${tables},
           found AS MATERIALIZED (
             SELECT page.number AS number, page.sort_value AS sort_value, row_number() OVER line AS place,
                    sum(${MEMORY_BYTES}) OVER line AS bytes
               FROM page CROSS JOIN conversations AS c ON c.number = page.number
              CROSS JOIN messages AS m ON m.number = (c.number << 24) + 1
             WINDOW line AS (ORDER BY ${order})),
           shown AS (
             SELECT * FROM found WHERE place <= ${limit} AND (bytes <= ?${binds.length + 1} OR place = 1))
         SELECT ${COLUMNS}, shown.sort_value AS sort_value, (SELECT count(*) FROM found) AS found,
                reached.scan_end AS scan_end
           FROM reached LEFT JOIN shown ON TRUE
           LEFT JOIN conversations AS c ON c.number = shown.number
           LEFT JOIN ${CONTENT}
          ORDER BY shown.place`,
      )
      .bind(...binds, limits.pageBytes),
    ...(withTotal ? [totalOf(db, scan)] : []),
  ]);
  const answered = (page?.results ?? []) as (MemoryRow & PageColumns)[];
  // Without a match, the only row carries the end of the scan.
  const rows = answered.filter(({ id }) => id !== null);
  const memories = await readPage(rows, limits, ({ metadata }) => [metadata], toMemory);
  const last = rows[memories.length - 1];
  const isCut = last !== undefined && memories.length < last.found;
  return {
    memories,
    next: isCut ? { value: last.sort_value, id: last.id } : toPosition(answered[0]?.scan_end ?? null),
    total: withTotal ? readTotal(counted) : undefined,
  };
}

interface PageColumns {
  sort_value: number;
  /** Number of memories before the limit on bytes; one more than `limit` when there are more. */
  found: number;
  scan_end: string | null;
}

/** Ends the batch if another memory of the same agent has this content. */
export function refuseOtherMemory(
  db: D1Database,
  input: { organizationId: string; id: string; contentHash: string },
): D1PreparedStatement {
  return refuseWhen(
    db,
    "content_conflict",
    `EXISTS (SELECT 1 FROM conversations AS mine
              CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.content_hash = ?3
                         AND coalesce(c.agent_id, '') = coalesce(mine.agent_id, '') AND c.deleted_at_ms IS NULL
              WHERE mine.organization_id = ?1 AND mine.id = ?2 AND c.id <> ?2)`,
  ).bind(input.organizationId, input.id, input.contentHash);
}

/**
 * Updates the given fields of a memory except its content. When the content hash changes, removes tags and a
 * summary that a model wrote for the old content.
 */
export function updateMemory(
  db: D1Database,
  input: {
    organizationId: string;
    id: string;
    contentHash: string | undefined;
    source: string | null | undefined;
    tags: string[] | undefined;
    summary: string | null | undefined;
    metadata: Record<string, unknown> | undefined;
    nowMs: number;
  },
): D1PreparedStatement {
  const outdated = "?3 IS NOT NULL AND ?3 <> content_hash";
  return db
    .prepare(
      `UPDATE conversations
          SET content_hash = coalesce(?3, content_hash), source = CASE WHEN ?4 THEN ?5 ELSE source END,
              tags = CASE WHEN ?6 IS NOT NULL THEN ?6 WHEN ${outdated} AND NOT authored & 1 THEN '[]' ELSE tags END,
              summary = CASE WHEN ?7 THEN ?8 WHEN ${outdated} AND NOT authored & 2 THEN NULL ELSE summary END,
              enriched_by = CASE WHEN ${outdated} THEN NULL ELSE enriched_by END,
              authored = authored | ?11, metadata = coalesce(?9, metadata), version = version + 1, updated_at_ms = ?10
        WHERE organization_id = ?1 AND id = ?2`,
    )
    .bind(
      input.organizationId,
      input.id,
      input.contentHash ?? null,
      input.source !== undefined,
      input.source ?? null,
      input.tags === undefined ? null : JSON.stringify(input.tags),
      input.summary !== undefined,
      input.summary ?? null,
      input.metadata === undefined ? null : JSON.stringify(input.metadata),
      input.nowMs,
      toAuthored({ tags: input.tags !== undefined, summary: input.summary !== undefined }),
    );
}

/** Fields that the caller provided and that a model would write otherwise. */
export type Given = MemoryLine["given"];

/** The same as bits: 1 tags, 2 summary. */
export const toAuthored = ({ tags, summary }: Given): number => (tags ? 1 : 0) | (summary ? 2 : 0);
export const toGiven = (authored: number): Given => ({
  tags: (authored & 1) !== 0,
  summary: (authored & 2) !== 0,
});
