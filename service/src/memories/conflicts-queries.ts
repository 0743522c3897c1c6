import { CONFLICT_CONTENT_BYTES_MAX, CONFLICTS_COMPARED_MAX, CONFLICTS_SCANNED_MAX } from "@engram/spec";
import { holdsAt, undeleted } from "../filters/queries.ts";
import { isExactlyOwned, ownerConditions } from "../platform/batch.ts";
import { and, literal, rows, type Statement, sql } from "../platform/sql.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";
import type { MemoryRecord } from "./captures-queries.ts";

export interface ComparedMemory {
  id: string;
  content: string;
}

interface ComparedRow extends ComparedMemory {
  content_encoding: ContentEncoding | null;
}

/** The memories that a record may conflict with: the newest short ones of its agent and user that hold. */
export function comparedMemories(
  organizationId: string,
  record: MemoryRecord,
  nowMs: number,
): Statement<ComparedMemory[]> {
  const { agent_id: agentId, user_id: userId, content_hash, supersedes } = record;
  // One of the two finds the index of its memories.
  const owner = userId === null ? { agentId, userId } : { agentId: null, userId };
  const order = sql`ORDER BY c.created_at_ms DESC, c.id DESC`;
  return rows(
    sql`SELECT c.id, m.content, m.content_encoding
          FROM (SELECT c.row_key FROM conversations AS c
                 WHERE ${and([undeleted(organizationId, { corpora: ["memories"] }), ...ownerConditions(owner, sql`c.`)])}
                 ${order} LIMIT ${literal(CONFLICTS_SCANNED_MAX)}) AS newest
         CROSS JOIN conversations AS c ON c.row_key = newest.row_key AND c.organization_id = ${organizationId}
         CROSS JOIN messages AS m ON m.row_key = (c.row_key << 24) + 1 AND m.organization_id = ${organizationId}
         WHERE ${isExactlyOwned({ agentId, userId }, sql`c.`)} AND ${holdsAt(nowMs)}
           AND m.content_bytes <= ${literal(CONFLICT_CONTENT_BYTES_MAX)}
           AND c.content_hash <> ${content_hash} AND c.id IS NOT ${supersedes}
         ${order} LIMIT ${literal(CONFLICTS_COMPARED_MAX)}`,
    async ({ id, content, content_encoding }: ComparedRow) => ({
      id,
      content: await decodeText(content, content_encoding),
    }),
  );
}
