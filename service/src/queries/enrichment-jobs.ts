import { type ContentEncoding, decodeText } from "../text/compression.ts";
import type { Owner } from "./batch.ts";
import {
  type ConversationFilter,
  conversationConditions,
  existing,
  toWhere,
} from "./conversation-filters.ts";

/** After so many attempts, some five hours, a note is left without what a model would write. */
export const ENRICHMENT_ATTEMPTS_MAX = 64;
/** Memories whose tags make the vocabulary, the newest, and tags in it. */
const VOCABULARY_MEMORIES = 1_000;
const VOCABULARY_TAGS = 50;

/** A memory that a text model is to describe. */
export interface EnrichmentJob {
  organizationId: string;
  memoryId: string;
  operationId: string | null;
  /** 1 drafts tags for the vocabulary, 2 writes. */
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

/** Memories of which a model may still write something: tags and summary are not both a person's. */
const UNWRITTEN = "authored <> 3";

/** The statement that queues those of these memories of which a model may write something. */
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

/**
 * The statement that queues the owner's memories for a backfill: those that a model may write something of,
 * and that this one has not. What waits behind its capture is not the backfill's, which can be called off, but
 * waits no longer; nor is what another backfill is at.
 */
export function insertBackfillJobs(
  db: D1Database,
  input: { owner: Owner; filter: ConversationFilter; model: string; operationId: string; nowMs: number },
): D1PreparedStatement {
  const where = toWhere(conversationConditions(input.owner, input.filter), 5);
  return db
    .prepare(
      `INSERT INTO enrichment_jobs (organization_id, memory_id, operation_id, pass, due_at_ms)
       SELECT ?1, c.id, ?2, 1, ?3 FROM conversations AS c
        WHERE ${existing({ corpora: ["memories"] })} AND c.${UNWRITTEN} AND c.enriched_by IS NOT ?4 AND ${where.sql}
       ON CONFLICT (organization_id, memory_id) DO UPDATE
          SET due_at_ms = excluded.due_at_ms, attempts = 0 WHERE operation_id IS NULL`,
    )
    .bind(input.owner.organizationId, input.operationId, input.nowMs, input.model, ...where.binds);
}

/** Take jobs of an organization, or of all, that are due until `untilMs`, longest waiting first; of one memory twice does no harm. */
export async function claimEnrichmentJobs(
  db: D1Database,
  input: { organizationId: string | null; nowMs: number; untilMs: number; limit: number },
): Promise<EnrichmentJob[]> {
  const due = `SELECT rowid FROM enrichment_jobs
    WHERE due_at_ms <= ?1 AND (?3 IS NULL OR organization_id = ?3) ORDER BY due_at_ms, rowid LIMIT ?2`;
  const [read] = await db.batch<JobRow>([
    db
      .prepare(
        `SELECT j.organization_id, j.memory_id, j.operation_id, j.pass, j.attempts, c.agent_id, c.content_hash,
                m.content, m.content_encoding
           FROM (${due}) AS next
          CROSS JOIN enrichment_jobs AS j ON j.rowid = next.rowid
          CROSS JOIN conversations AS c ON c.organization_id = j.organization_id AND c.id = j.memory_id
                     AND c.deleted_at_ms IS NULL
          CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id`,
      )
      .bind(input.nowMs, input.limit, input.organizationId),
    db
      .prepare(`UPDATE enrichment_jobs SET due_at_ms = ?4, attempts = attempts + 1 WHERE rowid IN (${due})`)
      .bind(input.nowMs, input.limit, input.organizationId, input.untilMs),
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
 * The tags that a memory's are chosen from where they fit, most frequent first: those of the organization's newest
 * memories, or in a backfill the drafts for them. An agent's memory gets no hint of what other agents remember.
 */
export async function selectVocabulary(
  db: D1Database,
  { organizationId, agentId, operationId }: Pick<EnrichmentJob, "organizationId" | "agentId" | "operationId">,
): Promise<string[]> {
  const visible = agentId === null ? "?2 IS NULL" : "c.agent_id = ?2";
  const drafts = `SELECT j.draft AS tags FROM enrichment_jobs AS j
    CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = j.memory_id AND ${visible}
    WHERE j.organization_id = ?1 AND j.operation_id = ?3`;
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

/** Ends a job of a capture, and marks one of a backfill as done. That of another content is yet to be done. */
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

/** Write what a model says of a memory, unless a person has, or its content is another by now; its job is done. */
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

/** Keep the tags of the first pass; none when the model gave none. */
export async function updateDrafted(db: D1Database, job: EnrichmentJob, tags: string[]): Promise<void> {
  await db
    .prepare(
      `UPDATE enrichment_jobs SET draft = ?4, due_at_ms = NULL
        WHERE organization_id = ?1 AND memory_id = ?2 AND operation_id = ?3 AND pass = 1`,
    )
    .bind(job.organizationId, job.memoryId, job.operationId, JSON.stringify(tags))
    .run();
}

/** Whether a memory waits to be described. */
export async function hasDueEnrichmentJobs(db: D1Database, nowMs: number): Promise<boolean> {
  const due = db.prepare("SELECT 1 FROM enrichment_jobs WHERE due_at_ms <= ?1 LIMIT 1").bind(nowMs);
  return (await due.first()) !== null;
}

/** Give a memory up, of which the model says nothing usable. */
export async function updateUnenriched(db: D1Database, job: EnrichmentJob): Promise<void> {
  await endJob(db, job).run();
}

/** Try a job again later. */
export async function updateDelayed(db: D1Database, job: EnrichmentJob, dueAtMs: number): Promise<void> {
  await db
    .prepare(
      "UPDATE enrichment_jobs SET due_at_ms = ?3 WHERE organization_id = ?1 AND memory_id = ?2 AND due_at_ms IS NOT NULL",
    )
    .bind(job.organizationId, job.memoryId, dueAtMs)
    .run();
}

/** Give jobs back that were claimed and not tried, with their attempt. */
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

/** Begin the second pass of every backfill whose first is through, and forget the jobs of those that are done. */
export async function updateBackfills(db: D1Database, nowMs: number): Promise<void> {
  const running = (condition: string) =>
    `(SELECT j.operation_id FROM enrichment_jobs AS j
       WHERE j.operation_id IS NOT NULL GROUP BY j.operation_id HAVING ${condition})`;
  await db.batch([
    db
      .prepare(
        `UPDATE enrichment_jobs SET pass = 2, due_at_ms = ?1, attempts = 0
          WHERE pass = 1 AND operation_id IN ${running("min(j.draft IS NOT NULL) = 1")}`,
      )
      .bind(nowMs),
    db
      .prepare(
        `UPDATE operations SET completed_at_ms = ?1, done = coalesce(done, total)
          WHERE type = 'enrich_memories' AND completed_at_ms IS NULL
            AND NOT EXISTS (SELECT 1 FROM enrichment_jobs AS j WHERE j.operation_id = operations.id AND j.pass <> 3)`,
      )
      .bind(nowMs),
    db.prepare(`DELETE FROM enrichment_jobs WHERE operation_id IN ${running("min(j.pass) = 3")}`),
  ]);
}
