import type { Corpus } from "@engram/spec";
import { ROWS_OF } from "../filters/queries.ts";
import { type Scan, scanEnd, scannedMatches, scanTable } from "../filters/scans-queries.ts";
import { activeHolds, isHeld } from "../holds/queries.ts";
import { isReadable, type Owner, toJsonLists } from "../platform/batch.ts";
import { assertThat, batch, given, onlyRow, row, rows, run, type Statement, sql } from "../platform/sql.ts";

/** A conversation or memory that a deletion with `forget` deletes next: all that its tombstone is computed from. */
export interface ForgettableItem {
  row_key: number;
  id: string;
  agent_id: string | null;
  user_id: string | null;
  external_id: string | null;
  /** Null for a conversation. */
  content_hash: string | null;
  message_count: number;
}

const COLUMNS = sql`c.row_key, c.id, c.agent_id, c.user_id, coalesce(c.external_id, c.memory_external_id) AS external_id,
  c.content_hash, c.message_count`;

export const selectForgettable = (
  db: D1Database,
  corpus: Corpus,
  { owner, id }: { owner: Owner; id: string },
): Promise<ForgettableItem | null> =>
  run(
    db,
    row(
      sql`SELECT ${COLUMNS} FROM conversations AS c
           WHERE c.organization_id = ${owner.organizationId} AND c.id = ${id} AND c.deleted_at_ms IS NULL
             AND ${ROWS_OF[corpus]} AND ${isReadable(owner, sql`c.`)}`,
      (item: ForgettableItem) => item,
    ),
  );

/** The items that one step of a deletion deletes, read before the step. */
export interface ForgettableStep {
  items: ForgettableItem[];
  /** The position of the operation before the step and after it, as its row stores them. */
  from: string | null;
  to: string | null;
  /** The active holds when they were read. Between `from` and `to`, what these hold is not among the items. */
  holds: string;
}

/**
 * Reads the items of the next step, without those that are held. Null if the stored filter of the operation is another
 * one, or it waits for a hold: it was canceled, or another run is ahead.
 *
 * @param operationId null for the first step, before the operation is stored.
 */
export async function selectForgettableStep(
  db: D1Database,
  list: Scan,
  { operationId, limit }: { operationId: string | null; limit: number },
): Promise<ForgettableStep | null> {
  const wanted = [
    sql`NOT ${isHeld(list.owner.organizationId)}`,
    ...given(operationId, (id) => sql`c.row_key <= (SELECT last_row_key FROM operations WHERE id = ${id})`),
  ];
  const { items, end, holds, operation } = await batch(db, {
    items: rows(
      sql`WITH ${scanTable(list)}
          SELECT ${COLUMNS}, json_array(scan.sort_value, scan.id) AS place ${scannedMatches(list, wanted)}
           ORDER BY scan.sort_value, scan.id LIMIT ${limit}`,
      (item: ForgettableItem & { place: string }) => item,
    ),
    end: onlyRow(
      sql`WITH ${scanTable(list)} SELECT (${scanEnd(list)}) AS place`,
      ({ place }: { place: string | null }) => place,
    ),
    holds: onlyRow(
      sql`SELECT ${activeHolds(list.owner.organizationId)} AS holds`,
      (found: { holds: string }) => found.holds,
    ),
    operation:
      operationId === null
        ? null
        : row(
            sql`SELECT filter, filter_position FROM operations
                 WHERE organization_id = ${list.owner.organizationId} AND id = ${operationId} AND waits_for_hold = 0`,
            (found: { filter: string | null; filter_position: string | null }) => found,
          ),
  });
  if (operationId !== null && operation?.filter !== JSON.stringify(list.filter)) return null;
  const last = items.at(-1)?.place ?? null;
  return { items, from: operation?.filter_position ?? null, to: items.length < limit ? end : last, holds };
}

/** Fails the batch with `item_changed` if one of the items was deleted, got other content or a user, or is held now. */
export const assertForgettable = (organizationId: string, items: ForgettableItem[]): Statement<void>[] =>
  toJsonLists(items).map((list) =>
    assertThat(
      "item_changed",
      sql`NOT EXISTS (
            SELECT 1 FROM json_each(${list}) AS new
             WHERE NOT EXISTS (
               SELECT 1 FROM conversations AS c
                WHERE c.row_key = new.value ->> 'row_key' AND +c.organization_id = ${organizationId}
                  AND c.deleted_at_ms IS NULL AND c.user_id IS new.value ->> 'user_id'
                  AND c.content_hash IS new.value ->> 'content_hash' AND NOT ${isHeld(organizationId)}))`,
    ),
  );
