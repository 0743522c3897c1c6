import { undeleted } from "../filters/queries.ts";
import { type Scan, type ScanLimits, scanEnd, scannedMatches, scanTable } from "../filters/scans-queries.ts";
import { isHeldAnywhere } from "../holds/queries.ts";
import type { SteppedOperation } from "../operations/queries.ts";
import { ownerConditions } from "../platform/batch.ts";
import { recordedEventsOfMany } from "../platform/recorded-events.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import {
  and,
  batch,
  nothing,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";
import type { Enrichment } from "../text/enrichment.ts";
import { keptVersions, nextVersionIf } from "../versions/queries.ts";

/**
 * Maximum number of attempts to enrich a memory, that is, to have a text model write its tags and summary. All
 * attempts, with the waits between them, take about five hours.
 */
export const ENRICHMENT_ATTEMPTS_MAX = 64;
/**
 * The vocabulary is a list of existing tags that is offered to the model. It is taken from this number of
 * newest memories.
 */
const VOCABULARY_MEMORIES = 1_000;
/** Within a backfill, the vocabulary is taken from the suggestions in this number of its jobs. */
const VOCABULARY_JOBS = 5_000;
/** Maximum number of tags in the vocabulary. */
const VOCABULARY_TAGS = 50;

export interface EnrichmentJob {
  organizationId: string;
  memoryId: string;
  operationId: string | null;
  /** 1: the model suggests tags, which become the vocabulary of pass 2. 2: it writes tags and summary. */
  pass: 1 | 2;
  attempts: number;
  agentId: string | null;
  userId: string | null;
  isShared: boolean;
  contentHash: string;
  content: string;
}

interface JobRow {
  organization_id: string;
  memory_id: string;
  operation_id: string | null;
  pass: 1 | 2;
  attempts: number;
  agent_id: string | null;
  user_id: string | null;
  shared: 0 | 1;
  content_hash: string;
  content: string;
  content_encoding: ContentEncoding | null;
}

const toJob = async (job: JobRow): Promise<EnrichmentJob> => ({
  organizationId: job.organization_id,
  memoryId: job.memory_id,
  operationId: job.operation_id,
  pass: job.pass,
  attempts: job.attempts,
  agentId: job.agent_id,
  userId: job.user_id,
  isShared: job.shared === 1,
  contentHash: job.content_hash,
  content: await decodeText(job.content, job.content_encoding),
});

/** Condition for memories whose tags or summary the model may write, because the caller did not give both. */
const UNWRITTEN = sql`authored <> 3`;

/** Columns of a job that no backfill queued, before its first attempt. */
const OUTSIDE_BACKFILLS = sql`pass = 2, operation_id = NULL, draft = NULL, attempts = 0`;

export const queuedEnrichmentJobs = (organizationId: string, ids: string[], nowMs: number): Statement<void> =>
  nothing(sql`
    INSERT INTO enrichment_jobs (organization_id, memory_id, pass, due_at_ms)
    SELECT ${organizationId}, c.id, 2, ${nowMs} FROM json_each(${JSON.stringify(ids)}) AS new
     CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = new.value AND c.${UNWRITTEN}
     WHERE TRUE
    ON CONFLICT (organization_id, memory_id) DO UPDATE
       SET ${OUTSIDE_BACKFILLS}, due_at_ms = excluded.due_at_ms`);

export type Backfill = Pick<SteppedOperation, "owner" | "id" | "filter">;

/**
 * One step of a backfill, which enriches existing memories. Reads the next memories, oldest first, and queues a
 * job for each. `isDone` is null if the backfill was canceled, or if an earlier step was the last.
 *
 * If a memory already has a job that no backfill queued, that job becomes due now. It does not become part of
 * the backfill, so that a cancellation of the backfill does not remove it. A job of another backfill stays
 * unchanged.
 */
