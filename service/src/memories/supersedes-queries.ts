import { hasHolds, isHeldAnywhere } from "../holds/queries.ts";
import { isReadable, isWritable, type Owner } from "../platform/batch.ts";
import { recordedEvents } from "../platform/recorded-events.ts";
import { assertThat, nothing, type Sql, type Statements, sql } from "../platform/sql.ts";
import { keptVersions, nextVersion } from "../versions/queries.ts";
import { type MemoryRecord, sameMemory, toIdentity } from "./captures-queries.ts";
import { MEMORY_CONTENT } from "./queries.ts";

/** The records that supersede a memory, as JSON. */
const toSuperseding = (records: MemoryRecord[], nowMs: number): string =>
  JSON.stringify(
    records.map((record) => ({
      ...toIdentity(record),
      supersedes: record.supersedes,
      until_ms: record.valid_from_ms ?? nowMs,
    })),
  );

/** The memory `old` that `new` supersedes: another one of its agent and user, which the caller may read. */
const superseded = (owner: Owner): Sql => sql`
  conversations AS old ON old.organization_id = ${owner.organizationId} AND old.id = new.value ->> 'supersedes'
  AND old.deleted_at_ms IS NULL AND old.kind <> 'conversation' AND ${isWritable(owner, sql`old.`)}
  AND coalesce(old.agent_id, '') = coalesce(new.value ->> 'agent_id', '')
  AND coalesce(old.user_id, '') = coalesce(new.value ->> 'user_id', '')`;

/**
 * Must run before the records are inserted. Fails the batch with `not_found` if a memory to supersede is not there, with
 * `shared_read_only` if it is shared and the key is bound to a user, and with `content_conflict` if a record is stored
 * already, unless the same capture has stored it, and with `held` if a memory that it would end is held.
 */
export function assertSupersedable(owner: Owner, records: MemoryRecord[], nowMs: number) {
  const each = sql`SELECT 1 FROM json_each(${toSuperseding(records, nowMs)}) AS new`;
  const stored = sameMemory(owner.organizationId);
  return {
    readOnly:
      owner.userId === null
        ? null
        : assertThat(
            "shared_read_only",
            sql`NOT EXISTS (
                  ${each} CROSS JOIN conversations AS old
                      ON old.organization_id = ${owner.organizationId} AND old.id = new.value ->> 'supersedes'
                   WHERE old.deleted_at_ms IS NULL AND old.kind <> 'conversation' AND old.shared = 1
                     AND ${isReadable(owner, sql`old.`)})`,
          ),
    found: assertThat(
      "not_found",
      sql`NOT EXISTS (
            ${each}
             WHERE NOT EXISTS (SELECT 1 FROM (SELECT 1) CROSS JOIN ${superseded(owner)}
                                WHERE NOT EXISTS (SELECT 1 FROM (SELECT 1) CROSS JOIN ${stored}
                                                   WHERE c.row_key = old.row_key))
               AND NOT EXISTS (SELECT 1 FROM (SELECT 1) CROSS JOIN ${stored}
                                WHERE c.supersedes = new.value ->> 'supersedes'))`,
    ),
    notHeld: assertThat(
      "held",
      sql`NOT (${hasHolds(owner.organizationId)} AND EXISTS (
            ${each} CROSS JOIN ${superseded(owner)}
             WHERE ${isHeldAnywhere(sql`old`)}
               AND NOT EXISTS (SELECT 1 FROM (SELECT 1) CROSS JOIN ${stored} WHERE c.id = old.superseded_by)))`,
    ),
    isNew: assertThat(
      "content_conflict",
      sql`NOT EXISTS (
            ${each} CROSS JOIN ${stored}
             WHERE c.content_hash = new.value ->> 'content_hash'
               AND c.supersedes IS NOT new.value ->> 'supersedes')`,
    ),
  } satisfies Statements;
}

/**
 * Ends the memories that the records supersede, and keeps their versions before. Must run after the records are
 * inserted. Changes none that an earlier capture of the same record has ended.
 */
export function supersededMemories(
  owner: Owner,
  records: MemoryRecord[],
  { keyId, nowMs }: { keyId: string; nowMs: number },
) {
  const { organizationId } = owner;
  // If several records supersede one memory, the last one is its successor.
  const ending = sql`
    (SELECT old.row_key AS row_key, old.id AS id, c.id AS successor, new.value ->> 'until_ms' AS until_ms,
            max(new.key) AS place
       FROM json_each(${toSuperseding(records, nowMs)}) AS new
      CROSS JOIN ${superseded(owner)} CROSS JOIN ${sameMemory(organizationId)}
      WHERE old.superseded_by IS NOT c.id GROUP BY old.row_key) AS ending`;
  return {
    kept: keptVersions(
      sql`FROM ${ending} CROSS JOIN conversations AS c ON c.row_key = ending.row_key CROSS JOIN ${MEMORY_CONTENT}`,
      { nowMs, changesContent: sql`FALSE` },
    ),
    events: recordedEvents(
      organizationId,
      nowMs,
      sql`SELECT 'memory.updated' AS type, id AS subject_id, NULL AS first_sequence, NULL AS last_sequence
            FROM ${ending} ORDER BY place`,
    ),
    ended: nothing(sql`
      UPDATE conversations AS c
         SET superseded_by = ending.successor,
             valid_until_ms = min(coalesce(c.valid_until_ms, ending.until_ms), ending.until_ms),
             ${nextVersion(keyId, nowMs)}, version = version + 1, updated_at_ms = ${nowMs}
        FROM ${ending}
       WHERE c.row_key = ending.row_key AND +c.organization_id = ${organizationId}`),
  } satisfies Statements;
}
