import type { Owner } from "./batch.ts";
import { nothing, type Statement, sql } from "./sql.ts";

/** Upper bound on the time until queries return a vector that was written. Vectorize states two minutes. */
export const VISIBILITY_LAG_MAX_MS = 150_000;
/** Upper bound on the stored upserts of an organization. Fewer usually occur within `VISIBILITY_LAG_MAX_MS`. */
const RECENT_UPSERTS_MAX = 100;

/** An upsert of vectors by one step of indexing. */
export interface RecentUpsert {
  /** The agent of the conversation; null when it has none. */
  agentId: string | null;
  /** The user of the conversation; null when it has none. */
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

/**
 * Records an upsert and drops those older than `VISIBILITY_LAG_MAX_MS`, whose vectors queries return by now.
 */
export const recordedUpsert = (
  organizationId: string,
  { agentId, userId, vectorId, textHash, messages }: RecentUpsert,
  nowMs: number,
): Statement<void> =>
  nothing(sql`
    UPDATE organization_counters SET recent_upserts = (
      SELECT json_group_array(json(value)) FROM (
        SELECT -1 AS place,
               json_array(${vectorId}, ${nowMs}, ${messages}, ${agentId}, ${textHash}, ${userId}) AS value
         UNION ALL
        SELECT key, value FROM json_each(coalesce(recent_upserts, '[]'))
         WHERE value ->> 1 > ${nowMs - VISIBILITY_LAG_MAX_MS}
         ORDER BY place LIMIT ${RECENT_UPSERTS_MAX}))
     WHERE organization_id = ${organizationId}`);

/** Adds messages to a recorded upsert, because their text was in its vectors already. Does nothing if it is not recorded. */
export function joinedUpsert(
  organizationId: string,
  { vectorId, textHash, messages }: Pick<RecentUpsert, "vectorId" | "textHash" | "messages">,
): Statement<void> {
  const place = sql`(SELECT min(key) FROM json_each(coalesce(recent_upserts, '[]'))
                      WHERE value ->> 0 = ${vectorId} AND value ->> 4 = ${textHash})`;
  return nothing(sql`
    UPDATE organization_counters
       SET recent_upserts = json_set(recent_upserts, '$[' || ${place} || '][2]',
                                    (recent_upserts -> ${place} ->> 2) + ${messages})
     WHERE organization_id = ${organizationId} AND ${place} IS NOT NULL`);
}

/** Vector id, time, messages, agent, hash of the text, user. */
type StoredUpsert = [string, number, number, string | null, string, string | null];

/**
 * Upserts from `organization_counters.recent_upserts` that are at most `VISIBILITY_LAG_MAX_MS` old, newest first: those
 * of the agent and the user of the owner.
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
        (owner.userId === null || userId === owner.userId),
    );
}
