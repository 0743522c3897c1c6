import type { Corpus } from "@engram/spec";
import type { ServiceLimits } from "../limits.ts";
import type { Owner } from "./batch.ts";
import {
  type Condition,
  type ConversationFilter,
  comparesJson,
  conversationConditions,
  createdBetween,
  existing,
  given,
  ROWS_OF,
  toWhere,
} from "./conversation-filters.ts";

export type ScanSort = "created_at" | "updated_at" | "message_count";
const COLUMNS: Record<ScanSort, string> = {
  created_at: "c.created_at_ms",
  updated_at: "c.updated_at_ms",
  message_count: "c.message_count",
};

export interface ListPosition {
  /** The value of the sort column. Ties are ordered by id. */
  value: number;
  id: string;
}

export type ScanLimits = Pick<ServiceLimits, "filteredConversations" | "scannedConversations">;

export interface Scan {
  owner: Owner;
  corpus: Corpus;
  filter: ConversationFilter;
  /** Limits the scan to one conversation. */
  conversationId?: string | undefined;
  sort: ScanSort;
  order: "asc" | "desc";
  after: ListPosition | DeletionPosition | null;
  limits: ScanLimits;
}

/** Continues from the stored position of the bulk deletion with this id. */
export interface DeletionPosition {
  operationId: string;
}

/** The number of conversations that one statement reads with this filter. */
export const scanLength = (filter: ConversationFilter, limits: ScanLimits): number =>
  comparesJson(filter) ? limits.filteredConversations : limits.scannedConversations;

/** SQL of a scan. The organization is bound at `?1`. */
interface ScanSql {
  /** A common table expression with the rows read: `number`, `sort_value`, `id`. */
  scan: string;
  /** FROM and WHERE that join `scan` with its conversations, `c`, and keep those that exist and match. */
  allowed: string;
  binds: unknown[];
  direction: "ASC" | "DESC";
}

/**
 * Scans the first rows of an index after a position, at most `scanLength`, whether or not they match the
 * filter and `more`.
 */
export function scanOf(
  { owner, corpus, filter, conversationId, sort, order, after, limits }: Scan,
  more: Condition[] = [],
): ScanSql {
  const column = COLUMNS[sort];
  const [direction, beyond] = order === "asc" ? (["ASC", ">"] as const) : (["DESC", "<"] as const);
  const range = toWhere(
    [
      ...ownersOf(owner, corpus, filter, sort),
      ...given("c.id = $", conversationId),
      ...given("c.external_id = $ AND c.deleted_at_ms IS NULL", filter.externalId),
      ...(sort === "created_at" ? createdBetween(restOf(filter, after, order)) : []),
      ...afterOf(after, filter, (value, id) => `(${column}, c.id) ${beyond} (${value}, ${id})`),
    ],
    2,
  );
  const where = toWhere([...conversationConditions(owner, filter), ...more], 2 + range.binds.length);
  return {
    scan: `scan AS NOT MATERIALIZED (
        SELECT c.number AS number, ${column} AS sort_value, c.id AS id FROM conversations AS c
         WHERE c.organization_id = ?1 AND ${ROWS_OF[corpus]} AND ${range.sql}
         ORDER BY ${column} ${direction}, c.id ${direction} LIMIT ${scanLength(filter, limits)})`,
    allowed: `FROM scan CROSS JOIN conversations AS c ON c.number = scan.number
         WHERE ${existing({ corpora: [corpus] })} AND ${where.sql}`,
    binds: [owner.organizationId, ...range.binds, ...where.binds],
    direction,
  };
}

/**
 * Common table expressions: `scan`, then `page` with its first matching rows, then `reached`, the value for
 * `toPosition`.
 */
