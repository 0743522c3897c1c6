import type { Memory, MemoryChunk, MemoryLine } from "@engram/spec";
import { conversationsAt, earlierBytes, type Moment } from "../filters/moments-queries.ts";
import { pageOrder, pageTables, type Scan, toPosition, totalOfList } from "../filters/scans-queries.ts";
import { isReadable, type Owner } from "../platform/batch.ts";
import type { ListPosition } from "../platform/cursors.ts";
import { ITEM_BYTES, type PageLimits, readPage } from "../platform/pages.ts";
import { batch, literal, row, rows, type Sql, type Statement, sql } from "../platform/sql.ts";
import { type MemoryRow, memoryColumnsAt, ROW_BYTES, toMemory } from "./fields.ts";

export interface VersionedMemory {
  memory: Memory;
  version: number;
}

export const MEMORY_CONTENT = sql`messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id`;

export const toVersionedMemory = async (row: MemoryRow): Promise<VersionedMemory> => ({
  memory: await toMemory(row),
  version: row.version,
});

/** Whether `c` is the memory, and the caller may read it. */
export const isMemory = (owner: Owner, id: string): Sql => sql`
  c.organization_id = ${owner.organizationId} AND c.deleted_at_ms IS NULL AND c.kind <> 'conversation'
  AND c.id = ${id} AND ${isReadable(owner, sql`c.`)}`;

export const memoryById = (
  owner: Owner,
  id: string,
  moment: Moment | null = null,
): Statement<VersionedMemory | null> =>
  row(
    sql`SELECT ${memoryColumnsAt(moment)} FROM ${conversationsAt(moment)} AS c CROSS JOIN ${MEMORY_CONTENT}
         WHERE ${isMemory(owner, id)}`,
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

/** Only which chunks have vectors, for content that is not the current one. */
export const indexedChunks = (
  organizationId: string,
  id: string,
  model: string,
): Statement<StoredChunks> => ({
  sql: sql`
    SELECT k.id FROM conversation_chunks AS k
     WHERE k.organization_id = ${organizationId} AND k.conversation_id = ${id} AND +k.model = ${model}
       AND k.indexed_at_ms IS NOT NULL`,
  read: ({ results }) => ({
    current: null,
    indexed: new Set((results as { id: string }[]).map((k) => k.id)),
  }),
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

const MEMORY_BYTES = sql`${literal(ITEM_BYTES)} + m.content_bytes + ${ROW_BYTES} + coalesce(octet_length(m.parts), 0)`;

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
           sum(${MEMORY_BYTES}${earlierBytes(scan.moment)}) OVER line AS bytes
      FROM page CROSS JOIN ${conversationsAt(scan.moment)} AS c ON c.row_key = page.row_key
     CROSS JOIN messages AS m ON m.row_key = (c.row_key << 24) + 1
    WINDOW line AS (ORDER BY ${pageOrder(scan)})),
  shown AS (
    SELECT * FROM found WHERE place <= ${limit} AND (bytes <= ${bytesMax} OR place = 1))
  SELECT ${memoryColumnsAt(scan.moment ?? null)}, shown.sort_value AS sort_value, (SELECT count(*) FROM found) AS found,
         reached.scan_end AS scan_end
    FROM reached LEFT JOIN shown ON TRUE
    LEFT JOIN ${conversationsAt(scan.moment)} AS c ON c.row_key = shown.row_key
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
