import type { Corpus } from "@engram/spec";
import type { ServiceLimits } from "../limits.ts";
import { type Access, isOfReader, type Owner } from "../platform/batch.ts";
import type { ListPosition } from "../platform/cursors.ts";
import { and, conditionsOf, given, joined, onlyRow, type Sql, type Statement, sql } from "../platform/sql.ts";
import { conversationsAt, type Moment } from "./moments-queries.ts";
import {
  CONVERSATION_CONDITIONS,
  type ConversationFilter,
  citing,
  comparesJson,
  containing,
  createdBetween,
  EXTERNAL_IDS,
  matchingConditions,
  narrowedVisibility,
  ROWS_OF,
  undeleted,
} from "./queries.ts";

/** `expires_at` is only the order in which what has expired is deleted. */
export type ScanSort = "created_at" | "updated_at" | "last_message_at" | "expires_at";
const COLUMNS: Record<ScanSort, Sql> = {
  created_at: sql`c.created_at_ms`,
  updated_at: sql`c.updated_at_ms`,
  last_message_at: sql`c.last_message_at_ms`,
  expires_at: sql`c.expires_at_ms`,
};
const DIRECTIONS = { asc: sql`ASC`, desc: sql`DESC` };

export type ScanLimits = Pick<ServiceLimits, "filteredConversations" | "scannedConversations">;

export interface Scan {
  owner: Owner;
  /** Whether the rows are those that the owner may read, or those that it may change. */
  access: Access;
  corpus: Corpus;
  filter: ConversationFilter;
  sort: ScanSort;
  order: "asc" | "desc";
  after: ListPosition | DeletionPosition | null;
  /** Only what was stored by then, as it was. The list must be sorted by the time of creation, which never changes. */
  moment?: Moment | null;
  limits: ScanLimits;
}

/** An operation that reads a list in steps. Its row stores where the last step ended. */
export interface DeletionPosition {
  operationId: string;
}

export const scanLength = (filter: ConversationFilter, limits: ScanLimits): number =>
  comparesJson(filter) ? limits.filteredConversations : limits.scannedConversations;

/**
 * CTE `scan`: reads at most `scanLength` rows, whether they match the filter or not. This limits the cost
 * of a request.
 */
export function scanTable(scan: Scan): Sql {
  const { owner, corpus, filter, sort, order, after, limits } = scan;
  const column = COLUMNS[sort];
  const direction = DIRECTIONS[order];
  const range = [
    sql`c.organization_id = ${owner.organizationId}`,
    ROWS_OF[corpus],
    ...given(filter.conversation_id, (id) => sql`c.id = ${id}`),
    ...containing(owner, filter),
    ...given(filter.external_id, (id) => sql`${EXTERNAL_IDS[corpus]} = ${id} AND c.deleted_at_ms IS NULL`),
    ...(sort === "created_at" ? createdBetween(withoutBound(filter, after, order)) : []),
    // The partial indexes have no other rows.
    ...(sort === "expires_at" ? [sql`c.expires_at_ms IS NOT NULL`, sql`c.held_by IS NULL`] : []),
    // The scan ends with what is due.
    ...dueBy(filter),
    ...given(after, (position) => sql`(${column}, c.id) ${BEYOND[order]} (${startOf(position, filter)})`),
  ];
  const [memories, ...others] = citing(owner, filter);
  // Joined, because SQLite would take a condition by ids only after it has read all rows of the list.
  const citedBy =
    memories === undefined
      ? sql``
      : sql`(${joined([sql`SELECT DISTINCT memory_id FROM (${memories})`, ...others], sql` INTERSECT `)}) AS citing CROSS JOIN`;
  if (memories !== undefined) range.push(sql`c.id = citing.memory_id`);
  const parts = partsOf(scan).map(
    ({ index, conditions }) => sql`
    SELECT c.row_key AS row_key, ${column} AS sort_value, c.id AS id FROM ${citedBy} conversations AS c ${index}
     WHERE ${and([...range, ...conditions])}`,
  );
  // SQLite merges two parts that each are in order, and reads only as many rows as it needs.
  return sql`scan AS NOT MATERIALIZED (${joined(parts, sql` UNION ALL `)}
     ORDER BY sort_value ${direction}, id ${direction} LIMIT ${scanLength(filter, limits)})`;
}

export const scannedMatches = ({ owner, access, corpus, filter, moment }: Scan, more: Sql[] = []): Sql => sql`
  FROM scan CROSS JOIN ${conversationsAt(moment)} AS c ON c.row_key = scan.row_key
  WHERE ${and([
    undeleted(owner.organizationId, { corpora: [corpus] }),
    ...matchingConditions(access, owner, filter),
    ...more,
  ])}`;

/**
 * CTEs: `scan`; `page` with its first matching rows; `reached`, one row with the column `scan_end`. This is the
 * last row of the scan as JSON for `toPosition`, or null if more than `limit` rows match, or if the list
 * ends within the scan.
 */
export const pageTables = (scan: Scan, limit: number): Sql => sql`
  ${scanTable(scan)},
  -- One row more than the page shows whether there is another page.
  page AS MATERIALIZED (
    SELECT scan.row_key AS row_key, scan.sort_value AS sort_value, scan.id AS id ${scannedMatches(scan)}
     ORDER BY scan.sort_value ${DIRECTIONS[scan.order]}, scan.id ${DIRECTIONS[scan.order]} LIMIT ${limit + 1}),
  reached AS (SELECT CASE WHEN (SELECT count(*) FROM page) <= ${limit} THEN (${scanEnd(scan)}) END AS scan_end)`;

