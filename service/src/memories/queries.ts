import type { Memory, MemoryChunk, MemoryKind, MemoryLine } from "@engram/spec";
import { pageOrder, pageTables, type Scan, toPosition, totalOfList } from "../filters/scans-queries.ts";
import { isOwned, type Owner, toTimestamp } from "../platform/batch.ts";
import type { ListPosition } from "../platform/cursors.ts";
import { ITEM_BYTES, type PageLimits, readPage } from "../platform/pages.ts";
import { batch, literal, row, rows, type Sql, type Statement, sql } from "../platform/sql.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";

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
  user_id: string | null;
  external_id: string | null;
  parts: string | null;
  tags: string;
  summary: string | null;
  metadata: string;
  enriched_by: string | null;
  content_hash: string;
  version: number;
  created_at_ms: number;
  updated_at_ms: number;
}

export const MEMORY_COLUMNS = sql`c.id, c.kind, m.content, m.content_encoding, c.source, c.agent_id, c.user_id,
  c.memory_external_id AS external_id, m.parts, c.tags, c.summary, c.metadata, c.enriched_by, c.content_hash, c.version, c.created_at_ms, c.updated_at_ms`;

export const MEMORY_CONTENT = sql`messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id`;

export const toMemory = async (row: Omit<MemoryRow, "version">): Promise<Memory> =>
  toMemoryOf(row, {
    content: await decodeText(row.content, row.content_encoding),
    parts: row.parts === null ? null : (JSON.parse(row.parts) as Memory["parts"]),
  });

/** The memory of a row whose content and parts were read already. */
export const toMemoryOf = (
  row: Omit<MemoryRow, "content" | "content_encoding" | "parts" | "version">,
  { content, parts }: Pick<Memory, "content" | "parts">,
): Memory => ({
  id: row.id,
  kind: row.kind,
  content,
  parts,
  source: row.source,
  agent_id: row.agent_id,
  user_id: row.user_id,
  external_id: row.external_id,
  tags: JSON.parse(row.tags) as string[],
  summary: row.summary,
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
  enriched_by: row.enriched_by,
  content_hash: row.content_hash,
  created_at: toTimestamp(row.created_at_ms),
  updated_at: toTimestamp(row.updated_at_ms),
});

export const toVersionedMemory = async (row: MemoryRow): Promise<VersionedMemory> => ({
  memory: await toMemory(row),
  version: row.version,
});

export const memoryById = (owner: Owner, id: string): Statement<VersionedMemory | null> =>
  row(
    sql`SELECT ${MEMORY_COLUMNS} FROM conversations AS c CROSS JOIN ${MEMORY_CONTENT}
         WHERE c.organization_id = ${owner.organizationId} AND c.deleted_at_ms IS NULL AND c.kind <> 'conversation'
           AND c.id = ${id} AND ${isOwned(owner, sql`c.`)}`,
    toVersionedMemory,
  );

/** Chunks of a memory as the last indexing stored them. */
export interface StoredChunks {
  /**
   * In order. Null if they may be those of earlier content, because indexing has not ended, or if there are none with
   * places in the content.
   */
  current: MemoryChunk[] | null;
  /** Ids of those whose vectors are stored. */
  indexed: Set<string>;
}

/**
 * The `+` keeps SQLite from using an index by model, with which it would read all chunks of the organization.
 */
export const storedChunks = (organizationId: string, id: string, model: string): Statement<StoredChunks> => ({
  sql: sql`
    SELECT k.id, k.ordinal, k.text_start, k.text_end, k.overlap_start, k.indexed_at_ms IS NOT NULL AS indexed,
           EXISTS (SELECT 1 FROM index_jobs AS j
                    WHERE j.organization_id = ${organizationId} AND j.conversation_id = ${id}
                      AND j.keeps_vectors = 0) AS is_waiting
      FROM conversation_chunks AS k
     WHERE k.organization_id = ${organizationId} AND k.conversation_id = ${id} AND +k.model = ${model}
     ORDER BY k.ordinal`,
  read: ({ results }) => {
    const chunks = results as ChunkRow[];
    const isCurrent = chunks.every(({ is_waiting }) => is_waiting === 0);
    const placed = chunks.flatMap(toPlacedChunk);
    return {
      current: isCurrent && placed.length > 0 && placed.length === chunks.length ? placed : null,
      indexed: new Set(chunks.flatMap((chunk) => (chunk.indexed === 1 ? [chunk.id] : []))),
    };
  },
});

