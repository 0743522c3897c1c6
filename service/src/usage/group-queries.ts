import type { UsageDimension, UsageGroup } from "@engram/spec";
import { toJsonLists } from "../platform/batch.ts";
import { and, batch, given, joined, rows, run, type Sql, sql } from "../platform/sql.ts";
import { countedWithin } from "../platform/totals.ts";
import { eachAmount, operationsOfRow, sumsOfLists } from "./queries.ts";

/** The values of an item in the order of its dimensions; empty for null. */
export type GroupPosition = string[];

interface Dimension {
  name: Sql;
  /** Its text in a row of `usage`, or of its JSON by operation as `counted`; empty for none. */
  value: Sql;
  isNewestFirst: boolean;
}

const DIMENSIONS: Record<UsageDimension, Dimension> = {
  day: { name: sql`day`, value: sql`usage.day`, isNewestFirst: true },
  key: { name: sql`key_id`, value: sql`usage.key_id`, isNewestFirst: false },
  operation: {
    name: sql`operation`,
    value: sql`substr(counted.key, 1, instr(counted.key || ' ', ' ') - 1)`,
    isNewestFirst: false,
  },
  tool: {
    name: sql`tool`,
    value: sql`substr(counted.key, instr(counted.key || ' ', ' ') + 1)`,
    isNewestFirst: false,
  },
  user: { name: sql`user_id`, value: sql`coalesce(key_user.user_id, '')`, isNewestFirst: false },
};

/** A key that is bound to a user. */
interface UserOfKey {
  key: string;
  user: string;
}

interface Days {
  organizationId: string;
  from: string | null;
  to: string | null;
  keyId: string | null;
}

const rowsBetween = ({ organizationId, from, to }: Days): Sql => sql`
  FROM usage WHERE organization_id = ${organizationId}
   AND day BETWEEN coalesce(${from}, '0000-01-01') AND coalesce(${to}, '9999-12-31')`;

/**
 * The keys of the rows between the days that are bound to a user. Reads the keys by themselves, because no query joins
 * them with the tables of the data.
 */
export async function selectUsersOfKeys(
  db: D1Database,
  { rowsMax, ...days }: Days & { rowsMax: number },
): Promise<UserOfKey[]> {
  const keys = await run(
    db,
    rows(
      sql`SELECT DISTINCT key_id FROM (SELECT key_id ${rowsBetween(days)} LIMIT ${rowsMax}) WHERE key_id <> ''`,
      ({ key_id }: { key_id: string }) => key_id,
    ),
  );
  const users = await batch(
    db,
    toJsonLists(keys).map((list) =>
      rows(
        sql`SELECT k.id AS key, k.user_id AS user FROM json_each(${list}) AS listed
             CROSS JOIN api_keys AS k ON k.organization_id = ${days.organizationId} AND k.id = listed.value
             WHERE k.user_id IS NOT NULL`,
        (row: UserOfKey) => row,
      ),
    ),
  );
  return users.flat();
}

/** The table `key_user` of these keys. */
const keyUsers = (users: UserOfKey[]): Sql => {
  const lists = toJsonLists(users).map(
    (list) => sql`SELECT value ->> 'key' AS key_id, value ->> 'user' AS user_id FROM json_each(${list})`,
  );
  return sql`key_user AS MATERIALIZED (
    ${lists.length === 0 ? sql`SELECT NULL AS key_id, NULL AS user_id` : joined(lists, sql` UNION ALL `)})`;
};

const ROW_SUMS = eachAmount((column) => sql`sum(${column}) AS ${column}`);
const OPERATION_SUMS = sumsOfLists(sql`counted.value`);

/**
 * Sums of usage. Reads at most `rowsMax` rows between the days: `isWhole` is false if there are more, and the sums
 * are then of some of them.
 *
 * @param by in the order of the list, each dimension once, and at least one.
 */
export async function selectUsageGroups(
  db: D1Database,
  input: Days & {
    by: readonly UsageDimension[];
    /** Of keys that are bound to a user, if the sums are by user. */
    users: UserOfKey[];
    after: GroupPosition | null;
    limit: number;
    rowsMax: number;
  },
): Promise<{ groups: UsageGroup[]; isWhole: boolean }> {
  const { keyId, by, after, limit, rowsMax } = input;
  const dimensions = by.map((dimension) => DIMENSIONS[dimension]);
  const isSplit = by.includes("operation") || by.includes("tool");
  const isByUser = by.includes("user");
  const range = rowsBetween(input);
  const values = list(dimensions.map(({ name, value }) => sql`${value} AS ${name}`));
  const groups = sql`
    SELECT ${values}, ${isSplit ? OPERATION_SUMS : ROW_SUMS}
      FROM (SELECT * ${range} LIMIT ${rowsMax}) AS usage
           ${isByUser ? sql`LEFT JOIN key_user ON key_user.key_id = usage.key_id` : sql``}
           ${isSplit ? sql`JOIN json_each(${operationsOfRow}) AS counted` : sql``}
     WHERE ${and(given(keyId, (id) => sql`usage.key_id = ${id}`))}
     GROUP BY ${list(dimensions.map(({ value }) => value))}`;
  const order = list(dimensions.map(({ name, isNewestFirst }) => (isNewestFirst ? sql`${name} DESC` : name)));
  const shown = list(dimensions.map(({ name }) => sql`nullif(${name}, '') AS ${name}`));
  const found = await batch(db, {
    rows: countedWithin(rowsMax, sql`SELECT 1 ${range}`),
    groups: rows(
      sql`${isByUser ? sql`WITH ${keyUsers(input.users)}` : sql``} SELECT ${shown}, ${eachAmount((column) => column)}
            FROM (${groups}) WHERE ${after === null ? sql`TRUE` : comesAfter(dimensions, after)}
           ORDER BY ${order} LIMIT ${limit}`,
      (group: UsageGroup) => group,
    ),
  });
  return { groups: found.groups, isWhole: found.rows !== null };
}

const list = (pieces: readonly Sql[]): Sql => joined(pieces, sql`, `);

/** Whether a row comes after the position, in the order of the dimensions. */
function comesAfter([first, ...more]: readonly Dimension[], [value = "", ...values]: GroupPosition): Sql {
  if (first === undefined) return sql`FALSE`;
  const { name, isNewestFirst } = first;
  const isBeyond = isNewestFirst ? sql`${name} < ${value}` : sql`${name} > ${value}`;
  return sql`(${isBeyond} OR (${name} = ${value} AND ${comesAfter(more, values)}))`;
}
