import type { Corpus, MemoryKind } from "@engram/spec";
import { isDraining, SHARED_USER } from "../platform/batch.ts";
import { type JoinedUpsert, type RecentUpsert, recordedUpserts } from "../platform/recent-upserts.ts";
import { eventOf, recordedEvents } from "../platform/recorded-events.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import {
  assertThat,
  literal,
  nothing,
  onlyRow,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import { toTermPrefix } from "../text/index-terms.ts";
import { WINDOW_MESSAGES, WINDOW_STRIDE } from "./window-size.ts";

/** After this number of attempts, an indexing job is not tried again and is reported as failed. */
export const INDEX_ATTEMPTS_MAX = 10;

/** When a job is due that is not tried again. */
export const NEVER_MS = Number.MAX_SAFE_INTEGER;

/** Condition: a run may still claim the job. The number is a literal, so that partial indexes apply. */
export const RUNS = sql`attempts < ${literal(INDEX_ATTEMPTS_MAX)}`;

/** Condition: every attempt at the job was made. The last one may still be under way. */
export const GIVEN_UP = sql`attempts >= ${literal(INDEX_ATTEMPTS_MAX)}`;

/**
 * Condition: the job can be dropped. No run holds it, and no run failed or died while it held it. After a run that
 * failed or died, a chunk may be stored whose vector is missing.
 */
export const isSafeToDrop = (nowMs: number): Sql =>
  sql`attempts = 0 AND last_error IS NULL AND (lease_until_ms IS NULL OR lease_until_ms <= ${nowMs})`;

/** Conversations as a JSON list for {@link jobsOf}. */
const toDueList = (due: DueConversation[]): string =>
  JSON.stringify(due.map(({ organizationId, conversationId }) => [organizationId, conversationId]));

/** The jobs, `j`, of listed conversations, `due`. */
const jobsOf = (list: string): Sql => sql`
  FROM json_each(${list}) AS due
 CROSS JOIN index_jobs AS j ON j.organization_id = due.value ->> 0 AND j.conversation_id = due.value ->> 1`;

/** The jobs, `j`, of listed conversations, `due`, that the run with this lease holds. */
const leasedJobs = (list: string, leaseId: string): Sql => sql`${jobsOf(list)} AND j.lease_id = ${leaseId}`;

/** Those of the conversations on which the run with this lease holds a job, as a SELECT of organization and id. */
export const leasedConversations = (due: DueConversation[], leaseId: string): Sql => sql`
  SELECT j.organization_id, j.conversation_id ${leasedJobs(toDueList(due), leaseId)}`;

/**
 * If a conversation has this number of jobs, a new range widens the newest job, unless a run has claimed it, even
 * if the two do not touch.
 */
const JOBS_MAX = 20;

/**
 * Queues a range of a conversation for indexing. It widens the newest job if that one touches the range and
 * no run has claimed it. So a burst of writes is one job, and a conversation has few.
 *
 * Each claim and each write is one transaction: a job is either widened before a run reads it, or left to the run.
 *
 * Tells whether the job got the lease of `append`; null if there was nothing to index.
 *
 * @param range a SELECT of `first` and `last`; no row, or nulls, when there is nothing to index.
 * @param append if the range may be followed by further appends, for which the job waits.
 */
