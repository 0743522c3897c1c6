import type { Usage } from "@engram/spec";
import { toJsonLists } from "../platform/batch.ts";
import { scannedPage } from "../platform/scans.ts";
import { batch, nothing, type Statement, sql } from "../platform/sql.ts";

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

/** The amounts of a row, in the order in which its JSON by operation lists them. */
export const AMOUNTS = sql`requests, messages, message_bytes, searches, embeddings`;

/**
 * The JSON by operation of the row in `usage`. Counts of a version without it are of no known operation.
 */
export const operationsOfRow = sql`coalesce(usage.operations, json_object('', json_array(${AMOUNTS})))`;

export async function upsertUsage(db: D1Database, counts: UsageCount[]): Promise<void> {
  await batch(
    db,
    toJsonLists(counts).map((list) => [addedUsage(list), usedKeys(list)]),
  );
}

/** Both JSON objects, with the amounts of the same name added. */
const addedOperations = sql`(
  SELECT json_group_object(name, json_array(requests, messages, message_bytes, searches, embeddings))
    FROM (SELECT key AS name, sum(value ->> 0) AS requests, sum(value ->> 1) AS messages,
                 sum(value ->> 2) AS message_bytes, sum(value ->> 3) AS searches, sum(value ->> 4) AS embeddings
            FROM (SELECT key, value FROM json_each(${operationsOfRow})
                  UNION ALL SELECT key, value FROM json_each(excluded.operations))
           GROUP BY key))`;

/** Leaves out counts of organizations that were removed since the counts were made. */
const addedUsage = (list: string): Statement<void> =>
  nothing(sql`
    INSERT INTO usage
      (organization_id, day, key_id, requests, messages, message_bytes, searches, embeddings, operations)
    SELECT new.value ->> 'organization_id', new.value ->> 'day', new.value ->> 'key_id', new.value ->> 'requests',
           new.value ->> 'messages', new.value ->> 'message_bytes', new.value ->> 'searches',
           new.value ->> 'embeddings', new.value -> 'operations'
      FROM json_each(${list}) AS new
     WHERE EXISTS (SELECT 1 FROM organization_counters WHERE organization_id = new.value ->> 'organization_id')
        ON CONFLICT (organization_id, day, key_id) DO UPDATE
       SET requests = requests + excluded.requests, messages = messages + excluded.messages,
           message_bytes = message_bytes + excluded.message_bytes, searches = searches + excluded.searches,
           embeddings = embeddings + excluded.embeddings, operations = ${addedOperations}`);

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
        columns: sql`day, nullif(key_id, '') AS key_id, requests, messages, message_bytes, searches, embeddings`,
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
