import type { Corpus, HoldFilter } from "@engram/spec";
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

/** An active hold, as `h`. */
const IS_ACTIVE = sql`h.lifted_at_ms IS NULL`;
/** The index is named, because SQLite would read the lifted holds, too. */
const ACTIVE_HOLDS = sql`holds AS h INDEXED BY holds_active`;

/** Whether the organization has an active hold: one step in an index, which SQLite takes once in a statement. */
export const hasHolds = (organizationId: string): Sql => hasHoldsOf(sql`${organizationId}`);

export const hasHoldsOf = (organization: Sql): Sql => sql`
  EXISTS (SELECT 1 FROM ${ACTIVE_HOLDS} WHERE h.organization_id = ${organization} AND ${IS_ACTIVE})`;

/** The active holds of an organization, to compare them with those of an earlier read. JSON array of their ids. */
export const activeHolds = (organizationId: string): Sql => sql`
  (SELECT json_group_array(id) FROM (
     SELECT h.id AS id FROM ${ACTIVE_HOLDS} WHERE h.organization_id = ${organizationId} AND ${IS_ACTIVE} ORDER BY h.id))`;

/**
 * Whether the hold `h` holds a conversation or memory. Its conditions mean the same as those of a filter by which items
 * are deleted. All are on what cannot change while the item is held.
 *
 * @param item alias of its row of `conversations`.
 */
const holdsItem = (item: Sql): Sql => sql`
  CASE WHEN h.has_ids THEN EXISTS (
         SELECT 1 FROM hold_items AS i
          WHERE i.organization_id = h.organization_id AND i.hold_id = h.id AND i.item_id = ${item}.id)
       ELSE (h.corpus IS NULL OR (h.corpus = 'conversations') = (${item}.kind = 'conversation'))
        AND (h.agent_id IS NULL OR h.agent_id = ${item}.agent_id)
        AND (h.user_id IS NULL OR h.user_id = ${item}.user_id)
        AND (h.created_after_ms IS NULL OR ${item}.created_at_ms >= h.created_after_ms)
        AND (h.created_before_ms IS NULL OR ${item}.created_at_ms < h.created_before_ms)
        AND (h.tags_any IS NULL OR EXISTS (
              SELECT 1 FROM json_each(${item}.tags) AS t WHERE t.value IN (SELECT value FROM json_each(h.tags_any))))
        AND (h.tags_all IS NULL OR NOT EXISTS (
              SELECT 1 FROM json_each(h.tags_all) AS w WHERE w.value NOT IN (SELECT value FROM json_each(${item}.tags))))
        AND (h.metadata IS NULL OR
              (SELECT count(*) FROM json_each(${item}.metadata) AS m
                WHERE (m.key, m.atom, m.type IN ('true', 'false'))
                   IN (SELECT w.key, w.atom, w.type IN ('true', 'false') FROM json_each(h.metadata) AS w))
              = (SELECT count(*) FROM json_each(h.metadata)))
       END`;

/** The active holds that hold an item, as `h`. */
const holdsOf = (item: Sql): Sql => sql`
  FROM ${ACTIVE_HOLDS} WHERE h.organization_id = ${item}.organization_id AND ${IS_ACTIVE} AND ${holdsItem(item)}`;

/** Whether an item of any organization is held. */
export const isHeldAnywhere = (item: Sql): Sql => sql`EXISTS (SELECT 1 ${holdsOf(item)})`;

/**
 * Whether a conversation or memory is held. In the batch that deletes or edits, it sees each hold that was created before.
 * In an organization without holds, it costs one step in an index for a statement.
 */
export const isHeld = (organizationId: string, item = sql`c`): Sql =>
  sql`(${hasHolds(organizationId)} AND ${isHeldAnywhere(item)})`;

/**
 * Notes which hold keeps rows of a queue, so that no sweep reads them again until it is lifted. Returns their number.
 *
 * @param line SQL that begins with the CTE `line`, by `roundRobin`.
 */
export const notedHeld = (line: Sql): Statement<number> =>
  changes(sql`
    ${line}
    UPDATE conversations SET held_by = (SELECT h.id ${holdsOf(sql`conversations`)} LIMIT 1)
     WHERE row_key IN (SELECT id FROM line) AND ${isHeldAnywhere(sql`conversations`)}`);

/** Fails the batch with `held` if the conversation or memory is held. */
export const assertNotHeld = (organizationId: string, id: string): Statement<void> =>
  assertThat(
    "held",
    sql`NOT (${hasHolds(organizationId)} AND EXISTS (
          SELECT 1 FROM conversations AS c
           WHERE c.organization_id = ${organizationId} AND c.id = ${id} AND ${isHeldAnywhere(sql`c`)}))`,
  );