export const queuedRange = (
  { organizationId, conversationId, nowMs }: DueConversation & { nowMs: number },
  range: Sql,
  append: AppendedRange | null = null,
): Statement<boolean | null> => {
  const jobs = sql`
    FROM index_jobs WHERE organization_id = ${organizationId} AND conversation_id = ${conversationId}`;
  const { lease, quietMs } = append ?? { lease: null, quietMs: 0 };
  const quietUntilMs = append === null ? null : nowMs + quietMs;
  const getsLease =
    lease === null
      ? sql`FALSE`
      : sql`(${lastComplete(sql`range.last`)} >= range.first
             AND NOT EXISTS (SELECT 1 ${jobs} AND lease_until_ms > ${nowMs})
             AND NOT ${isDraining(sql`${organizationId}`, nowMs)})`;
  return row(
    sql`
    INSERT INTO index_jobs (id, organization_id, conversation_id, from_sequence, to_sequence, due_at_ms, quiet_until_ms,
                            lease_id, lease_until_ms, attempts)
    SELECT (SELECT id FROM (SELECT * ${jobs} ORDER BY id DESC LIMIT 1) AS newest
             WHERE lease_id IS NULL AND attempts = 0 AND rebuild_words = 0 AND operation_id IS NULL
               AND (from_sequence <= range.last + 1 AND to_sequence >= range.first - 1
                    OR (SELECT count(*) FROM (SELECT 1 ${jobs} LIMIT ${JOBS_MAX})) = ${JOBS_MAX})),
           ${organizationId}, ${conversationId}, range.first, range.last, ${nowMs + quietMs}, ${quietUntilMs},
           iif(is_leased, ${lease?.id ?? null}, NULL), iif(is_leased, ${lease?.untilMs ?? null}, NULL),
           iif(is_leased, 1, 0)
      FROM (SELECT *, ${getsLease} AS is_leased FROM (${range}) AS range WHERE range.first IS NOT NULL) AS range
     WHERE TRUE
    ON CONFLICT (id) DO UPDATE
       SET from_sequence = min(from_sequence, excluded.from_sequence),
           to_sequence = max(to_sequence, excluded.to_sequence),
           ${append === null ? DUE_NOW : WAITS_ON}
    RETURNING lease_id`,
    (job: { lease_id: string | null }) => lease !== null && job.lease_id === lease.id,
  );
};

/**
 * At its end, a run claims jobs that are due this much later. A change that is stored after the run read the clock could
 * not be claimed by its own run, and would wait for the sweep.
 */
const CLAIM_AHEAD_MS = 1_000;

/** The end of an append. Its complete windows are indexed at once, the others when no append follows. */
export interface AppendedRange {
  quietMs: number;
  /** For the run that indexes the complete windows. The job gets it if it has any, and no other run has a lease. */
  lease: Pick<Lease, "id" | "untilMs">;
}

/** Only here, because a change of `due_at_ms` writes a row of its index, too. A failed job keeps its time. */
const DUE_NOW = sql`
  due_at_ms = iif(last_error IS NULL, min(due_at_ms, excluded.due_at_ms), due_at_ms), quiet_until_ms = NULL`;

/** A job that did not wait before is not made to. After a failure, no run may claim it for a while. */
const WAITS_ON = sql`
  quiet_until_ms = iif(quiet_until_ms IS NULL, NULL, excluded.quiet_until_ms), lease_id = excluded.lease_id,
  lease_until_ms = coalesce(excluded.lease_until_ms, lease_until_ms), attempts = excluded.attempts`;

/** Condition: the job does not wait for further appends. */
const isQuiet = (table: Sql, nowMs: number): Sql => sql`coalesce(${table}quiet_until_ms, 0) <= ${nowMs}`;

export interface DueConversation {
  organizationId: string;
  conversationId: string;
}

/** Indexing work of one conversation, claimed by one run. */
export interface ClaimedWork extends DueConversation {
  conversationRowKey: number;
  corpus: Corpus;
  /** What the conversation's words in the keyword index begin with. It differs by organization and corpus. */
  termPrefix: string;
  agentId: string | null;
  /** `SHARED_USER` if it is shared. */
  userId: string | null;
  /** The last sequence number that was assigned when the work was claimed. */
  lastSequence: number;
  jobs: ClaimedJob[];
}

interface ClaimedJob {
  id: number;
  fromSequence: number;
  toSequence: number;
  rebuildTerms: boolean;
  /** Whether the vectors are not stored again, as they are by a repair. */
  keepsVectors: boolean;
  attempts: number;
  /** False for a job that waits for further appends. Only its complete windows are indexed. */
  isQuiet: boolean;
}

