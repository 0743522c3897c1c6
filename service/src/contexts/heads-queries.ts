import type { Memory } from "@engram/spec";
import { conversationsAt, type Moment } from "../filters/moments-queries.ts";
import { type ConversationFilter, matchingConditions, undeleted } from "../filters/queries.ts";
import { type MemoryRow, memoryColumnsAt, toMemory } from "../memories/fields.ts";
import { MEMORY_CONTENT } from "../memories/queries.ts";
import type { Owner } from "../platform/batch.ts";
import { and, changes, nothing, row, rows, run, type Sql, type Statement, sql } from "../platform/sql.ts";

/** What one block of a stable part holds, in order. */
export interface HeadBlock {
  memories: string[];
  /** Null without messages. */
  messages: HeadMessages | null;
  /** Absent without summaries. */
  summaries?: SummaryPlace[] | undefined;
  /** Hash of the text of the block. */
  hash: string;
}

/** All messages of a conversation from one sequence number to another. */
export interface HeadMessages {
  from: number;
  to: number;
  count: number;
  /** Where the content of a cut message ends, by its sequence number. */
  cuts: Record<string, number>;
}

/** Level and first sequence number of a summary. */
export type SummaryPlace = [level: number, from: number];

export interface StoredHead {
  requestHash: string;
  blocks: HeadBlock[];
  expiresAtMs: number;
}

/** In place of a user in the row of a part without memories, so that no deletion of a memory reads it. No user has this id. */
export const NO_MEMORIES = "\n";

/** Null if it has expired, or does not exist. */
export const headById = (organizationId: string, id: string, nowMs: number): Statement<StoredHead | null> =>
  row(
    sql`SELECT request_hash, blocks, expires_at_ms FROM context_heads
         WHERE organization_id = ${organizationId} AND id = ${id} AND expires_at_ms > ${nowMs}`,
    (head: { request_hash: string; blocks: string; expires_at_ms: number }) => ({
      requestHash: head.request_hash,
      blocks: JSON.parse(head.blocks) as HeadBlock[],
      expiresAtMs: head.expires_at_ms,
    }),
  );

export const insertedHead = (head: {
  organizationId: string;
  id: string;
  requestHash: string;
  conversationId: string;
  /** Empty for none. Or `NO_MEMORIES`. */
  userId: string;
  blocks: HeadBlock[];
  expiresAtMs: number;
}): Statement<void> =>
  nothing(sql`
    INSERT INTO context_heads (organization_id, id, request_hash, conversation_id, user_id, blocks, expires_at_ms)
    VALUES (${head.organizationId}, ${head.id}, ${head.requestHash}, ${head.conversationId}, ${head.userId},
            ${JSON.stringify(head.blocks)}, ${head.expiresAtMs})`);

export const extendedHead = (organizationId: string, id: string, expiresAtMs: number): Statement<void> =>
  nothing(sql`
    UPDATE context_heads SET expires_at_ms = ${expiresAtMs}
     WHERE organization_id = ${organizationId} AND id = ${id}`);

/** Deletes at most `limit` heads that have expired. Resolves to the number deleted. */
export const deleteExpiredHeads = (db: D1Database, nowMs: number, limit: number): Promise<number> =>
  run(
    db,
    changes(sql`
      DELETE FROM context_heads WHERE (organization_id, id) IN
        (SELECT organization_id, id FROM context_heads WHERE expires_at_ms <= ${nowMs} LIMIT ${limit})`),
  );

/**
 * Deletes the heads of conversations, and those that have one of these memories.
 *
 * @param items a SELECT of organizations and ids of conversations and memories.
 */
export const deletedHeadsOf = (items: Sql) => ({
  ofConversations: nothing(sql`
    DELETE FROM context_heads WHERE (organization_id, id) IN (
      SELECT h.organization_id, h.id FROM conversations AS c
       CROSS JOIN context_heads AS h ON h.organization_id = c.organization_id AND h.conversation_id = c.id
       WHERE (c.organization_id, c.id) IN (${items}) AND c.kind = 'conversation')`),
  // Each part of the memories' users is read once. Its id comes from the index by user, and its blocks from its row. A
  // shared memory may be in the parts of all users.
  ofMemories: nothing(sql`
    WITH gone AS MATERIALIZED (
      SELECT c.organization_id, c.id, coalesce(c.user_id, '') AS user_id, c.shared FROM conversations AS c
       WHERE (c.organization_id, c.id) IN (${items}) AND c.kind <> 'conversation')
    DELETE FROM context_heads WHERE (organization_id, id) IN (
      SELECT h.organization_id, h.id
        FROM (SELECT u.organization_id, u.id
                FROM (SELECT organization_id, user_id FROM gone UNION SELECT organization_id, '' FROM gone) AS owner
               CROSS JOIN context_heads AS u ON u.organization_id = owner.organization_id AND u.user_id = owner.user_id
              UNION
              SELECT a.organization_id, a.id
                FROM (SELECT DISTINCT organization_id FROM gone WHERE shared = 1) AS readers
               CROSS JOIN context_heads AS a ON a.organization_id = readers.organization_id) AS u
       CROSS JOIN context_heads AS h ON h.organization_id = u.organization_id AND h.id = u.id
       CROSS JOIN json_each(h.blocks) AS block
       CROSS JOIN json_each(block.value, '$.memories') AS memory
       WHERE (h.organization_id, memory.value) IN (SELECT organization_id, id FROM gone))`),
});

/** The memories among `ids` that match, in any order. */
export const memoriesByIds = (
  owner: Owner,
  ids: readonly string[],
  filter: ConversationFilter,
  moment: Moment | null,
): Statement<Memory[]> =>
  rows(
    sql`SELECT ${memoryColumnsAt(moment)}
          FROM json_each(${JSON.stringify(ids)}) AS named
         CROSS JOIN ${conversationsAt(moment)} AS c ON c.organization_id = ${owner.organizationId} AND c.id = named.value
         CROSS JOIN ${MEMORY_CONTENT}
         WHERE ${and([
           undeleted(owner.organizationId, { corpora: ["memories"] }),
           ...matchingConditions("read", owner, { ...filter, corpora: ["memories"] }),
         ])}`,
    (found: MemoryRow) => toMemory(found),
  );
