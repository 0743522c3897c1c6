import type { Usage } from "@engram/spec";
import { toJsonLists } from "../platform/batch.ts";
import { scannedPage } from "../platform/scans.ts";
import { batch, columns, joined, literal, nothing, type Sql, type Statement, sql } from "../platform/sql.ts";

export type UsageAmounts = Omit<Usage, "day" | "key_id">;

export interface UsageCount extends UsageAmounts {
  organization_id: string;
  /** Date in UTC, such as 2026-11-02. */
  day: string;
  /** Empty for background work that no request started. */
  key_id: string;
  /** When the key was last used; 0 if these counts include no request. */
  last_used_at_ms: number;
  /** The amounts by operation and tool, each in the order of {@link AMOUNTS}. */
  operations: Record<string, number[]>;
}

/** The amounts of a row. A later version of the service adds names at the end, because the JSON by operation lists them. */
export const AMOUNTS = [
  "requests",
  "messages",
  "message_bytes",
  "searches",
  "embeddings",
  "errors",
] as const satisfies (keyof UsageAmounts)[];
const AMOUNT_COLUMNS = columns(AMOUNTS);
/** Each amount, computed by `toSql` from its column and its place in the JSON by operation. */
export const eachAmount = (toSql: (column: Sql, place: number) => Sql): Sql =>
  joined(
    AMOUNTS.map((name, place) => toSql(columns([name]), place)),
    sql`, `,
  );
/** The sums of the amounts of one JSON list. Lists of earlier versions are shorter. */
export const sumsOfLists = (list: Sql): Sql =>
  eachAmount((column, place) => sql`coalesce(sum(${list} ->> ${literal(place)}), 0) AS ${column}`);

/**
 * The JSON by operation of the row in `usage`. Counts of a version without it are of no known operation.
 */
export const operationsOfRow = sql`coalesce(usage.operations, json_object('', json_array(${AMOUNT_COLUMNS})))`;

export async function upsertUsage(db: D1Database, counts: UsageCount[]): Promise<void> {
  await batch(
    db,
    toJsonLists(counts).map((list) => [addedUsage(list), usedKeys(list)]),
  );
}

/** Both JSON objects, with the amounts of the same name added. */
const addedOperations = sql`(
  SELECT json_group_object(name, json_array(${AMOUNT_COLUMNS}))
    FROM (SELECT key AS name, ${sumsOfLists(sql`value`)}
            FROM (SELECT key, value FROM json_each(${operationsOfRow})
                  UNION ALL SELECT key, value FROM json_each(excluded.operations))
           GROUP BY key))`;

/** Leaves out counts of organizations that were removed since the counts were made. */
const addedUsage = (list: string): Statement<void> =>
  nothing(sql`
    INSERT INTO usage
      (organization_id, day, key_id, ${AMOUNT_COLUMNS}, operations)
    SELECT new.value ->> 'organization_id', new.value ->> 'day', new.value ->> 'key_id',
           ${eachAmount((column) => sql`new.value ->> '${column}'`)}, new.value -> 'operations'
      FROM json_each(${list}) AS new
     WHERE EXISTS (SELECT 1 FROM organization_counters WHERE organization_id = new.value ->> 'organization_id')
        ON CONFLICT (organization_id, day, key_id) DO UPDATE
       SET ${eachAmount((column) => sql`${column} = ${column} + excluded.${column}`)}, operations = ${addedOperations}`);

const usedKeys = (list: string): Statement<void> =>
  nothing(sql`
    UPDATE api_keys SET last_used_at_ms = max(coalesce(last_used_at_ms, 0), used.at_ms)
      FROM (SELECT value ->> 'organization_id' AS organization_id, value ->> 'key_id' AS key_id,
                   max(value ->> 'last_used_at_ms') AS at_ms
              FROM json_each(${list}) WHERE value ->> 'last_used_at_ms' > 0 GROUP BY 1, 2) AS used
     WHERE api_keys.organization_id = used.organization_id AND api_keys.id = used.key_id`);

export type UsagePosition = [day: string, keyId: string];

export async function selectUsage(
  db: D1Database,
  input: {
    organizationId: string;
    from: string | null;
    to: string | null;
    keyId: string | null;
    after: UsagePosition | null;
    limit: number;
    rowsMax: number;
  },
): Promise<{ usage: Usage[]; scanEnd: UsagePosition | null }> {
  const { organizationId, from, to, keyId, limit, rowsMax } = input;
  const range = sql`organization_id = ${organizationId}
    AND day BETWEEN coalesce(${from}, '0000-01-01') AND coalesce(${to}, '9999-12-31')`;
  const filter = keyId === null ? null : sql`key_id = ${keyId}`;
  const [day, dayKeyId] = input.after ?? [null, null];
  const page = await batch(
    db,
    scannedPage(
      {
        columns: sql`day, nullif(key_id, '') AS key_id, ${AMOUNT_COLUMNS}`,
        table: sql`usage`,
        range: sql`${range} AND (${day} IS NULL OR (day, usage.key_id) < (${day}, ${dayKeyId}))`,
        order: sql`day DESC, usage.key_id DESC`,
        filter,
        position: sql`day, usage.key_id AS key_id`,
        limit,
        rowsMax,
      },
      (row: Usage) => row,
      ({ day: lastDay, key_id }: { day: string; key_id: string }): UsagePosition => [lastDay, key_id],
    ),
  );
  return { usage: page.items, scanEnd: page.scanEnd };
}