interface ClaimRow {
  /** Place of the conversation in the list. */
  place: number;
  id: number;
  from_sequence: number;
  to_sequence: number;
  rebuild_words: 0 | 1;
  keeps_vectors: 0 | 1;
  attempts: number;
  is_quiet: 0 | 1;
  row_key: number;
  last_sequence: number;
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
  /** Whether the run also claims jobs that wait for the next write, to index their complete windows. */
  isEarly: boolean;
  /** Jobs that one claim takes. */
  jobsMax: number;
}

/** SQL for {@link lastCompleteSequence}. */
const lastComplete = (lastSequence: Sql): Sql => {
  const [messages, stride] = [literal(WINDOW_MESSAGES), literal(WINDOW_STRIDE)];
  return sql`
    CASE WHEN ${lastSequence} < ${messages} THEN 0
         ELSE (${lastSequence} - ${messages}) / ${stride} * ${stride} + ${messages} END`;
};

/** The work of each conversation under a lease; null if there is none, or the conversation is deleted. */
export const leasedWork = (due: DueConversation[], lease: Lease): Statement<(ClaimedWork | null)[]> => ({
  sql: sql`
    SELECT due.key AS place, j.id, j.from_sequence, j.to_sequence, j.rebuild_words, j.keeps_vectors, j.attempts,
           ${isQuiet(sql`j.`, lease.nowMs)} AS is_quiet,
           c.row_key, c.last_sequence, c.kind, c.agent_id,
           iif(c.shared = 1, ${SHARED_USER}, c.user_id) AS user_id,
           (SELECT o.number FROM organization_counters AS o
             WHERE o.organization_id = j.organization_id) AS organization_number
           ${leasedJobs(toDueList(due), lease.id)}
     CROSS JOIN conversations AS c ON c.organization_id = j.organization_id AND c.id = j.conversation_id
                AND c.deleted_at_ms IS NULL`,
  read: ({ results }: D1Result) => {
    const jobs = Map.groupBy(results as ClaimRow[], ({ place }) => place);
    return due.map((one, place) => toClaimedWork(one, jobs.get(place) ?? []));
  },
});

/**
 * Claims due jobs of conversations under a lease, oldest first. The `work` of a conversation is null when there are
 * none, another run holds a lease on the conversation, or the conversation is deleted.
 *
 * Only one run at a time works on a conversation, so that vectors are written in the order of the changes.
 *
 * @param aheadMs also claims jobs that are due this much later.
 */
export function claimedWork(due: DueConversation[], lease: Lease, aheadMs = 0) {
  const list = toDueList(due);
  const hasCompleteWindow = sql`own.attempts = 0 AND own.last_error IS NULL AND own.from_sequence <= (
    SELECT ${lastComplete(sql`c.last_sequence`)} FROM conversations AS c
     WHERE c.organization_id = own.organization_id AND c.id = own.conversation_id)`;
  // The plus keeps the planner from the index of all due jobs of the organization.
  const isDue = sql`+own.due_at_ms <= ${lease.nowMs + aheadMs} AND ${isQuiet(sql`own.`, lease.nowMs)}`;
  return {
    // Not when the job is widened: each change of `due_at_ms` writes a row of its index, too.
    postponed: lease.isEarly
      ? null
      : nothing(sql`
          UPDATE index_jobs SET due_at_ms = quiet_until_ms
           WHERE id IN (SELECT j.id ${jobsOf(list)} AND +j.due_at_ms <= ${lease.nowMs}
                           AND j.quiet_until_ms > ${lease.nowMs} AND j.lease_id IS NULL)`),
    leased: nothing(sql`
      UPDATE index_jobs SET lease_id = ${lease.id}, lease_until_ms = ${lease.untilMs}, attempts = attempts + 1
       WHERE id IN (
         SELECT j.id FROM json_each(${list}) AS due
          CROSS JOIN index_jobs AS j ON j.id IN (
            SELECT own.id FROM index_jobs AS own
             WHERE own.organization_id = due.value ->> 0 AND own.conversation_id = due.value ->> 1
               AND ${lease.isEarly ? sql`(${isDue} OR (${hasCompleteWindow}))` : isDue}
               AND own.attempts < ${INDEX_ATTEMPTS_MAX}
             ORDER BY own.id LIMIT ${lease.jobsMax})
          WHERE NOT EXISTS (SELECT 1 FROM index_jobs AS other
                             WHERE other.organization_id = due.value ->> 0 AND other.conversation_id = due.value ->> 1
                               AND other.lease_until_ms > ${lease.nowMs})
            AND NOT ${isDraining(sql`due.value ->> 0`, lease.nowMs)})`),
    // If the run dies, the job must not stay among the due ones. A run that ends sets another time.
    lastAttempt: nothing(sql`
      UPDATE index_jobs SET due_at_ms = ${NEVER_MS}
       WHERE id IN (SELECT j.id ${leasedJobs(list, lease.id)}) AND ${GIVEN_UP}`),
    work: leasedWork(due, lease),
  } satisfies Statements;
}

