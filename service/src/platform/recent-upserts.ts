import { type Owner, SHARED_USER } from "./batch.ts";
import { nothing, type Statement, sql } from "./sql.ts";

/** Upper bound on the time until queries return a vector that was written. Vectorize states two minutes. */
export const VISIBILITY_LAG_MAX_MS = 150_000;
/** Upper bound on the stored upserts of an organization. Fewer usually occur within `VISIBILITY_LAG_MAX_MS`. */
const RECENT_UPSERTS_MAX = 100;

/** An upsert of vectors by one step of indexing. */
export interface RecentUpsert {
  /** The agent of the conversation; null when it has none. */
  agentId: string | null;
  /** The user of the conversation; null when it has none, and `SHARED_USER` when it is shared. */
  userId: string | null;
  /**
   * The last vector of the upsert. Vectors become visible in order: once queries return this one, they return
   * all before it.
   */
  vectorId: string;
  /** Hash of the text of that vector. The vector may replace one of an earlier text. */
  textHash: string;
  /** Number of messages that these vectors make findable by meaning. */
  messages: number;
}

export interface RecordedUpsert extends RecentUpsert {
  atMs: number;
}

/** Messages to add to a recorded upsert, because their text was in its vectors already. */
export type JoinedUpsert = Pick<RecentUpsert, "vectorId" | "textHash" | "messages">;

/**
 * Records upserts, the newest last, and adds messages to upserts that are recorded. Drops those older than
 * `VISIBILITY_LAG_MAX_MS`, whose vectors queries return by now.
 */
export function recordedUpserts(
  organizationId: string,
  upserts: RecentUpsert[],
  joined: JoinedUpsert[],
  nowMs: number,
): Statement<void> {
  const newest = upserts
    .toReversed()
    .map(({ vectorId, messages, agentId, textHash, userId }): StoredUpsert => {
      return [vectorId, nowMs, messages, agentId, textHash, userId];
    });
  const more = joined.map(({ vectorId, textHash, messages }) => [vectorId, textHash, messages]);
  return nothing(sql`
    UPDATE organization_counters SET recent_upserts = (
      SELECT json_group_array(json(value)) FROM (
        SELECT 0 AS is_stored, key AS place, value FROM json_each(${JSON.stringify(newest)})
         UNION ALL
        SELECT 1, stored.key, json_set(stored.value, '$[2]', (stored.value ->> 2) + coalesce(
                 (SELECT sum(more.value ->> 2) FROM json_each(${JSON.stringify(more)}) AS more
                   WHERE more.value ->> 0 = stored.value ->> 0 AND more.value ->> 1 = stored.value ->> 4), 0))
          FROM json_each(coalesce(recent_upserts, '[]')) AS stored
         WHERE stored.value ->> 1 > ${nowMs - VISIBILITY_LAG_MAX_MS}
         ORDER BY is_stored, place LIMIT ${RECENT_UPSERTS_MAX}))
     WHERE organization_id = ${organizationId}`);
}

/** Vector id, time, messages, agent, hash of the text, user. */
type StoredUpsert = [string, number, number, string | null, string, string | null];

/**
 * Upserts from `organization_counters.recent_upserts` that are at most `VISIBILITY_LAG_MAX_MS` old, newest first: those
 * of the agent and the user of the owner, and shared ones.
 */
export function toRecentUpserts(stored: string | null, owner: Owner, nowMs: number): RecordedUpsert[] {
  const upserts = JSON.parse(stored ?? "[]") as StoredUpsert[];
  return upserts
    .filter(([, atMs]) => atMs > nowMs - VISIBILITY_LAG_MAX_MS)
    .map(([vectorId, atMs, messages, agentId, textHash, userId]) => {
      return { vectorId, textHash, messages, agentId, userId, atMs };
    })
    .filter(
      ({ agentId, userId }) =>
        (owner.agentId === null || agentId === owner.agentId) &&
        (owner.userId === null || userId === owner.userId || userId === SHARED_USER),
    );
}