export function queuedBackfillStep(
  { owner, id, filter }: Backfill,
  { model, nowMs, limits }: { model: string; nowMs: number; limits: ScanLimits },
) {
  const { organizationId } = owner;
  const scan: Scan = {
    owner,
    access: "write",
    corpus: "memories",
    filter,
    sort: "created_at",
    order: "asc",
    after: { operationId: id },
    limits,
  };
  const eligible = scannedMatches(scan, [
    sql`c.row_key <= (SELECT last_row_key FROM operations WHERE filter IS NOT NULL AND id = ${id})`,
    sql`c.${UNWRITTEN}`,
    sql`c.enriched_by IS NOT ${model}`,
  ]);
  return {
    queued: nothing(sql`
      WITH ${scanTable(scan)}
      INSERT INTO enrichment_jobs (organization_id, memory_id, operation_id, pass, due_at_ms)
      SELECT ${organizationId}, c.id, ${id}, 1, ${nowMs} ${eligible}
      ON CONFLICT (organization_id, memory_id) DO UPDATE
         SET due_at_ms = excluded.due_at_ms, attempts = 0 WHERE operation_id IS NULL`),
    isDone: row(
      sql`WITH ${scanTable(scan)},
          step AS (
            SELECT (${scanEnd(scan)}) AS position,
                   (SELECT count(*) FROM scan
                     CROSS JOIN enrichment_jobs AS j ON j.organization_id = ${organizationId} AND j.memory_id = scan.id
                     WHERE j.operation_id = ${id}) AS queued)
          UPDATE operations
             SET filter_position = step.position,
                 filter = CASE WHEN step.position IS NULL THEN NULL ELSE filter END,
                 total = total + step.queued
            FROM step
           WHERE operations.organization_id = ${organizationId} AND operations.id = ${id} AND filter IS NOT NULL
          RETURNING operations.filter IS NULL AS is_done`,
      ({ is_done }: { is_done: 0 | 1 }) => is_done === 1,
    ),
  } satisfies Statements;
}

export const hasBackfillJobs = async (db: D1Database, id: string): Promise<boolean> =>
  (await run(
    db,
    row(sql`SELECT 1 FROM enrichment_jobs WHERE operation_id = ${id} LIMIT 1`, () => true),
  )) !== null;

const dueJobs = (nowMs: number) => ({
  table: sql`enrichment_jobs`,
  key: sql`organization_id`,
  all: sql`due_at_ms IS NOT NULL`,
  waits: () => sql`due_at_ms <= ${nowMs}`,
  order: sql`due_at_ms, rowid`,
});

/**
 * CTE `line`: the due jobs of one organization, in place of the `line` of `roundRobin`, which has the due jobs of all organizations.
 */
const lineOfOne = (organizationId: string, nowMs: number, limit: number): Sql => sql`
  WITH line AS MATERIALIZED (
    SELECT rowid AS id, row_number() OVER (ORDER BY due_at_ms, rowid) AS position, 0 AS turn
      FROM (SELECT rowid, due_at_ms FROM enrichment_jobs
             WHERE organization_id = ${organizationId} AND due_at_ms <= ${nowMs}
             ORDER BY due_at_ms, rowid LIMIT ${limit}))`;

/**
 * Jobs of held memories, which the model may not edit, wait until a hold is lifted: they have no due time. They leave their
 * backfill, which would not end until then.
 *
 * @param line SQL that begins with the CTE `line`.
 */
function waitingForHold(line: Sql) {
  const held = sql`
    SELECT j.rowid AS id, j.organization_id AS organization_id, j.operation_id AS operation_id
      FROM line CROSS JOIN enrichment_jobs AS j ON j.rowid = line.id
     CROSS JOIN conversations AS c ON c.organization_id = j.organization_id AND c.id = j.memory_id
     WHERE ${isHeldAnywhere(sql`c`)}`;
  return {
    totals: nothing(sql`
      ${line}
      UPDATE operations SET total = total - held.jobs
        FROM (SELECT organization_id, operation_id, count(*) AS jobs FROM (${held})
               WHERE operation_id IS NOT NULL GROUP BY organization_id, operation_id) AS held
       WHERE operations.organization_id = held.organization_id AND operations.id = held.operation_id`),
    jobs: nothing(sql`
      ${line}
      UPDATE enrichment_jobs SET ${OUTSIDE_BACKFILLS}, due_at_ms = NULL WHERE rowid IN (SELECT id FROM (${held}))`),
  } satisfies Statements;
}