function toClaimedWork(due: DueConversation, claimed: ClaimRow[]): ClaimedWork | null {
  const [first] = claimed;
  if (first === undefined) return null;
  const corpus = first.kind === "conversation" ? "conversations" : "memories";
  return {
    organizationId: due.organizationId,
    conversationId: due.conversationId,
    conversationRowKey: first.row_key,
    corpus,
    termPrefix: toTermPrefix(first.organization_number, corpus),
    agentId: first.agent_id,
    userId: first.user_id,
    lastSequence: first.last_sequence,
    jobs: claimed.map((row) => ({
      id: row.id,
      fromSequence: row.from_sequence,
      toSequence: row.to_sequence,
      rebuildTerms: row.rebuild_words === 1,
      keepsVectors: row.keeps_vectors === 1,
      attempts: row.attempts,
      isQuiet: row.is_quiet === 1,
    })),
  };
}

/** Conversations with due work that may be claimed, round-robin by organization, longest waiting first. */
export async function selectDueConversations(
  db: D1Database,
  input: { nowMs: number; limit: number; round: Round },
): Promise<DueConversation[]> {
  const { nowMs, limit, round } = input;
  const queue = {
    table: sql`index_jobs`,
    key: sql`organization_id`,
    all: sql`TRUE`,
    waits: (organization: Sql) =>
      sql`${RUNS} AND due_at_ms <= ${nowMs} AND NOT ${isDraining(organization, nowMs)}`,
    order: sql`due_at_ms, id`,
  };
  return run(
    db,
    rows(
      sql`${roundRobin(queue, round)},
          due AS MATERIALIZED (
            SELECT j.organization_id, j.conversation_id, min(position) AS position, turn
              FROM line CROSS JOIN index_jobs AS j ON j.id = line.id
             GROUP BY j.organization_id, j.conversation_id)
          SELECT organization_id, conversation_id FROM due
           WHERE NOT EXISTS (SELECT 1 FROM index_jobs AS j
                              WHERE j.organization_id = due.organization_id
                                AND j.conversation_id = due.conversation_id AND j.lease_until_ms > ${nowMs})
           ORDER BY row_number() OVER (PARTITION BY organization_id ORDER BY position), turn LIMIT ${limit}`,
      (row: { organization_id: string; conversation_id: string }) => ({
        organizationId: row.organization_id,
        conversationId: row.conversation_id,
      }),
    ),
  );
}

/** What one step of a run has indexed. */
export interface Progress {
  work: ClaimedWork;
  doneToSequence: number;
  /** Whether the run claims the work that is due now. */
  claimNext: boolean;
  /** The upsert to record; null when no vectors were written. */
  upsert: RecentUpsert | null;
  /** The earlier upsert to which the messages of these jobs are added; null when vectors were written. */
  joined: JoinedUpsert | null;
  /** The sequences of messages with text that the model rejected. The fields below are those of their jobs. */
  failed: number[];
  attempts: number;
  error: string;
  dueAtMs: number;
}

