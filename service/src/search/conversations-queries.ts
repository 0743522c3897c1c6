import {
  pageOrder,
  pageTables,
  type Scan,
  type ScanLimits,
  scanEnd,
  scannedMatches,
  scanTable,
} from "../filters/scans-queries.ts";
import { batch, onlyRow, rows, run, sql } from "../platform/sql.ts";
import type { SearchScope } from "./filters-queries.ts";
import { readNumbers } from "./postings-queries.ts";

const scansOf = ({ owner, filter }: SearchScope, limits: ScanLimits): Scan[] =>
  (filter.corpora ?? ["conversations"]).map((corpus) => ({
    owner,
    access: "read",
    corpus,
    filter,
    sort: "updated_at",
    order: "desc",
    after: null,
    limits,
  }));

/**
 * Ids of the conversations that the filter excludes. Many can only have the same external id, of many agents and users.
 */
export const selectExcludedConversations = (
  db: D1Database,
  { owner, filter: { exclude_conversation: name } }: SearchScope,
  limit: number,
): Promise<string[]> =>
  name === undefined
    ? Promise.resolve([])
    : run(
        db,
        rows(
          sql`SELECT c.id AS id FROM conversations AS c
               WHERE c.organization_id = ${owner.organizationId} AND c.id = ${name}
              UNION ALL
              SELECT c.id FROM conversations AS c
               WHERE c.organization_id = ${owner.organizationId} AND c.external_id = ${name} AND c.deleted_at_ms IS NULL
               LIMIT ${limit}`,
          ({ id }: { id: string }) => id,
        ),
      );

export interface AllowedConversations<Name> {
  allowed: Name[];
  /**
   * False if matching conversations may be missing, because a scan reached its limit or more of them match than were
   * requested.
   */
  isWhole: boolean;
}

/** Ids of the conversations that match the filter, the last changed first. */
export async function selectFilteredConversations(
  db: D1Database,
  scope: SearchScope,
  limit: number,
  limits: ScanLimits,
): Promise<AllowedConversations<string>> {
  const pages = await batch(
    db,
    scansOf(scope, limits).map((scan) =>
      rows(
        sql`WITH ${pageTables(scan, limit)}
            SELECT page.id AS id, page.sort_value AS sort_value, reached.scan_end AS scan_end
              FROM reached LEFT JOIN page ON TRUE ORDER BY ${pageOrder(scan)}`,
        (row: { id: string | null; sort_value: number; scan_end: string | null }) => row,
      ),
    ),
  );
  const found = pages.flat();
  const ids = found.sort((a, b) => b.sort_value - a.sort_value).flatMap(({ id }) => id ?? []);
  return {
    allowed: ids.slice(0, limit),
    isWhole: ids.length <= limit && found.every(({ scan_end }) => scan_end === null),
  };
}

export async function selectAllowedConversations(
  db: D1Database,
  scope: SearchScope,
  limits: ScanLimits,
): Promise<AllowedConversations<number>> {
  const lists = await batch(
    db,
    scansOf(scope, limits).map((scan) =>
      onlyRow(
        sql`WITH ${scanTable(scan)}
            SELECT (SELECT group_concat(scan.row_key) ${scannedMatches(scan)}) AS row_keys, (${scanEnd(scan)}) AS scan_end`,
        (row: { row_keys: string | null; scan_end: string | null }) => row,
      ),
    ),
  );
  return {
    allowed: lists.flatMap(({ row_keys }) => readNumbers(row_keys ?? "")),
    isWhole: lists.every(({ scan_end }) => scan_end === null),
  };
}