/**
 * CTE `next`: the jobs that may be claimed, in order. A job of a deleted memory has no message. The job is removed
 * with the memory.
 */
const nextJobs = (limit: number, bytesMax: number): Sql => sql`
  sized AS MATERIALIZED (
    SELECT line.id, line.position, line.turn, m.row_key AS message_row_key, coalesce(m.content_bytes, 0) AS bytes
      FROM (SELECT * FROM line ORDER BY position, turn LIMIT ${limit}) AS line
     CROSS JOIN enrichment_jobs AS j ON j.rowid = line.id
      LEFT JOIN conversations AS c ON c.organization_id = j.organization_id AND c.id = j.memory_id
                AND c.deleted_at_ms IS NULL
      LEFT JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
     WHERE NOT ${isHeldAnywhere(sql`c`)}),
  shared AS (
    SELECT *, sum(bytes) OVER (PARTITION BY turn ORDER BY position) AS bytes_of_turn,
           (SELECT count(DISTINCT turn) FROM sized) AS turns FROM sized),
  next AS MATERIALIZED (
    SELECT id, message_row_key, sum(bytes) OVER (ORDER BY position, turn) AS bytes,
           row_number() OVER (ORDER BY position, turn) AS place
      FROM shared WHERE position = 1 OR bytes_of_turn <= ${bytesMax} / turns)`;

/**
 * Claims due jobs of memories that are not held, those of each organization that have waited longest first. They are due again at `untilMs`. If two runs claim the same job,
 * its memory is enriched twice, which does no harm.
 *
 * @param input.organizationId null for all organizations.
 * @param input.bytesMax maximum size of all contents, divided equally among the organizations. The first memory
 * is taken even if it is larger.
 */
export async function claimEnrichmentJobs(
  db: D1Database,
  input: {
    organizationId: string | null;
    nowMs: number;
    untilMs: number;
    limit: number;
    bytesMax: number;
    round: Round;
  },
): Promise<EnrichmentJob[]> {
  const { organizationId, nowMs, limit, bytesMax } = input;
  const line =
    organizationId === null
      ? roundRobin(dueJobs(nowMs), input.round)
      : lineOfOne(organizationId, nowMs, limit);
  const next = sql`${line}, ${nextJobs(limit, bytesMax)}`;
  const isTaken = sql`(next.bytes <= ${bytesMax} OR next.place = 1)`;
  const { jobs } = await batch(db, {
    held: waitingForHold(line),
    jobs: rows(
      sql`${next}
          SELECT j.organization_id, j.memory_id, j.operation_id, j.pass, j.attempts + 1 AS attempts, c.agent_id, c.user_id, c.shared,
                 c.content_hash, m.content, m.content_encoding
            FROM next
           CROSS JOIN enrichment_jobs AS j ON j.rowid = next.id
           CROSS JOIN conversations AS c ON c.organization_id = j.organization_id AND c.id = j.memory_id
           CROSS JOIN messages AS m ON m.row_key = next.message_row_key AND m.organization_id = j.organization_id
           WHERE ${isTaken} ORDER BY next.place`,
      toJob,
    ),
    claimed: nothing(sql`
      ${next}
      UPDATE enrichment_jobs SET due_at_ms = ${input.untilMs}, attempts = attempts + 1
       WHERE rowid IN (SELECT id FROM next WHERE ${isTaken})`),
  });
  return jobs;
}

/**
 * The tags to offer to the model, most frequent first: those of the organization's newest memories, or in a
 * backfill those that its first pass suggested. For the memory of an agent or a user, only tags of that agent and user are
 * offered, because tags can reveal content. For a shared memory, only tags of shared memories are offered.
 */