/** Fails the batch with `held` if the organization has an active hold. */
export const assertNoHolds = (organizationId: string): Statement<void> =>
  assertThat("held", sql`NOT ${hasHolds(organizationId)}`);

/** Ids of the active holds that hold the items of a SELECT of them, as `c`. */
export const holdIdsOf = (items: Sql): Sql => sql`
  SELECT DISTINCT h.id AS id ${items}
   CROSS JOIN ${ACTIVE_HOLDS} ON h.organization_id = c.organization_id AND ${IS_ACTIVE} AND ${holdsItem(sql`c`)}`;

/** The active holds of some items, at most `limit`, oldest first. */
export const selectHoldIds = (
  db: D1Database,
  { organizationId, itemIds, limit }: { organizationId: string; itemIds: readonly string[]; limit: number },
): Promise<string[]> =>
  run(
    db,
    rows(
      sql`${holdIdsOf(sql`FROM json_each(${JSON.stringify(itemIds)}) AS named
                 CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = named.value`)}
           ORDER BY h.id LIMIT ${limit}`,
      ({ id }: { id: string }) => id,
    ),
  );

/** The active holds of an organization, at most `limit`, oldest first. */
export const activeHoldIds = (organizationId: string, limit: number): Statement<string[]> =>
  rows(
    sql`SELECT h.id FROM ${ACTIVE_HOLDS}
         WHERE h.organization_id = ${organizationId} AND ${IS_ACTIVE} ORDER BY h.id LIMIT ${limit}`,
    ({ id }: { id: string }) => id,
  );

/** Whether all holds of a JSON array of ids are active. */
export const areActive = (organizationId: string, ids: Sql): Sql => sql`
  NOT EXISTS (SELECT 1 FROM json_each(${ids}) AS noted
               WHERE NOT EXISTS (SELECT 1 FROM holds AS h
                                  WHERE h.organization_id = ${organizationId} AND h.id = noted.value AND ${IS_ACTIVE}))`;

export interface HoldRow {
  id: string;
  reason: string;
  created_at_ms: number;
  created_by: string;
  lifted_at_ms: number | null;
  lifted_by: string | null;
  has_ids: 0 | 1;
  corpus: Corpus | null;
  agent_id: string | null;
  user_id: string | null;
  /** As JSON, like the next two. */
  tags_any: string | null;
  tags_all: string | null;
  metadata: string | null;
  created_after_ms: number | null;
  created_before_ms: number | null;
  item_count: number;
}

const COLUMNS = sql`h.id, h.reason, h.created_at_ms, h.created_by, h.lifted_at_ms, h.lifted_by, h.has_ids, h.corpus,
  h.agent_id, h.user_id, h.tags_any, h.tags_all, h.metadata, h.created_after_ms, h.created_before_ms,
  (SELECT count(*) FROM hold_items AS i WHERE i.organization_id = h.organization_id AND i.hold_id = h.id) AS item_count`;

const toRow = (found: HoldRow): HoldRow => found;

interface HoldRef {
  organizationId: string;
  id: string;
}

const isOne = ({ organizationId, id }: HoldRef): Sql =>
  sql`h.organization_id = ${organizationId} AND h.id = ${id}`;

const json = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);
const ms = (time: string | undefined): number | null => (time === undefined ? null : Date.parse(time));

/**
 * Creates a hold. Fails the batch with `too_many_holds`, and with `not_found` if an item that it names has no row. That of
 * a deleted item stays until the purge, so its removal can be held, too.
 */
export function insertedHold(
  ref: HoldRef,
  input: {
    reason: string;
    ids: readonly string[] | undefined;
    filter: HoldFilter | undefined;
    keyId: string;
    nowMs: number;
    holdsMax: number;
  },
) {
  const { organizationId, id } = ref;
  const { ids, filter = {} } = input;
  const list = ids === undefined ? null : JSON.stringify([...new Set(ids)]);
  return {
    room: assertThat(
      "too_many_holds",
      sql`(SELECT count(*) FROM ${ACTIVE_HOLDS} WHERE h.organization_id = ${organizationId} AND ${IS_ACTIVE})
          < ${input.holdsMax}`,
    ),
    exist:
      list === null
        ? null
        : assertThat(
            "not_found",
            sql`NOT EXISTS (
                  SELECT 1 FROM json_each(${list}) AS new
                   WHERE NOT EXISTS (SELECT 1 FROM conversations AS c
                                      WHERE c.organization_id = ${organizationId} AND c.id = new.value))`,
          ),
    hold: nothing(sql`
      INSERT INTO holds
        (organization_id, id, reason, created_at_ms, created_by, has_ids, corpus, agent_id, user_id, tags_any, tags_all,
         metadata, created_after_ms, created_before_ms)
      VALUES (${organizationId}, ${id}, ${input.reason}, ${input.nowMs}, ${input.keyId}, ${list === null ? 0 : 1},
              ${filter.corpus ?? null}, ${filter.agent_id ?? null}, ${filter.user_id ?? null}, ${json(filter.tags_any)},
              ${json(filter.tags_all)}, ${json(filter.metadata)}, ${ms(filter.created_after)},
              ${ms(filter.created_before)})`),
    items:
      list === null
        ? null
        : nothing(sql`
            INSERT INTO hold_items (organization_id, hold_id, item_id)
            SELECT ${organizationId}, ${id}, value FROM json_each(${list})`),
  } satisfies Statements;
}

