import type { Usage } from "@engram/spec";
import { toJsonLists } from "./batch.ts";

/** The counted amounts, in the units of the contract. */
export type UsageAmounts = Omit<Usage, "day" | "key_id">;

export interface UsageCount extends UsageAmounts {
  organization_id: string;
  /** In UTC: 2026-11-02. */
  day: string;
  /** Empty for background work that no key requested. */
  key_id: string;
  /** 0 when no request used the key. */
  last_used_at_ms: number;
}

/**
 * Adds counts of any number of organizations to the stored usage, and updates when their keys were last used.
 */
export async function upsertUsage(db: D1Database, counts: UsageCount[]): Promise<void> {
  // The organization may have been purged since. Its usage must not be created again.
  const add = `INSERT INTO usage
       (organization_id, day, key_id, requests, messages, message_bytes, searches, embeddings)
     SELECT new.value ->> 'organization_id', new.value ->> 'day', new.value ->> 'key_id', new.value ->> 'requests',
            new.value ->> 'messages', new.value ->> 'message_bytes', new.value ->> 'searches',
            new.value ->> 'embeddings'
       FROM json_each(?1) AS new
      WHERE EXISTS (SELECT 1 FROM organization_counters WHERE organization_id = new.value ->> 'organization_id')
         ON CONFLICT (organization_id, day, key_id) DO UPDATE
        SET requests = requests + excluded.requests, messages = messages + excluded.messages,
            message_bytes = message_bytes + excluded.message_bytes, searches = searches + excluded.searches,
            embeddings = embeddings + excluded.embeddings`;
  const use = `UPDATE api_keys SET last_used_at_ms = max(coalesce(last_used_at_ms, 0), used.at_ms)
       FROM (SELECT value ->> 'organization_id' AS organization_id, value ->> 'key_id' AS key_id,
                    max(value ->> 'last_used_at_ms') AS at_ms
               FROM json_each(?1) WHERE value ->> 'last_used_at_ms' > 0 GROUP BY 1, 2) AS used
      WHERE api_keys.organization_id = used.organization_id AND api_keys.id = used.key_id`;
  const lists = toJsonLists(counts);
  await db.batch(lists.flatMap((list) => [db.prepare(add).bind(list), db.prepare(use).bind(list)]));
}

export type UsagePosition = [day: string, keyId: string];

/** Usage of the organization, newest day first, after a position. Counts all matching rows if requested. */
export async function selectUsage(
  db: D1Database,
  input: {
    organizationId: string;
    from: string | null;
    to: string | null;
    keyId: string | null;
    after: UsagePosition | null;
    limit: number;
    withTotal: boolean;
  },
): Promise<{ usage: Usage[]; total: number | undefined }> {
  const filters = [input.organizationId, input.from, input.to, input.keyId];
  const where = `organization_id = ?1 AND day BETWEEN coalesce(?2, '0000-01-01') AND coalesce(?3, '9999-12-31')
             AND (?4 IS NULL OR key_id = ?4)`;
  const statements = [
    db
      .prepare(
        `SELECT day, nullif(key_id, '') AS key_id, requests, messages, message_bytes, searches, embeddings
           FROM usage
          WHERE ${where} AND (?5 IS NULL OR (day, usage.key_id) < (?5, ?6))
          ORDER BY day DESC, usage.key_id DESC LIMIT ?7`,
      )
      .bind(...filters, ...(input.after ?? [null, null]), input.limit),
  ];
  if (input.withTotal) {
    statements.push(db.prepare(`SELECT count(*) AS total FROM usage WHERE ${where}`).bind(...filters));
  }
  const [page, counted] = await db.batch(statements);
  return {
    usage: (page?.results ?? []) as Usage[],
    total: (counted?.results as { total: number }[] | undefined)?.[0]?.total,
  };
}