/**
 * Records the progress of runs: advances their jobs, renews the lease, and inserts a job of its own for each message with
 * text that the model rejected. A run at the end of its work claims what is due then.
 */
export function recordedProgress(steps: Progress[], lease: Lease) {
  const toDoneList = (some: Progress[]) =>
    JSON.stringify(
      some.map(({ work, doneToSequence }) => [work.organizationId, work.conversationId, doneToSequence]),
    );
  const ending = steps.filter(({ claimNext }) => claimNext);
  const advancing = steps.filter(({ claimNext }) => !claimNext);
  const list = toDoneList(steps);
  const endingList = toDoneList(ending);
  const advancingList = toDoneList(advancing);
  const afterDone = (doneList: string): Sql => sql`
    max(from_sequence, 1 + (SELECT due.value ->> 2 FROM json_each(${doneList}) AS due
                             WHERE due.value ->> 0 = organization_id AND due.value ->> 1 = conversation_id))`;
  return {
    failed: steps.some(({ failed }) => failed.length > 0) ? failedJobs(steps, lease) : null,
    upserts: [...Map.groupBy(steps, ({ work }) => work.organizationId)].map(([organizationId, some]) =>
      some.every(({ upsert, joined }) => upsert === null && joined === null)
        ? null
        : recordedUpserts(
            organizationId,
            toUpserts(some),
            some.flatMap(({ joined }) => joined ?? []),
            lease.nowMs,
          ),
    ),
    events: steps.map(({ work, doneToSequence }) =>
      work.corpus === "memories" ? null : indexedEvent(work, lease, doneToSequence),
    ),
    done: nothing(sql`
      DELETE FROM index_jobs
       WHERE id IN (SELECT j.id ${leasedJobs(list, lease.id)} AND j.to_sequence <= due.value ->> 2)`),
    advanced:
      advancing.length === 0
        ? null
        : nothing(sql`
            UPDATE index_jobs SET from_sequence = ${afterDone(advancingList)}, lease_until_ms = ${lease.untilMs}
             WHERE id IN (SELECT j.id ${leasedJobs(advancingList, lease.id)})`),
    // The rest of a job that was claimed before it was due waits on.
    kept:
      ending.length === 0
        ? null
        : nothing(sql`
            UPDATE index_jobs
               SET from_sequence = ${afterDone(endingList)}, lease_id = NULL, lease_until_ms = NULL,
                   attempts = attempts - 1
             WHERE id IN (SELECT j.id ${leasedJobs(endingList, lease.id)})`),
    next:
      ending.length === 0
        ? null
        : claimedWork(
            ending.map(({ work }) => work),
            lease,
            CLAIM_AHEAD_MS,
          ),
  } satisfies Statements;
}

/**
 * The upserts of one organization to record, one for each owner, the newest last: a group of runs writes its vectors with
 * one call for each organization. If the last vector of an upsert is deleted, all of its messages count as invisible until
 * a later upsert is visible.
 */
function toUpserts(steps: Progress[]): RecentUpsert[] {
  const upserts = steps.flatMap(({ upsert }) => upsert ?? []);
  const byOwner = Map.groupBy(upserts, ({ agentId, userId }) => JSON.stringify([agentId, userId]));
  return upserts.flatMap((upsert) => {
    const own = byOwner.get(JSON.stringify([upsert.agentId, upsert.userId])) ?? [];
    if (upsert !== own.at(-1)) return [];
    return [{ ...upsert, messages: own.reduce((sum, { messages }) => sum + messages, 0) }];
  });
}

