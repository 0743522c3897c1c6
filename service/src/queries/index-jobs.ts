import type { Corpus, MemoryKind } from "@engram/spec";
import { toMark } from "../text/index-words.ts";
import { refuseWhen } from "./batch.ts";
import { byTurns, type Turns, toBinds } from "./turns.ts";
import { insertTaking, type Taking } from "./vector-takings.ts";

/** After this number of attempts, an indexing job is not tried again and is reported as failed. */
export const INDEX_ATTEMPTS_MAX = 10;

/** Whether a run will still claim a job. The number is a literal, so that partial indexes apply. */
export const RUNS = `attempts < ${INDEX_ATTEMPTS_MAX}`;

/**
 * Whether a job can be dropped: no run holds it, and none failed or died with it. After such a run, a chunk
 * may be stored whose vector is missing.
 */
export const isSafeToDrop = (now: string): string =>
  `attempts = 0 AND last_error IS NULL AND (lease_until_ms IS NULL OR lease_until_ms <= ${now})`;

/**
 * The jobs that a run holds, by organization, conversation and lease. The condition on the conversation uses
 * an index.
 */
const LEASED = "organization_id = ?1 AND conversation_id = ?2 AND lease_id = ?3";

export interface DueConversation {
  organizationId: string;
  conversationId: string;
}

/** Indexing work of one conversation, claimed by one run. */
export interface ClaimedWork extends DueConversation {
  conversationNumber: number;
  corpus: Corpus;
  /** The prefix of its terms in the keyword index. */
  mark: string;
  agentId: string | null;
  userId: string | null;
  jobs: { id: number; fromSequence: number; toSequence: number; rebuildWords: boolean; attempts: number }[];
}

interface ClaimRow {
  id: number;
  from_sequence: number;
  to_sequence: number;
  rebuild_words: 0 | 1;
  attempts: number;
  number: number;
  organization_number: number;
  kind: "conversation" | MemoryKind;
  agent_id: string | null;
  user_id: string | null;
}

/** A run's exclusive claim on a conversation, with its id. */
export interface Lease {
  id: string;
  nowMs: number;
  untilMs: number;
}

/**
 * Claims all due jobs of a conversation under a lease; null when there are none or another run holds one.
 *
 * Only one run at a time works on a conversation, so that vectors are written in the order of the changes.
 */
export async function claimIndexJobs(
  db: D1Database,
  due: DueConversation,
  lease: Lease,
): Promise<ClaimedWork | null> {
  return toClaimedWork(due, (await db.batch(claim(db, due, lease))).at(-1));
}

/** The statements of a claim. The last one returns the claimed jobs. */
function claim(db: D1Database, due: DueConversation, lease: Lease): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `UPDATE index_jobs SET lease_id = ?3, lease_until_ms = ?5, attempts = attempts + 1
          WHERE organization_id = ?1 AND conversation_id = ?2
            -- The plus keeps the planner from the index of all due jobs of the organization.
            AND +due_at_ms <= ?4 AND attempts < ?6
            AND NOT EXISTS (SELECT 1 FROM index_jobs AS other
                             WHERE other.organization_id = ?1 AND other.conversation_id = ?2
                               AND other.lease_until_ms > ?4)`,
      )
      .bind(due.organizationId, due.conversationId, lease.id, lease.nowMs, lease.untilMs, INDEX_ATTEMPTS_MAX),
    db
      .prepare(
        `SELECT j.id, j.from_sequence, j.to_sequence, j.rebuild_words, j.attempts, c.number, c.kind, c.agent_id, c.user_id,
                (SELECT o.number FROM organization_counters AS o WHERE o.organization_id = ?1) AS organization_number
           FROM index_jobs AS j
           JOIN conversations AS c ON c.organization_id = j.organization_id AND c.id = j.conversation_id
          WHERE j.organization_id = ?1 AND j.conversation_id = ?2 AND j.lease_id = ?3 AND c.deleted_at_ms IS NULL`,
      )
      .bind(due.organizationId, due.conversationId, lease.id),
  ];
}

