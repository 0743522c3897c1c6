import { USER_ITEMS_COUNTED_MAX, type User } from "@engram/spec";
import { toTimestampOrNull } from "../platform/batch.ts";
import { literal, onlyRow, rows, run, type Sql, sql } from "../platform/sql.ts";

/** Oldest or newest items of a user that are read to find one that is not deleted. */
const SEEN_ROWS_MAX = 100;

/**
 * Selects users in the order of their ids. Each takes one step in the index of users: to the next id after the last.
 */
export const selectUsers = (
  db: D1Database,
  { organizationId, afterId, limit }: { organizationId: string; afterId: string; limit: number },
): Promise<User[]> =>
  run(
    db,
    rows(
      sql`WITH RECURSIVE users (id, place) AS (
            SELECT (${nextUser(organizationId, sql`${afterId}`)}), 1
             UNION ALL
            SELECT (${nextUser(organizationId, sql`users.id`)}), users.place + 1
              FROM users WHERE users.id IS NOT NULL AND users.place < ${limit})
          SELECT ${userColumns(organizationId)} FROM users AS u WHERE u.id IS NOT NULL ORDER BY u.place`,
      toUser,
    ),
  );

export const selectUser = (db: D1Database, organizationId: string, id: string): Promise<User> =>
  run(db, onlyRow(sql`SELECT ${userColumns(organizationId)} FROM (SELECT ${id} AS id) AS u`, toUser));

/** The columns of a {@link UserRow} of the user `u.id`. */
const userColumns = (organizationId: string): Sql => sql`
  u.id AS id, (${counted(organizationId, sql`< 'mem_'`)}) AS conversations,
  (${counted(organizationId, sql`>= 'mem_'`)}) AS memories,
  (${firstSeen(organizationId, sql`= 'conversation'`)}) AS conversations_first_seen_at_ms,
  (${firstSeen(organizationId, sql`<> 'conversation'`)}) AS memories_first_seen_at_ms,
  (${lastSeen(organizationId, sql`= 'conversation'`)}) AS conversations_last_seen_at_ms,
  (${lastSeen(organizationId, sql`<> 'conversation'`)}) AS memories_last_seen_at_ms`;

const toUser = ({ id, conversations, memories, ...row }: UserRow): User => ({
  id,
  conversation_count: conversations > USER_ITEMS_COUNTED_MAX ? null : conversations,
  memory_count: memories > USER_ITEMS_COUNTED_MAX ? null : memories,
  first_seen_at: pick(Math.min, row.conversations_first_seen_at_ms, row.memories_first_seen_at_ms),
  last_seen_at: pick(Math.max, row.conversations_last_seen_at_ms, row.memories_last_seen_at_ms),
});

interface UserRow {
  id: string;
  /** At most one more than `USER_ITEMS_COUNTED_MAX`. */
  conversations: number;
  /** At most one more than `USER_ITEMS_COUNTED_MAX`. */
  memories: number;
  conversations_first_seen_at_ms: number | null;
  memories_first_seen_at_ms: number | null;
  conversations_last_seen_at_ms: number | null;
  memories_last_seen_at_ms: number | null;
}

function pick(choose: (...times: number[]) => number, ...times: (number | null)[]): string | null {
  const known = times.filter((time) => time !== null);
  return toTimestampOrNull(known.length === 0 ? null : choose(...known));
}

const nextUser = (organizationId: string, after: Sql): Sql => sql`
  SELECT c.user_id FROM conversations AS c
   WHERE c.organization_id = ${organizationId} AND c.user_id > ${after} AND c.deleted_at_ms IS NULL
   ORDER BY c.user_id LIMIT 1`;

/** @param ids a range: conversations and memories have ids of different prefixes. */
const counted = (organizationId: string, ids: Sql): Sql => sql`
  SELECT count(*) FROM (
    SELECT 1 FROM conversations AS c
     WHERE c.organization_id = ${organizationId} AND c.user_id = u.id AND c.id ${ids} AND c.deleted_at_ms IS NULL
     LIMIT ${literal(USER_ITEMS_COUNTED_MAX + 1)})`;

const firstSeen = (organizationId: string, kind: Sql): Sql => sql`
  SELECT min(oldest.created_at_ms) FROM (
    SELECT c.created_at_ms, c.deleted_at_ms FROM conversations AS c
     WHERE c.organization_id = ${organizationId} AND c.user_id = u.id AND c.kind ${kind}
     ORDER BY c.created_at_ms, c.id LIMIT ${literal(SEEN_ROWS_MAX)}) AS oldest
   WHERE oldest.deleted_at_ms IS NULL`;

const lastSeen = (organizationId: string, kind: Sql): Sql => sql`
  SELECT max(newest.updated_at_ms) FROM (
    SELECT c.updated_at_ms, c.deleted_at_ms FROM conversations AS c
     WHERE c.organization_id = ${organizationId} AND c.user_id = u.id AND c.kind ${kind}
     ORDER BY c.updated_at_ms DESC, c.id DESC LIMIT ${literal(SEEN_ROWS_MAX)}) AS newest
   WHERE newest.deleted_at_ms IS NULL`;