export const holdById = (ref: HoldRef): Statement<HoldRow | null> =>
  row(sql`SELECT ${COLUMNS} FROM holds AS h WHERE ${isOne(ref)}`, toRow);

/** Newest first. */
export const selectHolds = (
  db: D1Database,
  input: { organizationId: string; isActive: boolean | null; beforeId: string; limit: number },
): Promise<HoldRow[]> =>
  run(
    db,
    rows(
      sql`SELECT ${COLUMNS} FROM holds AS h
           WHERE h.organization_id = ${input.organizationId} AND h.id < ${input.beforeId}
             AND (${input.isActive} IS NULL OR (${IS_ACTIVE}) = ${input.isActive})
           ORDER BY h.id DESC LIMIT ${input.limit}`,
      toRow,
    ),
  );

export const holdItemIds = ({ organizationId, id }: HoldRef): Statement<string[]> =>
  rows(
    sql`SELECT item_id FROM hold_items WHERE organization_id = ${organizationId} AND hold_id = ${id} ORDER BY item_id`,
    ({ item_id }: { item_id: string }) => item_id,
  );

export interface HeldCounts {
  conversations: number;
  memories: number;
  /** Number of rows that were read. */
  scanned: number;
}

/** Counts what an active hold holds among the first `rowsMax` items that may be its. */
export const heldCounts = (ref: HoldRef, hold: HoldRow, rowsMax: number): Statement<HeldCounts> => {
  const live = sql`c.organization_id = ${ref.organizationId} AND c.deleted_at_ms IS NULL`;
  const items = hold.has_ids
    ? sql`SELECT c.* FROM hold_items AS i
           CROSS JOIN conversations AS c ON c.organization_id = i.organization_id AND c.id = i.item_id
           WHERE i.organization_id = ${ref.organizationId} AND i.hold_id = ${ref.id} AND c.deleted_at_ms IS NULL`
    : hold.user_id === null
      ? sql`SELECT c.* FROM conversations AS c WHERE ${live} ORDER BY c.id`
      : sql`SELECT c.* FROM conversations AS c WHERE ${live} AND c.user_id = ${hold.user_id} ORDER BY c.id`;
  const isOf = (condition: Sql) => sql`count(*) FILTER (WHERE ${holdsItem(sql`c`)} AND c.kind ${condition})`;
  return onlyRow(
    sql`SELECT ${isOf(sql`= 'conversation'`)} AS conversations, ${isOf(sql`<> 'conversation'`)} AS memories,
               count(*) AS scanned
          FROM (${items} LIMIT ${rowsMax}) AS c
         CROSS JOIN holds AS h ON ${isOne(ref)} AND ${IS_ACTIVE}`,
    (counts: HeldCounts) => counts,
  );
};

/** Work that ends with holds, for the batch that lifts some, after it. */
const continuedWithoutHolds = (organizationId: string, nowMs: number): Statements => ({
  deletions: nothing(sql`
    UPDATE operations SET waits_for_hold = 0, held = 0, hold_ids = '[]'
     WHERE organization_id = ${organizationId} AND waits_for_hold = 1`),
  // Those of memories that another hold holds wait again once they are claimed.
  enrichments: nothing(sql`
    UPDATE enrichment_jobs SET due_at_ms = ${nowMs}
     WHERE organization_id = ${organizationId} AND pass = 2 AND due_at_ms IS NULL`),
  quotes: nothing(sql`
    UPDATE memory_sources AS s INDEXED BY memory_sources_with_held_quotes SET quote = NULL, is_quote_held = 0
     WHERE s.organization_id = ${organizationId} AND s.is_quote_held = 1
       AND NOT EXISTS (SELECT 1 FROM conversations AS c
                        WHERE c.organization_id = s.organization_id AND c.id = s.memory_id
                          AND ${isHeld(organizationId)})`),
});