export function selectVocabulary(
  db: D1Database,
  job: Pick<EnrichmentJob, "organizationId" | "agentId" | "userId" | "isShared" | "operationId">,
): Promise<string[]> {
  const { organizationId, operationId } = job;
  const visible = [...ownerConditions(job, sql`c.`), ...(job.isShared ? [sql`c.shared = 1`] : [])];
  const tags =
    operationId === null
      ? newestTags(and([undeleted(organizationId, { corpora: ["memories"] }), ...visible]))
      : suggestedTags(organizationId, operationId, and(visible));
  return run(
    db,
    rows(
      sql`SELECT tag.value AS tag FROM (${tags}) AS noted
           CROSS JOIN json_each(noted.tags) AS tag
           GROUP BY tag.value ORDER BY count(*) DESC, tag.value LIMIT ${VOCABULARY_TAGS}`,
      ({ tag }: { tag: string }) => tag,
    ),
  );
}

const newestTags = (isVisible: Sql): Sql => sql`
  SELECT c.tags AS tags FROM conversations AS c WHERE ${isVisible}
   ORDER BY c.created_at_ms DESC, c.id DESC LIMIT ${VOCABULARY_MEMORIES}`;

const suggestedTags = (organizationId: string, operationId: string, isVisible: Sql): Sql => sql`
  SELECT j.draft AS tags
    FROM (SELECT memory_id, draft FROM enrichment_jobs
           WHERE operation_id = ${operationId} AND organization_id = ${organizationId} LIMIT ${VOCABULARY_JOBS}) AS j
   CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = j.memory_id AND ${isVisible}`;

/** A job, and what the model wrote for it; null if that was not usable. */
export interface AnsweredJob {
  job: EnrichmentJob;
  enrichment: Enrichment | null;
}

/**
 * Stores what the model wrote for several memories, in one transaction, and ends their jobs. No memory may occur twice.
 *
 * - The first pass of a backfill stores the suggested tags; none if the response was not usable.
 * - The second pass stores tags and summary. Fields that the caller gave stay unchanged. If the content has changed since
 *   the model read it, nothing is stored, and a job that no backfill queued stays, so that the new content is enriched.
 *   If the memory has come under a hold meanwhile, nothing is stored, and its job stays.
 * - In a backfill, a memory without a usable response counts as failed.
 */
export async function updateAnswered(
  db: D1Database,
  answered: AnsweredJob[],
  { model, nowMs }: { model: string; nowMs: number },
): Promise<void> {
  const drafted = answered.filter(({ job }) => job.pass === 1);
  const described = answered.filter(({ job }) => job.pass === 2);
  const enriched = described.filter(({ enrichment }) => enrichment !== null);
  const ofBackfills = described.filter(({ job }) => job.operationId !== null);
  const ofCaptures = described.filter(({ job }) => job.operationId === null);
  await batch(db, {
    drafted: forEach(drafted, draftedTags),
    enriched: forEach(enriched, (list) => enrichedMemories(list, model, nowMs)),
    // Counted once, even if two runs have the job: the first sets its pass to 3.
    failed: forEach(
      ofBackfills.filter(({ enrichment }) => enrichment === null),
      failedJobs,
    ),
    ofBackfills: forEach(ofBackfills, (list) =>
      nothing(sql`
        UPDATE enrichment_jobs SET pass = 3, due_at_ms = NULL
         WHERE rowid IN (SELECT j.rowid ${answeredJobs(list)} AND NOT ${HAS_HELD_MEMORY})`),
    ),
    ofCaptures: forEach(ofCaptures, (list) =>
      nothing(sql`
        DELETE FROM enrichment_jobs
         WHERE rowid IN (
           SELECT j.rowid ${answeredJobs(list)}
              AND EXISTS (SELECT 1 FROM conversations AS c
                           WHERE c.organization_id = j.organization_id AND c.id = j.memory_id
                             AND c.content_hash = new.value ->> 'content_hash' AND NOT ${isHeldAnywhere(sql`c`)}))`),
    ),
  });
}

