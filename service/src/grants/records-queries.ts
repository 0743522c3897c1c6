import { assertThat, changes, nothing, onlyRow, row, rows, type Statement, sql } from "../platform/sql.ts";
import type { GrantPlace } from "./queries.ts";

/** A record of the OAuth library. `grant` is null for one that belongs to no grant. */
export interface OAuthRecord {
  key: string;
  grant: GrantPlace | null;
  value: string;
  metadata: string | null;
  expiresAtMs: number;
}

export interface StoredRecord {
  value: string;
  version: number;
}

export const recordOf = (key: string, nowMs: number): Statement<StoredRecord | null> =>
  row(
    sql`SELECT value, version FROM oauth_records WHERE key = ${key} AND expires_at_ms > ${nowMs}`,
    (stored: StoredRecord) => stored,
  );

/** Replaces a record, unless it was changed or deleted since this version of it was read. Gives the number of rows. */
export const replacedRecord = (record: OAuthRecord, version: number): Statement<number> =>
  changes(sql`
    UPDATE oauth_records
       SET value = ${record.value}, metadata = ${record.metadata}, expires_at_ms = ${record.expiresAtMs},
           version = version + 1
     WHERE key = ${record.key} AND version = ${version}`);

/** Inserts a record, unless it is of a grant that was deleted. Gives the number of rows. */
export const insertedRecord = ({ grant, ...record }: OAuthRecord): Statement<number> => {
  const exists =
    grant === null
      ? sql`TRUE`
      : sql`EXISTS (SELECT 1 FROM grants WHERE organization_id = ${grant.organizationId} AND id = ${grant.id})`;
  return changes(sql`
    INSERT OR REPLACE INTO oauth_records (key, organization_id, grant_id, value, metadata, version, expires_at_ms)
    SELECT ${record.key}, ${grant?.organizationId ?? null}, ${grant?.id ?? null}, ${record.value}, ${record.metadata},
           0, ${record.expiresAtMs}
     WHERE ${exists}`);
};

/** A grant is listed, and its expired row deleted, by the same time as the record of it. */
export const expiringGrant = ({ organizationId, id }: GrantPlace, expiresAtMs: number): Statement<void> =>
  nothing(sql`
    UPDATE grants SET expires_at_ms = ${expiresAtMs} WHERE organization_id = ${organizationId} AND id = ${id}`);

/** Deletes the record and gives its value; null if there is none. Of two requests at once, one gets it. */
export const takenRecord = (key: string, nowMs: number): Statement<string | null> =>
  row(
    sql`DELETE FROM oauth_records WHERE key = ${key} AND expires_at_ms > ${nowMs} RETURNING value`,
    ({ value }: { value: string }) => value,
  );

/** Fails the batch if another request has used the record meanwhile. */
export const assertRecord = (key: string, nowMs: number): Statement<void> =>
  assertThat(
    "unauthenticated",
    sql`EXISTS (SELECT 1 FROM oauth_records WHERE key = ${key} AND expires_at_ms > ${nowMs})`,
  );

export const deletedRecord = (key: string): Statement<number> =>
  changes(sql`DELETE FROM oauth_records WHERE key = ${key}`);

/** Records whose key begins with the prefix, after `afterKey`, in the order of their keys. */
export const recordsWith = (input: {
  prefix: string;
  afterKey: string;
  nowMs: number;
  limit: number;
}): Statement<{ name: string; metadata: string | null }[]> =>
  rows(
    sql`SELECT key AS name, metadata FROM oauth_records
         WHERE key >= ${input.prefix} AND key < ${`${input.prefix}\u{10FFFF}`} AND key > ${input.afterKey}
           AND expires_at_ms > ${input.nowMs}
         ORDER BY key LIMIT ${input.limit}`,
    (found: { name: string; metadata: string | null }) => found,
  );

/** Whether there are as many registered clients. */
export const areClients = (count: number): Statement<boolean> =>
  onlyRow(
    sql`SELECT count(*) AS found
          FROM (SELECT 1 FROM oauth_records WHERE key >= 'client:' AND key < 'client;' LIMIT ${count})`,
    ({ found }: { found: number }) => found >= count,
  );

/** Keeps a client that a person has allowed something for as long as the library would. */
export const keptClient = (clientId: string, expiresAtMs: number): Statement<void> =>
  nothing(sql`
    UPDATE oauth_records SET expires_at_ms = max(expires_at_ms, ${expiresAtMs}) WHERE key = ${`client:${clientId}`}`);
