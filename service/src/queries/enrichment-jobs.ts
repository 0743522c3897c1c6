import { type ContentEncoding, decodeText } from "../text/compression.ts";
import { existing, given } from "./conversation-filters.ts";
import { endOf, type Scan, type ScanLimits, scanOf } from "./conversation-scans.ts";
import type { SteppedOperation } from "./operations.ts";
import { byTurns, type Turns, toBinds } from "./turns.ts";

/** After this number of attempts, about five hours, a memory stays without generated fields. */
export const ENRICHMENT_ATTEMPTS_MAX = 64;
/**
 * Limits of the vocabulary: newest memories whose tags count, jobs of a backfill whose drafts count, and
 * tags.
 */
const VOCABULARY_MEMORIES = 1_000;
const VOCABULARY_JOBS = 5_000;
const VOCABULARY_TAGS = 50;

export interface EnrichmentJob {
  organizationId: string;
  memoryId: string;
  operationId: string | null;
  /** 1 drafts tags for the vocabulary, 2 writes tags and summary. */
  pass: 1 | 2;
  attempts: number;
  agentId: string | null;
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
  content_hash: string;
  content: string;
  content_encoding: ContentEncoding | null;
}

/** Memories with a field that a model may write: the caller did not provide both tags and summary. */
const UNWRITTEN = "authored <> 3";

