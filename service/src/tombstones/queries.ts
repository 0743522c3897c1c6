import type { Tombstone, TombstoneKind } from "@engram/spec";
import { toJsonLists, toTimestamp } from "../platform/batch.ts";
import type { PreconditionCode } from "../platform/preconditions.ts";
import {
  assertThat,
  batch,
  changes,
  nothing,
  onlyRow,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";

interface TombstoneRow {
  id: string;
  kind: TombstoneKind;
  operation_id: string;
  conversation_count: number;
  message_count: number;
  memory_count: number;
  created_at_ms: number;
}

const COLUMNS = sql`id, kind, operation_id, conversation_count, message_count, memory_count, created_at_ms`;

const toTombstone = (row: TombstoneRow): Tombstone => ({
  id: row.id,
  kind: row.kind,
  operation_id: row.operation_id,
  conversations: row.conversation_count,
  messages: row.message_count,
  memories: row.memory_count,
  created_at: toTimestamp(row.created_at_ms),
});

/** A tombstone of an organization. */
export interface TombstoneRef {
  organizationId: string;
  id: string;
}

/** The id of the tombstone that an operation leaves, if it leaves one. */
export const toTombstoneId = (operationId: string): string => operationId.replace(/^op_/, "tomb_");

/** The same in SQL, for an operation in a column. */
const tombstoneOf = (operationId: Sql): Sql => sql`'tomb_' || substr(${operationId}, 4)`;

/** Id of the tombstone of an operation; null if it has none, or if it is lifted. */
export const heldTombstone = (organizationId: Sql, operationId: Sql): Sql => sql`
  (SELECT t.id FROM tombstones AS t
    WHERE t.organization_id = ${organizationId} AND t.id = ${tombstoneOf(operationId)} AND t.lifted_at_ms IS NULL)`;

const isHeld = ({ organizationId, id }: TombstoneRef): Sql => sql`
  EXISTS (SELECT 1 FROM tombstones AS t
           WHERE t.organization_id = ${organizationId} AND t.id = ${id} AND t.lifted_at_ms IS NULL)`;

const refusedAmong = (organizationId: string, list: string): Sql => sql`
  FROM json_each(${list}) AS new
 CROSS JOIN tombstone_hashes AS h ON h.organization_id = ${organizationId} AND h.hash = new.value
 CROSS JOIN tombstones AS t ON t.organization_id = ${organizationId} AND t.id = h.tombstone_id
            AND t.lifted_at_ms IS NULL`;

/** Fails the batch if a tombstone has one of the hashes. */
export const assertNoneForgotten = (
  organizationId: string,
  hashes: Iterable<string>,
  code: PreconditionCode = "forgotten",
): Statement<void>[] =>
  toJsonLists([...hashes]).map((list) =>
    assertThat(code, sql`NOT EXISTS (SELECT 1 ${refusedAmong(organizationId, list)})`),
  );

/** Those of the hashes that a tombstone has. */
export async function selectForgotten(
  db: D1Database,
  organizationId: string,
  hashes: Iterable<string>,
): Promise<Set<string>> {
  const lists = toJsonLists([...hashes]);
  if (lists.length === 0) return new Set();
  const found = await batch(
    db,
    lists.map((list) =>
      rows(
        sql`SELECT DISTINCT h.hash ${refusedAmong(organizationId, list)}`,
        ({ hash }: { hash: string }) => hash,
      ),
    ),
  );
  return new Set(found.flat());
}

/** Resolves to null if the organization never had a tombstone. */
export const selectTombstoneKey = (db: D1Database, organizationId: string): Promise<string | null> =>
  run(db, onlyRow(sql`SELECT tombstone_key FROM organizations WHERE id = ${organizationId}`, toKey));

const toKey = ({ tombstone_key }: { tombstone_key: string | null }) => tombstone_key;

/** The secrets of organizations, by their ids. Those without tombstones are left out. */
export async function selectTombstoneKeys(
  db: D1Database,
  organizationIds: Iterable<string>,
): Promise<Map<string, string>> {
  const ids = JSON.stringify([...new Set(organizationIds)]);
  const keys = await run(
    db,
    rows(
      sql`SELECT o.id, o.tombstone_key FROM json_each(${ids}) AS listed
           CROSS JOIN organizations AS o ON o.id = listed.value AND o.tombstone_key IS NOT NULL`,
      (row: { id: string; tombstone_key: string }) => [row.id, row.tombstone_key] as const,
    ),
  );
  return new Map(keys);
}

/** Gives the organization the secret unless it has one, and resolves to the one that it has then. */
export async function ensureTombstoneKey(
  db: D1Database,
  organizationId: string,
  secret: string,
): Promise<string> {
  const { key } = await batch(db, {
    created: nothing(sql`
      UPDATE organizations SET tombstone_key = ${secret} WHERE id = ${organizationId} AND tombstone_key IS NULL`),
    key: onlyRow(sql`SELECT tombstone_key FROM organizations WHERE id = ${organizationId}`, toKey),
  });
  if (key === null) throw new Error("an organization got no secret for its tombstones");
  return key;
}

export const insertedTombstone = (
  { organizationId, id }: TombstoneRef,
  { kind, operationId, nowMs }: { kind: TombstoneKind; operationId: string; nowMs: number },
): Statement<void> =>
  nothing(sql`
    INSERT INTO tombstones (organization_id, id, kind, operation_id, created_at_ms)
    VALUES (${organizationId}, ${id}, ${kind}, ${operationId}, ${nowMs})`);

/** Adds hashes to a tombstone. Adds nothing once it is lifted. */
export const insertedHashes = (ref: TombstoneRef, hashes: Iterable<string>): Statement<void>[] =>
  toJsonLists([...hashes]).map((list) =>
    nothing(sql`
      INSERT OR IGNORE INTO tombstone_hashes (organization_id, hash, tombstone_id)
      SELECT ${ref.organizationId}, value, ${ref.id} FROM json_each(${list}) WHERE ${isHeld(ref)}`),
  );

/** Adds each `hash` to the tombstones that have its `refused`. */
export const insertedWithRefused = (
  organizationId: string,
  pairs: { hash: string; refused: string }[],
): Statement<void>[] =>
  toJsonLists(pairs).map((list) =>
    nothing(sql`
      INSERT OR IGNORE INTO tombstone_hashes (organization_id, hash, tombstone_id)
      SELECT ${organizationId}, new.value ->> 'hash', t.id
        FROM json_each(${list}) AS new
       CROSS JOIN tombstone_hashes AS h ON h.organization_id = ${organizationId}
                  AND h.hash = new.value ->> 'refused'
       CROSS JOIN tombstones AS t ON t.organization_id = ${organizationId} AND t.id = h.tombstone_id
                  AND t.lifted_at_ms IS NULL`),
  );

/** A hash of an item that the purge removes. */
export interface PurgedHash {
  organizationId: string;
  tombstoneId: string;
  hash: string;
}

/** Adds hashes to several tombstones. Adds none to those that are lifted. */
export const insertedPurgedHashes = (hashes: PurgedHash[]): Statement<void>[] =>
  toJsonLists(hashes).map((list) =>
    nothing(sql`
      INSERT OR IGNORE INTO tombstone_hashes (organization_id, hash, tombstone_id)
      SELECT t.organization_id, purged.value ->> 'hash', t.id
        FROM json_each(${list}) AS purged
       CROSS JOIN tombstones AS t ON t.organization_id = purged.value ->> 'organizationId'
                  AND t.id = purged.value ->> 'tombstoneId' AND t.lifted_at_ms IS NULL`),
  );

/** Numbers of deleted items. */
export interface ForgottenCounts {
  conversations: number;
  messages: number;
  memories: number;
}

export const countedForgotten = (
  { organizationId, id }: TombstoneRef,
  { conversations, messages, memories }: ForgottenCounts,
): Statement<void> =>
  nothing(sql`
    UPDATE tombstones
       SET conversation_count = conversation_count + ${conversations}, message_count = message_count + ${messages},
           memory_count = memory_count + ${memories}
     WHERE organization_id = ${organizationId} AND id = ${id}`);

/** Newest first. */
export const selectTombstones = (
  db: D1Database,
  { organizationId, beforeId, limit }: { organizationId: string; beforeId: string | null; limit: number },
): Promise<Tombstone[]> =>
  run(
    db,
    rows(
      sql`SELECT ${COLUMNS} FROM tombstones
           WHERE organization_id = ${organizationId} AND id < coalesce(${beforeId}, 'tomb~') AND lifted_at_ms IS NULL
           ORDER BY id DESC LIMIT ${limit}`,
      toTombstone,
    ),
  );

export const heldTombstoneById = ({ organizationId, id }: TombstoneRef): Statement<Tombstone | null> =>
  row(
    sql`SELECT ${COLUMNS} FROM tombstones
         WHERE organization_id = ${organizationId} AND id = ${id} AND lifted_at_ms IS NULL`,
    toTombstone,
  );

/** Lifts a tombstone. Fails the batch if there is none. The sweep removes it with its hashes. */
export const liftedTombstone = (ref: TombstoneRef, nowMs: number) =>
  ({
    exists: assertThat("not_found", isHeld(ref)),
    tombstone: heldTombstoneById(ref),
    lifted: nothing(sql`
      UPDATE tombstones SET lifted_at_ms = ${nowMs}
       WHERE organization_id = ${ref.organizationId} AND id = ${ref.id}`),
  }) satisfies Statements;

/** Lifts all tombstones of an organization whose own rows are deleted. @param condition for rows of any of its tables. */
export const liftedTombstonesOf = (condition: Sql, nowMs: number): Statement<void> =>
  nothing(sql`UPDATE tombstones SET lifted_at_ms = ${nowMs} WHERE ${condition} AND lifted_at_ms IS NULL`);

/**
 * Removes hashes of lifted tombstones, at most `limit`, and the tombstones that have none left. Resolves to the number
 * of removed hashes.
 */
export async function deleteLiftedHashes(db: D1Database, limit: number): Promise<number> {
  const lifted = sql`
    SELECT t.organization_id, t.id FROM tombstones AS t WHERE t.lifted_at_ms IS NOT NULL
     ORDER BY t.lifted_at_ms LIMIT ${limit}`;
  const { removed } = await batch(db, {
    removed: changes(sql`
      DELETE FROM tombstone_hashes WHERE (organization_id, hash, tombstone_id) IN (
        SELECT h.organization_id, h.hash, h.tombstone_id
          FROM (${lifted}) AS t
         CROSS JOIN tombstone_hashes AS h ON h.organization_id = t.organization_id AND h.tombstone_id = t.id
         LIMIT ${limit})`),
    tombstones: nothing(sql`
      DELETE FROM tombstones WHERE (organization_id, id) IN (
        SELECT t.organization_id, t.id FROM (${lifted}) AS t
         WHERE NOT EXISTS (SELECT 1 FROM tombstone_hashes AS h
                            WHERE h.organization_id = t.organization_id AND h.tombstone_id = t.id))`),
  });
  return removed;
}