export const pageOrder = ({ order }: Scan): Sql =>
  sql`page.sort_value ${DIRECTIONS[order]}, page.id ${DIRECTIONS[order]}`;

/** The last row of the scan, as JSON. Null if the list ends within the scan. */
export const scanEnd = ({ filter, limits }: Scan): Sql =>
  sql`SELECT json_array(sort_value, id) FROM scan LIMIT 1 OFFSET ${scanLength(filter, limits) - 1}`;

export function toPosition(json: string | null): ListPosition | null {
  if (json === null) return null;
  const [value, id] = JSON.parse(json) as [number, string];
  return { value, id };
}

/** Number of items in the list; null if one scan does not reach the end of the list. */
export function totalOfList(list: Scan): Statement<number | null> {
  const { owner, access, corpus, filter } = list;
  const toTotal = ({ total }: { total: number | null }) => total;
  if (!list.moment && matchingConditions(access, owner, filter).length === 0) {
    return onlyRow(
      sql`SELECT ${COUNTERS[corpus]} AS total FROM organization_counters
           WHERE organization_id = ${owner.organizationId}`,
      toTotal,
    );
  }
  const whole: Scan = { ...list, sort: "created_at", after: null };
  return onlyRow(
    sql`WITH ${scanTable(whole)}
        SELECT CASE WHEN (${scanEnd(whole)}) IS NULL THEN (SELECT count(*) ${scannedMatches(whole)}) END AS total`,
    toTotal,
  );
}

/** The condition of a filter by the time of which the list is in order. */
const dueBy = ({ expired_at, updated_before, last_message_before }: ConversationFilter): Sql[] =>
  conditionsOf(
    CONVERSATION_CONDITIONS,
    { expired_at, updated_before, last_message_before },
    { expired_at, updated_before, last_message_before },
  );

const BY_EXTERNAL_ID = {
  conversations: sql`INDEXED BY conversations_by_external_id`,
  memories: sql`INDEXED BY memories_by_external_id`,
};
const COUNTERS = { conversations: sql`conversation_count`, memories: sql`memory_count` };
const BEYOND = { asc: sql`>`, desc: sql`<` };

/**
 * Removes the time bound that the start position of the scan implies. With both conditions, SQLite may read every
 * row between the bound and the position.
 */
const withoutBound = (
  filter: ConversationFilter,
  after: Scan["after"],
  order: Scan["order"],
): ConversationFilter =>
  after === null ? filter : { ...filter, [order === "asc" ? "created_after" : "created_before"]: undefined };

function startOf(after: ListPosition | DeletionPosition, { created_after }: ConversationFilter): Sql {
  if ("id" in after) {
    const position = JSON.stringify([after.value, after.id]);
    return sql`${position} ->> 0, ${position} ->> 1`;
  }
  // Before its first step, an operation has no position. It starts with the first row that can match.
  const first = JSON.stringify([
    created_after === undefined ? Number.MIN_SAFE_INTEGER : Date.parse(created_after),
    "",
  ]);
  const position = sql`(SELECT coalesce(filter_position, ${first}) FROM operations WHERE id = ${after.operationId})`;
  return sql`${position} ->> 0, ${position} ->> 1`;
}

/** Rows that one index has in the order of the list. */
interface ScanPart {
  index: Sql;
  conditions: Sql[];
}

/**
 * The parts of a list, which have no row in common: rows by user or by agent, and for a reader also those that are shared.
 * The list is one part if a filter names few rows, or if it is sorted by the last message or by expiry, because the other indexes are
 * sorted by other times.
 */
function partsOf({ owner, access, corpus, filter, sort }: Scan): ScanPart[] {
  // The other indexes match the filter as well, but in them rows with other external ids come between.
  const index = filter.external_id === undefined ? sql`` : BY_EXTERNAL_ID[corpus];
  const all = (conditions: Sql[]): ScanPart[] => [{ index, conditions }];
  if (sort === "last_message_at" || sort === "expires_at") return all([]);
  // Makes SQLite use the index rather than that of all memories by time.
  const likely = (condition: Sql) =>
    corpus === "memories" ? sql`likelihood(${condition}, 0.001)` : condition;
  const ofUser = (id: string) => [likely(sql`c.user_id = ${id}`)];
  const namesFew = [
    ...[filter.conversation_id, filter.message_id, filter.external_id],
    ...[filter.source_conversation_id, filter.source_message_id],
  ].some((name) => name !== undefined);
  const visibility = narrowedVisibility(filter.visibility);
  const reader = access === "read" ? (filter.for_user ?? owner.userId) : null;
  const user = filter.user_id ?? (access === "write" ? owner.userId : null);
  if (user !== null) return all(ofUser(user));
  if (namesFew) return all(given(reader, (id) => isOfReader(id, sql`c.`)));
  const shared: ScanPart = {
    index: sql`INDEXED BY ${SHARED_INDEXES[corpus][sort]}`,
    conditions: [sql`c.shared = 1`],
  };
  if (visibility === "shared") return [shared];
  if (reader !== null) return [...all(ofUser(reader)), ...(visibility === "own" ? [] : [shared])];
  return all(given(owner.agentId ?? filter.agent_id, (id) => likely(sql`c.agent_id = ${id}`)));
}

const SHARED_INDEXES = {
  conversations: {
    created_at: sql`conversations_shared_by_created`,
    updated_at: sql`conversations_shared_by_updated`,
  },
  memories: { created_at: sql`memories_shared_by_created`, updated_at: sql`memories_shared_by_updated` },
};