function toClaimedWork(due: DueConversation, claimed: D1Result | undefined): ClaimedWork | null {
  const rows = (claimed?.results ?? []) as ClaimRow[];
  const [first] = rows;
  if (first === undefined) return null;
  const corpus = first.kind === "conversation" ? "conversations" : "memories";
  return {
    organizationId: due.organizationId,
    conversationId: due.conversationId,
    conversationNumber: first.number,
    corpus,
    mark: toMark(first.organization_number, corpus),
    agentId: first.agent_id,
    userId: first.user_id,
    jobs: rows.map((row) => ({
      id: row.id,
      fromSequence: row.from_sequence,
      toSequence: row.to_sequence,
      rebuildWords: row.rebuild_words === 1,
      attempts: row.attempts,
    })),
  };
}

/** Conversations with due work that may be claimed, round-robin by organization, longest waiting first. */
export async function selectDueConversations(
  db: D1Database,
  input: { nowMs: number; limit: number; turns: Turns },
): Promise<DueConversation[]> {
  const queue = {
    table: "index_jobs",
    all: RUNS,
    waits: () => `${RUNS} AND due_at_ms <= ?1`,
    order: "due_at_ms, id",
  };
  const { results } = await db
    .prepare(
      `${byTurns(queue, 3)},
       due AS MATERIALIZED (
         SELECT j.organization_id, j.conversation_id, min(position) AS position, turn
           FROM line CROSS JOIN index_jobs AS j ON j.id = line.id
          GROUP BY j.organization_id, j.conversation_id)
       SELECT organization_id, conversation_id FROM due
        WHERE NOT EXISTS (SELECT 1 FROM index_jobs AS j
                           WHERE j.organization_id = due.organization_id
                             AND j.conversation_id = due.conversation_id AND j.lease_until_ms > ?1)
        ORDER BY row_number() OVER (PARTITION BY organization_id ORDER BY position), turn LIMIT ?2`,
    )
    .bind(input.nowMs, input.limit, ...toBinds(input.turns))
    .all<{ organization_id: string; conversation_id: string }>();
  return results.map((row) => ({ organizationId: row.organization_id, conversationId: row.conversation_id }));
}

/**
 * Records the progress of a run: advances its jobs, renews the lease, and inserts a separate job for each
 * window that failed.
 *
 * @param input.statements run before, in the same transaction.
 * @returns with `claimNext`, the work that is due now, claimed in the same transaction.
 */
export async function updateIndexJobsProgress(
  db: D1Database,
  due: DueConversation,
  input: {
    statements: D1PreparedStatement[];
    lease: Lease;
    doneToSequence: number;
    claimNext: boolean;
    /** Sequence ranges of failed windows. */
    failed: { from: number; to: number }[];
    attempts: number;
    error: string;
    dueAtMs: number;
    /** The upsert to record; null when no vectors were written. */
    taking: Taking | null;
  },
): Promise<ClaimedWork | null> {
  const { organizationId, conversationId } = due;
  const { lease, doneToSequence } = input;
  const failed = db
    .prepare(
      `INSERT INTO index_jobs
         (organization_id, conversation_id, from_sequence, to_sequence, attempts, due_at_ms, last_error, last_error_at_ms)
       SELECT ?1, ?2, value ->> 'from', value ->> 'to', ?4, ?5, ?6, ?7 FROM json_each(?3)
        WHERE EXISTS (SELECT 1 FROM conversations
                       WHERE organization_id = ?1 AND id = ?2 AND deleted_at_ms IS NULL)
          -- A message that was deleted meanwhile has a job of its deletion.
          AND EXISTS (SELECT 1 FROM messages WHERE organization_id = ?1 AND conversation_id = ?2
                         AND sequence BETWEEN value ->> 'from' AND value ->> 'to')
          -- A message that waits already, or was given up, is not counted twice.
          AND NOT EXISTS (SELECT 1 FROM index_jobs AS other
                           WHERE other.organization_id = ?1 AND other.conversation_id = ?2
                             AND other.lease_id IS NOT ?8
                             AND other.from_sequence = value ->> 'from' AND other.to_sequence = value ->> 'to')`,
    )
    .bind(
      organizationId,
      conversationId,
      JSON.stringify(input.failed),
      input.attempts,
      input.dueAtMs,
      input.error,
      lease.nowMs,
      lease.id,
    );
  const results = await db.batch([
    ...input.statements,
    ...(input.failed.length > 0 ? [failed] : []),
    ...(input.taking === null
      ? []
      : [insertTaking(db, { ...input.taking, organizationId, nowMs: lease.nowMs })]),
    db
      .prepare(`DELETE FROM index_jobs WHERE ${LEASED} AND to_sequence <= ?4`)
      .bind(organizationId, conversationId, lease.id, doneToSequence),
    ...(input.claimNext
      ? claim(db, due, lease)
      : [
          db
            .prepare(
              `UPDATE index_jobs SET from_sequence = max(from_sequence, ?4 + 1), lease_until_ms = ?5 WHERE ${LEASED}`,
            )
            .bind(organizationId, conversationId, lease.id, doneToSequence, lease.untilMs),
        ]),
  ]);
  return input.claimNext ? toClaimedWork(due, results.at(-1)) : null;
}