export function pageOf(scan: Scan, limit: number): { tables: string; binds: unknown[]; order: string } {
  const { scan: scanned, allowed, binds, direction } = scanOf(scan);
  return {
    // One row more than the page shows whether there is another page.
    tables: `${scanned},
      page AS MATERIALIZED (
        SELECT scan.number AS number, scan.sort_value AS sort_value, scan.id AS id ${allowed}
         ORDER BY scan.sort_value ${direction}, scan.id ${direction} LIMIT ${limit + 1}),
      reached AS (
        SELECT CASE WHEN (SELECT count(*) FROM page) <= ${limit} THEN (${endOf(scan)}) END AS scan_end)`,
    binds,
    order: `page.sort_value ${direction}, page.id ${direction}`,
  };
}

/** The position of the last row of a scan as JSON; null when the list ends within the scan. */
export const endOf = ({ filter, limits }: Scan): string =>
  `SELECT json_array(sort_value, id) FROM scan LIMIT 1 OFFSET ${scanLength(filter, limits) - 1}`;

/** Parses the result of `endOf`. */
export function toPosition(json: string | null): ListPosition | null {
  if (json === null) return null;
  const [value, id] = JSON.parse(json) as [number, string];
  return { value, id };
}

/**
 * Counts all items of the list that match the filter. The count is null when one scan does not reach the end
 * of the list.
 */
export function totalOf(db: D1Database, list: Scan): D1PreparedStatement {
  const { owner, corpus, filter } = list;
  if (conversationConditions(owner, filter).length === 0) {
    return db
      .prepare(`SELECT ${COUNTERS[corpus]} AS total FROM organization_counters WHERE organization_id = ?1`)
      .bind(owner.organizationId);
  }
  const whole: Scan = { ...list, sort: "created_at", after: null };
  const { scan, allowed, binds } = scanOf(whole);
  return db
    .prepare(
      `WITH ${scan}
       SELECT CASE WHEN (${endOf(whole)}) IS NULL THEN (SELECT count(*) ${allowed}) END AS total`,
    )
    .bind(...binds);
}

export const readTotal = (result: D1Result<unknown> | undefined): number | null =>
  (result?.results as { total: number | null }[] | undefined)?.[0]?.total ?? null;

const COUNTERS = { conversations: "conversation_count", memories: "memory_count" };

/**
 * The bounds of a filter without the one that a position replaces. With both, SQLite may enter the index at the bound
 * and read every row from there to the position.
 */
const restOf = (
  filter: ConversationFilter,
  after: Scan["after"],
  order: Scan["order"],
): ConversationFilter =>
  after === null
    ? filter
    : { ...filter, [order === "asc" ? "createdAfterMs" : "createdBeforeMs"]: undefined };

/**
 * A bulk deletion stores its position as JSON. Before its first step, the position is null: the first row that its
 * filter may match.
 */
function afterOf(
  after: Scan["after"],
  { createdAfterMs }: ConversationFilter,
  beyond: (value: string, id: string) => string,
): Condition[] {
  if (after === null) return [];
  if ("id" in after) return given(beyond("$ ->> 0", "$ ->> 1"), [after.value, after.id]);
  const position = "SELECT coalesce(filter_position, $ -> 1) FROM operations WHERE id = $ ->> 0";
  const begin = [createdAfterMs ?? Number.MIN_SAFE_INTEGER, ""];
  return given(beyond(`(${position}) ->> 0`, `(${position}) ->> 1`), [after.operationId, begin]);
}

/**
 * Conditions that use an index by user or by agent. Those indexes have no order by message count.
 *
 * The likelihood makes SQLite prefer the index of the agent over that of all memories between two times.
 */
function ownersOf(owner: Owner, corpus: Corpus, filter: ConversationFilter, sort: ScanSort): Condition[] {
  if (sort === "message_count") return [];
  if (corpus === "conversations" && filter.userId !== undefined) return given("c.user_id = $", filter.userId);
  const condition = corpus === "memories" ? "likelihood(c.agent_id = $, 0.001)" : "c.agent_id = $";
  return given(condition, owner.agentId ?? filter.agentId);
}