/** The event that a conversation is indexed: jobs of it are done, and none is left that a run will claim. */
const indexedEvent = (
  { organizationId, conversationId }: DueConversation,
  lease: Lease,
  doneToSequence: number,
): Statement<void> => {
  const jobs = sql`
    SELECT 1 FROM index_jobs WHERE organization_id = ${organizationId} AND conversation_id = ${conversationId}`;
  const done = sql`lease_id = ${lease.id} AND to_sequence <= ${doneToSequence}`;
  return recordedEvents(
    organizationId,
    lease.nowMs,
    sql`${eventOf("messages.indexed", sql`c.id`, { first: sql`NULL`, last: sql`nullif(c.last_sequence, 0)` })}
          FROM conversations AS c
         WHERE c.organization_id = ${organizationId} AND c.id = ${conversationId} AND c.deleted_at_ms IS NULL
           AND c.kind = 'conversation' AND EXISTS (${jobs} AND ${done} AND keeps_vectors = 0)
           AND NOT EXISTS (${jobs} AND ${RUNS} AND (${done}) IS NOT TRUE)`,
  );
};

function failedJobs(steps: Progress[], lease: Lease) {
  const list = JSON.stringify(
    steps.flatMap(({ work, failed, attempts, error, dueAtMs }) =>
      failed.map((sequence) => ({
        organization_id: work.organizationId,
        conversation_id: work.conversationId,
        ...{ sequence, attempts, error, due_at_ms: dueAtMs },
      })),
    ),
  );
  const ofNew = sql`
    organization_id = new.value ->> 'organization_id' AND conversation_id = new.value ->> 'conversation_id'`;
  return {
    inserted: nothing(sql`
      INSERT INTO index_jobs
        (organization_id, conversation_id, from_sequence, to_sequence, attempts, due_at_ms, last_error, last_error_at_ms)
      SELECT new.value ->> 'organization_id', new.value ->> 'conversation_id', new.value ->> 'sequence',
             new.value ->> 'sequence', new.value ->> 'attempts', new.value ->> 'due_at_ms', new.value ->> 'error',
             ${lease.nowMs}
        FROM json_each(${list}) AS new
       WHERE EXISTS (SELECT 1 FROM conversations
                      WHERE organization_id = new.value ->> 'organization_id' AND id = new.value ->> 'conversation_id'
                        AND deleted_at_ms IS NULL)
         -- The deletion of a message since then has queued its own job.
         AND EXISTS (SELECT 1 FROM messages WHERE ${ofNew} AND sequence = new.value ->> 'sequence')
         -- A message that has such a job already gets no second one.
         AND NOT EXISTS (SELECT 1 FROM index_jobs AS other
                          WHERE ${ofNew} AND other.lease_id IS NOT ${lease.id}
                            AND other.from_sequence = new.value ->> 'sequence'
                            AND other.to_sequence = new.value ->> 'sequence')`),
    // If a repair's job covers a failed message, the message's own job joins the repair, so that the repair waits for
    // it. This includes messages that failed before the repair.
    joined: nothing(sql`
      UPDATE index_jobs
         SET operation_id = (SELECT own.operation_id FROM index_jobs AS own
                              WHERE own.organization_id = index_jobs.organization_id
                                AND own.conversation_id = index_jobs.conversation_id
                                AND own.lease_id = ${lease.id} AND own.operation_id IS NOT NULL
                                AND index_jobs.from_sequence BETWEEN own.from_sequence AND own.to_sequence)
       WHERE (organization_id, conversation_id) IN
             (SELECT value ->> 'organization_id', value ->> 'conversation_id' FROM json_each(${list}))
         -- The plus keeps the planner from reading the jobs of a conversation once for each message.
         AND (+organization_id, +conversation_id, from_sequence, to_sequence) IN
             (SELECT value ->> 'organization_id', value ->> 'conversation_id', value ->> 'sequence', value ->> 'sequence'
                FROM json_each(${list}))
         AND lease_id IS NOT ${lease.id} AND operation_id IS NULL`),
  } satisfies Statements;
}

/**
 * Releases a run's unfinished jobs, which are due again at `dueAtMs`. The attempt does not count. After an
 * error, no other run can claim the conversation before `dueAtMs`: a write that seemed to fail may still
 * arrive, and must not come after a newer one.
 */
