import { columns, nothing, type Sql, type Statement, sql } from "../platform/sql.ts";

/** Columns that a version has in common with the row of its memory. */
export const VERSION_COLUMNS = [
  ...(["kind", "source", "user_id", "tags", "summary", "metadata"] as const),
  ...(["valid_from_ms", "valid_until_ms", "occurred_at_ms", "supersedes", "superseded_by"] as const),
  ...(["enriched_by", "content_hash", "created_at_ms"] as const),
];

/** Time when the current version of the memory `c` with the message `m` was stored. */
export const STORED_AT = sql`coalesce(c.changed_at_ms, m.updated_at_ms, m.stored_at_ms)`;

/** Time when the version after that of `c` is stored. Never earlier, even if the clock of another Worker is ahead. */
const nextStoredAt = (nowMs: number): Sql => sql`max(${nowMs}, coalesce(c.changed_at_ms, 0))`;

/** Assignments for the row `c` of a memory that gets its next version. `keyId` is null for a text model. */
export const nextVersion = (keyId: string | null, nowMs: number): Sql =>
  sql`changed_by = ${keyId}, changed_at_ms = ${nextStoredAt(nowMs)}`;

/** The same if a condition is true. Otherwise the version stays the same. */
export const nextVersionIf = (isDifferent: Sql, keyId: string | null, nowMs: number): Sql => sql`
  changed_by = CASE WHEN ${isDifferent} THEN ${keyId} ELSE c.changed_by END,
  changed_at_ms = CASE WHEN ${isDifferent} THEN ${nextStoredAt(nowMs)} ELSE c.changed_at_ms END`;

const KEPT_COLUMNS = columns([
  ...["organization_id", "memory_id", "version", "authored", ...VERSION_COLUMNS],
  ...["content", "content_encoding", "content_bytes", "parts"],
  ...["changed_by", "stored_at_ms", "replaced_at_ms"],
]);

/**
 * Keeps memories as they are, as earlier versions. Must run in the batch of their change, before it.
 *
 * The content is kept only if it changes, so that a change of the tags of a megabyte costs no megabyte. A version
 * without content has that of the memory or of another version, with the same hash: the change that removes it from the
 * memory keeps it.
 *
 * @param memories `FROM` and `WHERE` with the memories as `c`, and their messages as `m`.
 * @param changesContent whether the content of `c` changes.
 */
export const keptVersions = (
  memories: Sql,
  { nowMs, changesContent }: { nowMs: number; changesContent: Sql },
): Statement<void> =>
  nothing(sql`
    INSERT INTO memory_versions (${KEPT_COLUMNS})
    SELECT c.organization_id, c.id, c.version, c.authored, ${columns(VERSION_COLUMNS, "c")},
           CASE WHEN ${changesContent} THEN m.content END,
           CASE WHEN ${changesContent} THEN m.content_encoding END, m.content_bytes, m.parts,
           c.changed_by, ${STORED_AT}, ${nextStoredAt(nowMs)}
      ${memories}`);
