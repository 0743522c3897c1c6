import { batch, rows, sql } from "../platform/sql.ts";

/** An item as it is now. */
export interface ItemState {
  id: string;
  /** Time when the message, or the first version of the memory, was stored. */
  stored_at_ms: number;
  /** Time of the last change to the item, or to the conversation of a message; 0 if there was none. */
  changed_at_ms: number;
  /** Version of a memory, or time of the last change to a message. */
  version: number | null;
}

/** Those of the items that are not deleted. */
export async function selectItemStates(
  db: D1Database,
  organizationId: string,
  { memoryIds, messageIds }: { memoryIds: string[]; messageIds: string[] },
): Promise<ItemState[]> {
  const toState = (state: ItemState) => state;
  const { memories, messages } = await batch(db, {
    memories: rows(
      sql`SELECT c.id, m.stored_at_ms, coalesce(c.changed_at_ms, 0) AS changed_at_ms, c.version
            FROM json_each(${JSON.stringify(memoryIds)}) AS listed
           CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = listed.value
                      AND c.deleted_at_ms IS NULL
           CROSS JOIN messages AS m ON m.organization_id = ${organizationId} AND m.conversation_id = c.id`,
      toState,
    ),
    messages: rows(
      sql`SELECT m.id, m.stored_at_ms, max(coalesce(m.updated_at_ms, 0), coalesce(c.edited_at_ms, 0)) AS changed_at_ms,
                 m.updated_at_ms AS version
            FROM json_each(${JSON.stringify(messageIds)}) AS listed
           CROSS JOIN messages AS m ON m.organization_id = ${organizationId} AND m.id = listed.value
           CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = m.conversation_id
                      AND c.deleted_at_ms IS NULL`,
      toState,
    ),
  });
  return [...memories, ...messages];
}