/** The statements for a list of answers as JSON; none if it is empty. */
const forEach = <S>(answered: AnsweredJob[], statements: (list: string) => S): S | null =>
  answered.length === 0
    ? null
    : statements(
        JSON.stringify(
          answered.map(({ job, enrichment }) => ({
            organization_id: job.organizationId,
            memory_id: job.memoryId,
            operation_id: job.operationId,
            content_hash: job.contentHash,
            tags: enrichment?.tags ?? [],
            summary: enrichment?.summary ?? null,
          })),
        ),
      );

const HAS_HELD_MEMORY = sql`
  EXISTS (SELECT 1 FROM conversations AS c
           WHERE c.organization_id = j.organization_id AND c.id = j.memory_id AND ${isHeldAnywhere(sql`c`)})`;

/** The jobs of the list, as `j`, that belong to the same backfill as when they were claimed, or to none. */
const answeredJobs = (list: string): Sql => sql`
  FROM json_each(${list}) AS new
 CROSS JOIN enrichment_jobs AS j ON j.organization_id = new.value ->> 'organization_id'
            AND j.memory_id = new.value ->> 'memory_id' AND j.operation_id IS new.value ->> 'operation_id'
 WHERE TRUE`;

const draftedTags = (list: string): Statement<void> =>
  nothing(sql`
    WITH written AS MATERIALIZED (
      SELECT j.rowid AS id, new.value -> 'tags' AS tags ${answeredJobs(list)} AND j.pass = 1)
    UPDATE enrichment_jobs SET draft = written.tags, due_at_ms = NULL FROM written
     WHERE enrichment_jobs.rowid = written.id`);

function enrichedMemories(list: string, model: string, nowMs: number) {
  const enriched = sql`
    FROM json_each(${list}) AS new
   CROSS JOIN conversations AS c ON c.organization_id = new.value ->> 'organization_id'
              AND c.id = new.value ->> 'memory_id' AND c.content_hash = new.value ->> 'content_hash'
              AND c.deleted_at_ms IS NULL AND c.${UNWRITTEN}
              -- A model edits no more than anybody else.
              AND NOT ${isHeldAnywhere(sql`c`)}`;
  const tags = (written: Sql) => sql`CASE WHEN c.authored & 1 THEN c.tags ELSE ${written} END`;
  const summary = (written: Sql) => sql`CASE WHEN c.authored & 2 THEN c.summary ELSE ${written} END`;
  /** Not if another run of the model has written the same. */
  const isDifferent = (writtenTags: Sql, writtenSummary: Sql) => sql`
    (${tags(writtenTags)}, ${summary(writtenSummary)}, ${model}) IS NOT (c.tags, c.summary, c.enriched_by)`;
  return {
    events: recordedEventsOfMany(
      nowMs,
      sql`SELECT c.organization_id AS organization_id, 'memory.updated' AS type, c.id AS subject_id ${enriched}`,
    ),
    versions: keptVersions(
      sql`${enriched}
          CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
          WHERE ${isDifferent(sql`new.value -> 'tags'`, sql`new.value ->> 'summary'`)}`,
      { nowMs, changesContent: sql`FALSE` },
    ),
    // Without MATERIALIZED, the planner reads all conversations.
    memories: nothing(sql`
      WITH written AS MATERIALIZED (
        SELECT c.row_key AS id, new.value -> 'tags' AS tags, new.value ->> 'summary' AS summary ${enriched})
      UPDATE conversations AS c
         SET tags = ${tags(sql`written.tags`)}, summary = ${summary(sql`written.summary`)}, enriched_by = ${model},
             ${nextVersionIf(isDifferent(sql`written.tags`, sql`written.summary`), null, nowMs)}, version = version + 1
        FROM written
       WHERE c.row_key = written.id`),
  } satisfies Statements;
}