/** Queues those of the memories that have a field that a model may write. */
export const insertEnrichmentJobs = (
  db: D1Database,
  input: { organizationId: string; ids: string[]; nowMs: number },
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO enrichment_jobs (organization_id, memory_id, pass, due_at_ms)
       SELECT ?1, c.id, 2, ?3 FROM json_each(?2) AS new
        CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = new.value AND c.${UNWRITTEN}
        WHERE TRUE
       ON CONFLICT (organization_id, memory_id) DO UPDATE
          SET pass = 2, operation_id = NULL, draft = NULL, due_at_ms = excluded.due_at_ms, attempts = 0`,
    )
    .bind(input.organizationId, JSON.stringify(input.ids), input.nowMs);

export type Backfill = Pick<SteppedOperation, "owner" | "id" | "filter">;

/**
 * One step of a backfill. Reads the next memories, oldest first, queues those that the model may describe and
 * has not described, and stores the position. The last statement returns `is_done`, or no row once the
 * backfill was canceled.
 *
 * A job that a capture queued becomes due now. It stays separate from the backfill, so that canceling the
 * backfill does not drop it. A job of another backfill is left unchanged.
 */
export function queueBackfillStep(
  db: D1Database,
  { owner, id, filter }: Backfill,
  { model, nowMs, limits }: { model: string; nowMs: number; limits: ScanLimits },
): D1PreparedStatement[] {
  const list: Scan = {
    owner,
    corpus: "memories",
    filter,
    sort: "created_at",
    order: "asc",
    after: { operationId: id },
    limits,
  };
  const { scan, allowed, binds } = scanOf(
    list,
    given("c.number <= (SELECT last_number FROM operations WHERE filter IS NOT NULL AND id = $)", id),
  );
  const place = (i: number) => `?${binds.length + i}`;
  return [
    db
      .prepare(
        `WITH ${scan}
         INSERT INTO enrichment_jobs (organization_id, memory_id, operation_id, pass, due_at_ms)
         SELECT ?1, c.id, ${place(1)}, 1, ${place(2)} ${allowed} AND c.${UNWRITTEN} AND c.enriched_by IS NOT ${place(3)}
         ON CONFLICT (organization_id, memory_id) DO UPDATE
            SET due_at_ms = excluded.due_at_ms, attempts = 0 WHERE operation_id IS NULL`,
      )
      .bind(...binds, id, nowMs, model),
    db
      .prepare(
        `WITH ${scan},
         step AS (
           SELECT (${endOf(list)}) AS position,
                  (SELECT count(*) FROM scan
                    CROSS JOIN enrichment_jobs AS j ON j.organization_id = ?1 AND j.memory_id = scan.id
                    WHERE j.operation_id = ${place(1)}) AS queued)
         UPDATE operations
            SET filter_position = step.position,
                filter = CASE WHEN step.position IS NULL THEN NULL ELSE filter END,
                total = total + step.queued
           FROM step
          WHERE operations.organization_id = ?1 AND operations.id = ${place(1)} AND filter IS NOT NULL
         RETURNING operations.filter IS NULL AS is_done`,
      )
      .bind(...binds, id),
  ];
}

/** Whether a backfill has any job left, whether done or not. */
export async function hasBackfillJobs(db: D1Database, id: string): Promise<boolean> {
  const row = await db
    .prepare("SELECT 1 FROM enrichment_jobs WHERE operation_id = ?1 LIMIT 1")
    .bind(id)
    .first();
  return row !== null;
}

/** Jobs that are due at ?1, for `byTurns`. */
const DUE = {
  table: "enrichment_jobs",
  all: "due_at_ms IS NOT NULL",
  waits: () => "due_at_ms <= ?1",
  order: "due_at_ms, rowid",
};

/** The same for one organization, ?4. */
const DUE_OF_ONE = `WITH line AS MATERIALIZED (
  SELECT rowid AS id, row_number() OVER (ORDER BY due_at_ms, rowid) AS position, 0 AS turn
    FROM (SELECT rowid, due_at_ms FROM enrichment_jobs
           WHERE organization_id = ?4 AND due_at_ms <= ?1 ORDER BY due_at_ms, rowid LIMIT ?2))`;

/**
 * Claims due jobs until `untilMs`: of one organization, or of all round-robin, longest waiting first.
 * Claiming a memory twice does no harm.
 *
 * @param input.bytesMax maximum bytes of content read in total, in equal shares per organization. The first
 *   memory is claimed even if it is larger.
 */
export async function claimEnrichmentJobs(
  db: D1Database,
  input: {
    organizationId: string | null;
    nowMs: number;
    untilMs: number;
    limit: number;
    bytesMax: number;
    turns: Turns;
  },
): Promise<EnrichmentJob[]> {
  const line = input.organizationId === null ? byTurns(DUE, 4) : DUE_OF_ONE;
  const whose = input.organizationId === null ? toBinds(input.turns) : [input.organizationId];
  const untilPlace = `?${4 + whose.length}`;
  // A deleted memory has no content to read. Its job waits for the purge.
  const next = `${line},
    sized AS MATERIALIZED (
      SELECT line.id, line.position, line.turn, m.number AS message_number, coalesce(m.content_bytes, 0) AS bytes
        FROM (SELECT * FROM line ORDER BY position, turn LIMIT ?2) AS line
       CROSS JOIN enrichment_jobs AS j ON j.rowid = line.id
        LEFT JOIN conversations AS c ON c.organization_id = j.organization_id AND c.id = j.memory_id
                  AND c.deleted_at_ms IS NULL
        LEFT JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id),
    shared AS (
      SELECT *, sum(bytes) OVER (PARTITION BY turn ORDER BY position) AS bytes_of_turn,
             (SELECT count(DISTINCT turn) FROM sized) AS turns FROM sized),
    next AS MATERIALIZED (
      SELECT id, message_number, sum(bytes) OVER (ORDER BY position, turn) AS bytes,
             row_number() OVER (ORDER BY position, turn) AS place
        FROM shared WHERE position = 1 OR bytes_of_turn <= ?3 / turns)`;
  const isTaken = "(next.bytes <= ?3 OR next.place = 1)";
  const binds = [input.nowMs, input.limit, input.bytesMax, ...whose];
  const [read] = await db.batch<JobRow>([
    db
      .prepare(
        `${next}
         SELECT j.organization_id, j.memory_id, j.operation_id, j.pass, j.attempts, c.agent_id, c.content_hash,
                m.content, m.content_encoding
           FROM next
          CROSS JOIN enrichment_jobs AS j ON j.rowid = next.id
          CROSS JOIN conversations AS c ON c.organization_id = j.organization_id AND c.id = j.memory_id
          CROSS JOIN messages AS m ON m.number = next.message_number AND m.organization_id = j.organization_id
          WHERE ${isTaken} ORDER BY next.place`,
      )
      .bind(...binds),
    db
      .prepare(
        `${next}
         UPDATE enrichment_jobs SET due_at_ms = ${untilPlace}, attempts = attempts + 1
          WHERE rowid IN (SELECT id FROM next WHERE ${isTaken})`,
      )
      .bind(...binds, input.untilMs),
  ]);
  return Promise.all(
    (read?.results ?? []).map(async (row) => ({
      organizationId: row.organization_id,
      memoryId: row.memory_id,
      operationId: row.operation_id,
      pass: row.pass,
      attempts: row.attempts + 1,
      agentId: row.agent_id,
      contentHash: row.content_hash,
      content: await decodeText(row.content, row.content_encoding),
    })),
  );
}

/**
 * Existing tags that a model should prefer, most frequent first: those of the organization's newest memories,
 * or in a backfill its drafts. For an agent's memory only that agent's tags are used, so that they reveal
 * nothing of other agents.
 */
export async function selectVocabulary(
  db: D1Database,
  { organizationId, agentId, operationId }: Pick<EnrichmentJob, "organizationId" | "agentId" | "operationId">,
): Promise<string[]> {
  const visible = agentId === null ? "?2 IS NULL" : "c.agent_id = ?2";
  const drafts = `SELECT j.draft AS tags
     FROM (SELECT memory_id, draft FROM enrichment_jobs
            WHERE operation_id = ?3 AND organization_id = ?1 LIMIT ${VOCABULARY_JOBS}) AS j
    CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = j.memory_id AND ${visible}`;
  const newest = `SELECT c.tags AS tags FROM conversations AS c
    WHERE ${existing({ corpora: ["memories"] })} AND ${visible} AND ?3 IS NULL
    ORDER BY c.created_at_ms DESC, c.id DESC LIMIT ${VOCABULARY_MEMORIES}`;
  const { results } = await db
    .prepare(
      `SELECT tag.value AS tag FROM (${operationId === null ? newest : drafts}) AS noted
        CROSS JOIN json_each(noted.tags) AS tag
        GROUP BY tag.value ORDER BY count(*) DESC, tag.value LIMIT ${VOCABULARY_TAGS}`,
    )
    .bind(organizationId, agentId, operationId)
    .all<{ tag: string }>();
  return results.map(({ tag }) => tag);
}

/**
 * Deletes a capture's job, or marks a backfill's as done. A capture's job stays if the content has changed
 * since.
 */
const endJob = (db: D1Database, job: EnrichmentJob): D1PreparedStatement =>
  job.operationId === null
    ? db
        .prepare(
          `DELETE FROM enrichment_jobs
            WHERE organization_id = ?1 AND memory_id = ?2 AND operation_id IS NULL
              AND EXISTS (SELECT 1 FROM conversations
                           WHERE organization_id = ?1 AND id = ?2 AND content_hash = ?3)`,
        )
        .bind(job.organizationId, job.memoryId, job.contentHash)
    : db
        .prepare(
          `UPDATE enrichment_jobs SET pass = 3, due_at_ms = NULL
            WHERE organization_id = ?1 AND memory_id = ?2 AND operation_id = ?3`,
        )
        .bind(job.organizationId, job.memoryId, job.operationId);

/**
 * Writes the model's fields of a memory and ends the job. Fields that the caller provided stay. Writes
 * nothing if the content has changed since.
 */
export async function updateEnriched(
  db: D1Database,
  job: EnrichmentJob,
  enriched: { model: string; summary: string; tags: string[] },
): Promise<void> {
  await db.batch([
    db
      .prepare(
        `UPDATE conversations
            SET tags = CASE WHEN authored & 1 THEN tags ELSE ?4 END,
                summary = CASE WHEN authored & 2 THEN summary ELSE ?5 END,
                enriched_by = ?6, version = version + 1
          WHERE organization_id = ?1 AND id = ?2 AND content_hash = ?3 AND deleted_at_ms IS NULL AND ${UNWRITTEN}`,
      )
      .bind(
        job.organizationId,
        job.memoryId,
        job.contentHash,
        JSON.stringify(enriched.tags),
        enriched.summary,
        enriched.model,
      ),
    endJob(db, job),
  ]);
}

/** Stores the tags of the first pass; an empty list when the model gave none. */
export async function updateDrafted(db: D1Database, job: EnrichmentJob, tags: string[]): Promise<void> {
  await db
    .prepare(
      `UPDATE enrichment_jobs SET draft = ?4, due_at_ms = NULL
        WHERE organization_id = ?1 AND memory_id = ?2 AND operation_id = ?3 AND pass = 1`,
    )
    .bind(job.organizationId, job.memoryId, job.operationId, JSON.stringify(tags))
    .run();
}

export async function hasDueEnrichmentJobs(
  db: D1Database,
  input: { nowMs: number; turns: Turns },
): Promise<boolean> {
  const turns = { ...input.turns, rowsMax: 1 };
  const due = db
    .prepare(`${byTurns(DUE, 2)} SELECT 1 FROM line LIMIT 1`)
    .bind(input.nowMs, ...toBinds(turns));
  return (await due.first()) !== null;
}

/** Ends the job of a memory for which the model returned nothing usable. */
export async function updateUnenriched(db: D1Database, job: EnrichmentJob): Promise<void> {
  await endJob(db, job).run();
}

export async function updateDelayed(db: D1Database, job: EnrichmentJob, dueAtMs: number): Promise<void> {
  await db
    .prepare(
      "UPDATE enrichment_jobs SET due_at_ms = ?3 WHERE organization_id = ?1 AND memory_id = ?2 AND due_at_ms IS NOT NULL",
    )
    .bind(job.organizationId, job.memoryId, dueAtMs)
    .run();
}

/** Returns jobs that were claimed but not tried. The attempt does not count. */
export async function updateUnasked(
  db: D1Database,
  unasked: EnrichmentJob[],
  dueAtMs: number,
): Promise<void> {
  const list = JSON.stringify(unasked.map(({ organizationId, memoryId }) => [organizationId, memoryId]));
  await db
    .prepare(
      `UPDATE enrichment_jobs SET attempts = max(0, attempts - 1), due_at_ms = ?2
        WHERE (organization_id, memory_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))
          AND due_at_ms IS NOT NULL`,
    )
    .bind(list, dueAtMs)
    .run();
}

/**
 * Starts the second pass of backfills whose first is complete, deletes the jobs of backfills that are done,
 * and completes those. Changes at most `limit` jobs per statement.
 */
export async function updateBackfills(
  db: D1Database,
  operationIds: string[],
  input: { nowMs: number; limit: number },
): Promise<void> {
  if (operationIds.length === 0) return;
  const ids = JSON.stringify(operationIds);
  const jobs = (pass: 1 | 3, waiting: string) =>
    `SELECT j.rowid FROM json_each(?1) AS o
      CROSS JOIN enrichment_jobs AS j ON j.operation_id = o.value AND j.pass = ${pass}
      WHERE NOT EXISTS (SELECT 1 FROM enrichment_jobs AS w WHERE w.operation_id = o.value AND ${waiting})
      LIMIT ?2`;
  await db.batch([
    db
      .prepare(
        // A job of the first pass has a due time until its draft is stored.
        `UPDATE enrichment_jobs SET pass = 2, due_at_ms = ?3, attempts = 0
          WHERE rowid IN (${jobs(1, "w.pass = 1 AND w.due_at_ms >= 0")})`,
      )
      .bind(ids, input.limit, input.nowMs),
    db
      .prepare(`DELETE FROM enrichment_jobs WHERE rowid IN (${jobs(3, "w.pass < 3")})`)
      .bind(ids, input.limit),
    db
      .prepare(
        `UPDATE operations SET completed_at_ms = ?2, done = coalesce(done, total)
          WHERE type = 'enrich_memories' AND completed_at_ms IS NULL AND filter IS NULL
            AND id IN (SELECT value FROM json_each(?1))
            AND NOT EXISTS (SELECT 1 FROM enrichment_jobs AS j WHERE j.operation_id = operations.id)`,
      )
      .bind(ids, input.nowMs),
  ]);
}