/**
 * Lets the sweep find again what lifted holds have kept: `items` rows of each of at most `holds` holds. Resolves to their
 * number.
 */
export async function releaseItems(
  db: D1Database,
  limits: { holds: number; items: number },
): Promise<number> {
  const isReleasing = sql`is_releasing = 1`;
  const kept = sql`FROM conversations AS c WHERE c.organization_id = h.organization_id AND c.held_by = h.id`;
  const { released } = await batch(db, {
    released: changes(sql`
      UPDATE conversations SET held_by = NULL WHERE row_key IN (
        SELECT k.row_key FROM (SELECT organization_id, id FROM holds WHERE ${isReleasing} LIMIT ${limits.holds}) AS h
         CROSS JOIN conversations AS k ON k.row_key IN (SELECT c.row_key ${kept} LIMIT ${limits.items}))`),
    done: nothing(sql`
      UPDATE holds AS h SET is_releasing = 0 WHERE ${isReleasing} AND NOT EXISTS (SELECT 1 ${kept})`),
  });
  return released;
}

/** Lifts a hold. Fails the batch with `not_found` if there is none. A lifted one stays as it is. */
export const liftedHold = (ref: HoldRef, { keyId, nowMs }: { keyId: string; nowMs: number }) =>
  ({
    exists: assertThat("not_found", sql`EXISTS (SELECT 1 FROM holds AS h WHERE ${isOne(ref)})`),
    lifted: nothing(sql`
      UPDATE holds AS h SET lifted_at_ms = ${nowMs}, lifted_by = ${keyId}, is_releasing = 1
       WHERE ${isOne(ref)} AND ${IS_ACTIVE}`),
    continued: continuedWithoutHolds(ref.organizationId, nowMs),
    hold: holdById(ref),
  }) satisfies Statements;

export const isActiveHold = (ref: HoldRef): Sql =>
  sql`EXISTS (SELECT 1 FROM holds AS h WHERE ${isOne(ref)} AND ${IS_ACTIVE})`;

/**
 * Lifts all holds of an organization that is deleted in the same batch. What waits for them goes on waiting, because a
 * cancellation restores them.
 */
export const overriddenHolds = (
  organizationId: string,
  { operationId, nowMs }: { operationId: string; nowMs: number },
): Statement<void> =>
  nothing(sql`
    UPDATE ${ACTIVE_HOLDS} SET lifted_at_ms = ${nowMs}, overridden_by = ${operationId}, is_releasing = 1
     WHERE h.organization_id = ${organizationId} AND ${IS_ACTIVE}`);

/** Deletes the holds of an organization, and ends the waiting for them. @param ofOrganization that it is being deleted. */
export const deletedHoldsOf = (ofOrganization: Sql) =>
  ({
    items: nothing(sql`DELETE FROM hold_items WHERE ${ofOrganization}`),
    holds: nothing(sql`DELETE FROM holds WHERE ${ofOrganization}`),
    deletions: nothing(sql`
      UPDATE operations SET waits_for_hold = 0, held = 0, hold_ids = '[]'
       WHERE ${ofOrganization} AND waits_for_hold = 1`),
  }) satisfies Statements;

/** JSON array of the ids of the holds that a deletion has lifted. */
export const overriddenHoldIds = (organizationId: string, operationId: string): Sql => sql`
  (SELECT json_group_array(id) FROM (
     SELECT h.id AS id FROM holds AS h
      WHERE h.organization_id = ${organizationId} AND h.overridden_by = ${operationId} ORDER BY h.id))`;

/** Restores the holds that the deletion of an organization has lifted. @param condition that it is being canceled. */
export const restoredHolds = (organizationId: string, operationId: string, condition: Sql): Statement<void> =>
  nothing(sql`
    UPDATE holds SET lifted_at_ms = NULL, overridden_by = NULL
     WHERE organization_id = ${organizationId} AND overridden_by = ${operationId} AND ${condition}`);

/** Deletes items of the holds of an organization, at most `limit`. @param condition that it is being deleted. */
export const deleteHoldItemsOf = (
  db: D1Database,
  { organizationId, condition, limit }: { organizationId: string; condition: Sql; limit: number },
): Promise<number> =>
  run(
    db,
    changes(sql`
      DELETE FROM hold_items WHERE (organization_id, hold_id, item_id) IN (
        SELECT organization_id, hold_id, item_id FROM hold_items
         WHERE organization_id = ${organizationId} LIMIT ${limit}) AND ${condition}`),
  );