/**
 * Releases a run's unfinished jobs until `dueAtMs`. The attempt does not count. After an error, no other run
 * can claim the conversation before `dueAtMs`: a write that seemed to fail may still arrive, and must not
 * come after a newer one.
 */
export async function releaseIndexJobs(
  db: D1Database,
  input: DueConversation & { leaseId: string; dueAtMs: number; error: string | null; nowMs: number },
): Promise<void> {
  await db
    .prepare(
      `UPDATE index_jobs
          SET lease_id = NULL, lease_until_ms = CASE WHEN ?5 IS NULL THEN NULL ELSE ?4 END, attempts = attempts - 1, due_at_ms = ?4,
              last_error = coalesce(?5, last_error),
              last_error_at_ms = CASE WHEN ?5 IS NULL THEN last_error_at_ms ELSE ?6 END
        WHERE ${LEASED}`,
    )
    .bind(input.organizationId, input.conversationId, input.leaseId, input.dueAtMs, input.error, input.nowMs)
    .run();
}

/**
 * Counts the jobs that overlap a range, and the failing jobs. Failing are those in the range that have failed
 * before, and others of the conversation that cannot be claimed for a while after a failure.
 */
export async function countIndexJobs(
  db: D1Database,
  due: DueConversation,
  range: { fromSequence: number; toSequence: number },
  nowMs: number,
): Promise<{ waiting: number; failing: number }> {
  const inRange = "from_sequence <= ?4 AND to_sequence >= ?3";
  const row = await db
    .prepare(
      `SELECT coalesce(sum(${inRange}), 0) AS waiting,
              coalesce(sum(last_error IS NOT NULL AND (${inRange}
                           OR (lease_id IS NULL AND lease_until_ms > ?5))), 0) AS failing
         FROM index_jobs WHERE organization_id = ?1 AND conversation_id = ?2`,
    )
    .bind(due.organizationId, due.conversationId, range.fromSequence, range.toSequence, nowMs)
    .first<{ waiting: number; failing: number }>();
  return row ?? { waiting: 0, failing: 0 };
}

/**
 * Clears the failures of messages that are deleted or rewritten, before a new job covers them.
 *
 * A job under a lease stays: its run may still write vectors, and deletions wait for it.
 *
 * @param bound prepares a statement with organization, conversation and one more value as ?1 to ?3, then the
 *   given values.
 * @param covered condition on a job: all messages of its range are deleted or rewritten.
 */
export function forgetFailures(
  bound: (sql: string, ...more: unknown[]) => D1PreparedStatement,
  covered: string,
  nowMs: number,
): D1PreparedStatement[] {
  const failed = `organization_id = ?1 AND conversation_id = ?2
    AND (attempts > 0 OR last_error IS NOT NULL) AND ${covered}`;
  return [
    bound(
      `DELETE FROM index_jobs WHERE ${failed} AND (lease_until_ms IS NULL OR lease_until_ms <= ?4)`,
      nowMs,
    ),
    // Includes jobs under a lease, so that they are not given up when their run dies.
    bound(
      `UPDATE index_jobs SET attempts = min(attempts, 1), last_error = NULL, last_error_at_ms = NULL
        WHERE ${failed}`,
    ),
  ];
}

/** Renews a run's lease, or ends the batch with `lease_lost` when another run has it. */
export function renewLease(db: D1Database, work: DueConversation, lease: Lease): D1PreparedStatement[] {
  const { organizationId, conversationId } = work;
  return [
    refuseWhen(db, "lease_lost", `NOT EXISTS (SELECT 1 FROM index_jobs WHERE ${LEASED})`).bind(
      organizationId,
      conversationId,
      lease.id,
    ),
    db
      .prepare(`UPDATE index_jobs SET lease_until_ms = ?4 WHERE ${LEASED}`)
      .bind(organizationId, conversationId, lease.id, lease.untilMs),
  ];
}