interface ChunkRow {
  id: string;
  ordinal: number | null;
  text_start: number | null;
  text_end: number | null;
  overlap_start: number | null;
  indexed: 0 | 1;
  is_waiting: 0 | 1;
}

const toPlacedChunk = (chunk: ChunkRow): MemoryChunk[] => {
  const { id, ordinal, text_start, text_end, overlap_start } = chunk;
  if (ordinal === null || text_start === null || text_end === null || overlap_start === null) return [];
  return [{ id, ordinal, start: text_start, end: text_end, overlap_start, indexed: chunk.indexed === 1 }];
};

const MEMORY_BYTES = sql`${literal(ITEM_BYTES)} + m.content_bytes + octet_length(c.metadata)
  + octet_length(c.tags) + coalesce(octet_length(c.summary), 0) + coalesce(octet_length(c.source), 0)
  + coalesce(octet_length(c.agent_id), 0) + coalesce(octet_length(c.user_id), 0)
  + coalesce(octet_length(c.memory_external_id), 0) + coalesce(octet_length(m.parts), 0)`;

/**
 * Returns fewer than `limit` memories if more would exceed the size in `limits`, or if the rows that one scan reads
 * have no more matches.
 */
export async function selectMemories(
  db: D1Database,
  scan: Scan,
  { limit, withTotal }: { limit: number; withTotal: boolean },
  limits: PageLimits,
): Promise<{ memories: Memory[]; next: ListPosition | null; total: number | null | undefined }> {
  const { found, total } = await batch(db, {
    found: rows(memoryPage(scan, limit, limits.pageBytes), (row: MemoryRow & PageColumns) => row),
    total: withTotal ? totalOfList(scan) : null,
  });
  // If no memory matches, there is one row, which only says where the scan ended.
  const matches = found.filter(({ id }) => id !== null);
  const memories = await readPage(matches, limits, ({ metadata, parts }) => [metadata, parts], toMemory);
  const last = matches[memories.length - 1];
  const isCut = last !== undefined && memories.length < last.found;
  return {
    memories,
    next: isCut ? { value: last.sort_value, id: last.id } : toPosition(found[0]?.scan_end ?? null),
    total: withTotal ? total : undefined,
  };
}

const memoryPage = (scan: Scan, limit: number, bytesMax: number): Sql => sql`
  WITH ${pageTables(scan, limit)},
  found AS MATERIALIZED (
    SELECT page.row_key AS row_key, page.sort_value AS sort_value, row_number() OVER line AS place,
           sum(${MEMORY_BYTES}) OVER line AS bytes
      FROM page CROSS JOIN conversations AS c ON c.row_key = page.row_key
     CROSS JOIN messages AS m ON m.row_key = (c.row_key << 24) + 1
    WINDOW line AS (ORDER BY ${pageOrder(scan)})),
  shown AS (
    SELECT * FROM found WHERE place <= ${limit} AND (bytes <= ${bytesMax} OR place = 1))
  SELECT ${MEMORY_COLUMNS}, shown.sort_value AS sort_value, (SELECT count(*) FROM found) AS found,
         reached.scan_end AS scan_end
    FROM reached LEFT JOIN shown ON TRUE
    LEFT JOIN conversations AS c ON c.row_key = shown.row_key
    LEFT JOIN ${MEMORY_CONTENT}
   ORDER BY shown.place`;

interface PageColumns {
  sort_value: number;
  /** Number of matching rows before the size limit is applied; `limit + 1` if more follow. */
  found: number;
  scan_end: string | null;
}

/** Whether the caller gave tags, and a summary. A text model may write what the caller did not give. */
export type Given = MemoryLine["given"];

/** As bits: 1 if the caller gave tags, 2 if the caller gave a summary. */
export const toAuthored = ({ tags, summary }: Given): number => (tags ? 1 : 0) | (summary ? 2 : 0);
export const toGiven = (authored: number): Given => ({
  tags: (authored & 1) !== 0,
  summary: (authored & 2) !== 0,
});