const failedJobs = (list: string): Statement<void> =>
  nothing(sql`
    UPDATE operations SET failed = failed + ended.jobs
      FROM (SELECT j.organization_id AS organization_id, j.operation_id AS operation_id, count(*) AS jobs
              ${answeredJobs(list)} AND j.pass < 3 AND NOT ${HAS_HELD_MEMORY} GROUP BY j.organization_id, j.operation_id) AS ended
     WHERE operations.organization_id = ended.organization_id AND operations.id = ended.operation_id
       AND operations.canceled_at_ms IS NULL`);

export async function hasDueEnrichmentJobs(
  db: D1Database,
  { nowMs, round }: { nowMs: number; round: Round },
): Promise<boolean> {
  const line = roundRobin(dueJobs(nowMs), { ...round, rowsMax: 1 });
  return (
    (await run(
      db,
      row(sql`${line} SELECT 1 FROM line LIMIT 1`, () => true),
    )) !== null
  );
}

export const updateDelayed = (db: D1Database, job: EnrichmentJob, dueAtMs: number): Promise<void> =>
  run(
    db,
    nothing(sql`
      UPDATE enrichment_jobs SET due_at_ms = ${dueAtMs}
       WHERE organization_id = ${job.organizationId} AND memory_id = ${job.memoryId} AND due_at_ms IS NOT NULL`),
  );

/** Makes claimed jobs that were not tried due again at `dueAtMs`, and takes back the attempt that the claim counted. */
export function updateUntried(db: D1Database, untried: EnrichmentJob[], dueAtMs: number): Promise<void> {
  const list = JSON.stringify(untried.map(({ organizationId, memoryId }) => [organizationId, memoryId]));
  return run(
    db,
    nothing(sql`
      UPDATE enrichment_jobs SET attempts = max(0, attempts - 1), due_at_ms = ${dueAtMs}
       WHERE (organization_id, memory_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${list}))
         AND due_at_ms IS NOT NULL`),
  );
}

/**
 * Starts the second pass of backfills whose first pass is done. Deletes the jobs of a backfill once all of them are
 * finished: until then, their suggested tags are the vocabulary of the second pass. Marks backfills as completed that
 * have queued all memories and have no jobs left. One statement changes at most `limit` jobs.
 */
export async function updateBackfills(
  db: D1Database,
  operationIds: string[],
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<void> {
  if (operationIds.length === 0) return;
  const ids = JSON.stringify(operationIds);
  const jobs = (pass: Sql, waiting: Sql) => sql`
    SELECT j.rowid FROM json_each(${ids}) AS o
     CROSS JOIN enrichment_jobs AS j ON j.operation_id = o.value AND j.pass = ${pass}
     WHERE NOT EXISTS (SELECT 1 FROM enrichment_jobs AS w WHERE w.operation_id = o.value AND ${waiting})
     LIMIT ${limit}`;
  const isCompleted = sql`type = 'enrich_memories' AND completed_at_ms IS NULL AND filter IS NULL
    AND id IN (SELECT value FROM json_each(${ids}))
    AND NOT EXISTS (SELECT 1 FROM enrichment_jobs AS j WHERE j.operation_id = operations.id)`;
  await batch(db, {
    // A job of the first pass has a due time until its suggested tags are stored.
    secondPass: nothing(sql`
      UPDATE enrichment_jobs SET pass = 2, due_at_ms = ${nowMs}, attempts = 0
       WHERE rowid IN (${jobs(sql`1`, sql`w.pass = 1 AND w.due_at_ms >= 0`)})`),
    deleted: nothing(sql`DELETE FROM enrichment_jobs WHERE rowid IN (${jobs(sql`3`, sql`w.pass < 3`)})`),
    events: recordedEventsOfMany(
      nowMs,
      sql`SELECT organization_id, 'operation.updated' AS type, id AS subject_id FROM operations
           WHERE ${isCompleted} AND canceled_at_ms IS NULL`,
    ),
    completed: nothing(sql`
      UPDATE operations SET completed_at_ms = ${nowMs}, done = coalesce(done, total) WHERE ${isCompleted}`),
  });
}
