import type { MemoryVersion } from "@engram/spec";
import { type Owner, toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import { ITEM_BYTES } from "../platform/pages.ts";
import { columns, literal, row, rows, type Statement, sql } from "../platform/sql.ts";
import { STORED_AT, VERSION_COLUMNS } from "../versions/queries.ts";
import { toVersion, VERSION_BYTES, type VersionRow } from "./fields.ts";
import { isMemory, MEMORY_CONTENT } from "./queries.ts";

type Stored = Omit<VersionRow, "content"> & {
  version: number;
  changed_by: string | null;
  stored_at_ms: number;
};

/** The current version. The content of an earlier one may be that of this one. */
export const currentVersion = (
  owner: Owner,
  id: string,
): Statement<(Stored & Pick<VersionRow, "content">) | null> =>
  row(
    sql`SELECT c.version, ${columns(VERSION_COLUMNS, "c")}, m.content, m.content_encoding, m.parts, c.changed_by,
               ${STORED_AT} AS stored_at_ms
          FROM conversations AS c CROSS JOIN ${MEMORY_CONTENT} WHERE ${isMemory(owner, id)}`,
    (current: Stored & Pick<VersionRow, "content">) => current,
  );

/** `content` is null if it is that of the current version. */
export type EarlierVersion = Stored & {
  content: string | null;
  replaced_at_ms: number;
  /** Number of versions before the size limit is applied. */
  found: number;
};

/** The earlier versions with a number below `before`, newest first: at least one if there is any. */
export const earlierVersions = (
  owner: Owner,
  id: string,
  { before, limit, bytesMax }: { before: number; limit: number; bytesMax: number },
): Statement<EarlierVersion[]> =>
  rows(
    sql`WITH found AS MATERIALIZED (
          SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS bytes
            FROM (SELECT v.rowid AS id, v.version AS version,
                         ${literal(ITEM_BYTES)} + v.content_bytes + ${VERSION_BYTES}
                         + coalesce(octet_length(v.parts), 0) AS bytes
                    FROM conversations AS c
                   CROSS JOIN memory_versions AS v ON v.organization_id = c.organization_id AND v.memory_id = c.id
                   WHERE ${isMemory(owner, id)} AND v.version < ${before}
                   ORDER BY v.version DESC LIMIT ${limit})
          WINDOW newest AS (ORDER BY version DESC))
        SELECT v.version, ${columns(VERSION_COLUMNS, "v")}, s.content, s.content_encoding, v.parts, v.changed_by,
               v.stored_at_ms, v.replaced_at_ms, (SELECT count(*) FROM found) AS found
          FROM found CROSS JOIN memory_versions AS v ON v.rowid = found.id
          LEFT JOIN memory_versions AS s ON s.rowid = CASE WHEN v.content IS NOT NULL THEN v.rowid ELSE
                    (SELECT k.rowid FROM memory_versions AS k
                      WHERE k.organization_id = v.organization_id AND k.memory_id = v.memory_id
                        AND k.content_hash = v.content_hash AND k.content IS NOT NULL LIMIT 1) END
         WHERE v.organization_id = ${owner.organizationId} AND (found.bytes <= ${bytesMax} OR found.place = 1)
         ORDER BY found.place`,
    (version: EarlierVersion) => version,
  );

export const withContentOf =
  (current: Pick<VersionRow, "content" | "content_encoding">) =>
  ({ content, ...version }: EarlierVersion) =>
    content === null
      ? { ...version, content: current.content, content_encoding: current.content_encoding }
      : { ...version, content };

export const toMemoryVersion = async (
  version: Stored & { content: string; replaced_at_ms: number | null },
): Promise<MemoryVersion> => ({
  version: version.version,
  ...(await toVersion(version)),
  key_id: version.changed_by,
  stored_at: toTimestamp(version.stored_at_ms),
  replaced_at: toTimestampOrNull(version.replaced_at_ms),
});