export const releasedJobs = (
  due: DueConversation,
  leaseId: string,
  { error, dueAtMs, nowMs }: { error: string | null; dueAtMs: number; nowMs: number },
): Statement<void> =>
  nothing(sql`
    UPDATE index_jobs
       SET lease_id = NULL, lease_until_ms = ${error === null ? null : dueAtMs}, attempts = attempts - 1,
           due_at_ms = ${dueAtMs}, last_error = coalesce(${error}, last_error),
           last_error_at_ms = coalesce(${error === null ? null : nowMs}, last_error_at_ms)
     WHERE id IN (SELECT j.id ${leasedJobs(toDueList([due]), leaseId)})`);

/**
 * Counts the jobs of conversations that overlap a range, and the failing jobs. A job is failing if it overlaps the range
 * and has failed before, or if no run can claim the conversation for a while after a failure of it.
 */
export const countIndexJobs = (
  db: D1Database,
  due: DueConversation[],
  { fromSequence, toSequence }: { fromSequence: number; toSequence: number },
  nowMs: number,
): Promise<{ waiting: number; failing: number }> => {
  const inRange = sql`j.from_sequence <= ${toSequence} AND j.to_sequence >= ${fromSequence}`;
  return run(
    db,
    onlyRow(
      sql`SELECT coalesce(sum(${inRange}), 0) AS waiting,
                 coalesce(sum(j.last_error IS NOT NULL AND (${inRange}
                              OR (j.lease_id IS NULL AND j.lease_until_ms > ${nowMs}))), 0) AS failing
                 ${jobsOf(toDueList(due))}`,
      (counts: { waiting: number; failing: number }) => counts,
    ),
  );
};

/**
 * Clears the failures of messages that are deleted or rewritten, before a new job covers them.
 *
 * A job that is wider than the new one stays, because it may be the only one for chunks of other messages. A job under
 * a lease stays too: its run may still write vectors, and deletions wait for it.
 *
 * @param covered condition on a job: all messages of its range are deleted or rewritten.
 * @param range the range of the new job, as for {@link queuedRange}.
 */
export function forgottenFailures(
  { organizationId, conversationId, nowMs }: DueConversation & { nowMs: number },
  covered: Sql,
  range: Sql,
) {
  const failed = sql`organization_id = ${organizationId} AND conversation_id = ${conversationId}
    AND (attempts > 0 OR last_error IS NOT NULL) AND ${covered}`;
  return {
    deleted: nothing(sql`
      DELETE FROM index_jobs WHERE ${failed} AND (lease_until_ms IS NULL OR lease_until_ms <= ${nowMs})
         AND EXISTS (SELECT 1 FROM (${range}) AS range
                      WHERE from_sequence >= range.first AND to_sequence <= range.last)`),
    // Includes jobs under a lease, so that they are not given up when their run dies.
    retried: nothing(sql`
      UPDATE index_jobs
         SET attempts = min(attempts, 1), due_at_ms = iif(${GIVEN_UP}, ${nowMs}, due_at_ms), last_error = NULL,
             last_error_at_ms = NULL
       WHERE ${failed}`),
  } satisfies Statements;
}

/** A lease that is this much shorter at most is not renewed, because each renewal writes a row. */
const RENEWAL_MS = 5_000;

/**
 * Renews the lease of runs, unless that was done just before. Fails the batch with `lease_lost` if another run has one of
 * the conversations.
 */
export const renewedLease = (work: DueConversation[], lease: Lease) => {
  const list = toDueList(work);
  return {
    held: assertThat(
      "lease_lost",
      sql`NOT EXISTS (SELECT 1 FROM json_each(${list}) AS due
                       WHERE NOT EXISTS (SELECT 1 FROM index_jobs AS j
                                          WHERE j.organization_id = due.value ->> 0 AND j.conversation_id = due.value ->> 1
                                            AND j.lease_id = ${lease.id}))`,
    ),
    renewed: nothing(sql`
      UPDATE index_jobs SET lease_until_ms = ${lease.untilMs}
       WHERE id IN (SELECT j.id ${leasedJobs(list, lease.id)} AND j.lease_until_ms < ${lease.untilMs - RENEWAL_MS})`),
  } satisfies Statements;
};
