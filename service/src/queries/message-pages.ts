import type { Message } from "@engram/spec";
import type { Owner } from "./batch.ts";
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "./messages.ts";

/** Content that one page answers, in bytes of the originals, beyond which only its first message goes, or the one asked for. */
const PAGE_BYTES_MAX = 4_000_000;
const BYTES = "m.content_bytes + coalesce(length(m.parts), 0)";

/** Which messages of a conversation, and from which end the page fills up. */
export interface MessageRange {
  conversationId: string;
  /** Both inclusive. */
  fromSequence: number;
  toSequence: number;
  limit: number;
  /** `first` begins at the low end of the range, `last` at the high end; both answer oldest first. */
  end: "first" | "last";
}

/** A page of messages, oldest first; `complete` when nothing of the range within `limit` was left out. */
export interface MessageSlice {
  messages: Message[];
  complete: boolean;
}

/** The statement that answers a page with one message more than asked for, if there is one. */
export function messageRange(db: D1Database, owner: Owner, range: MessageRange): D1PreparedStatement {
  const order = range.end === "first" ? "ASC" : "DESC";
  return db
    .prepare(
      `WITH page AS (
         SELECT message_number, sum(bytes) OVER (ORDER BY sequence ${order}) AS bytes,
                row_number() OVER (ORDER BY sequence ${order}) AS place
           FROM (SELECT m.number AS message_number, m.sequence AS sequence,
                        ${BYTES} AS bytes
                   FROM conversations AS c
                  CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
                  WHERE c.organization_id = ?1 AND c.id = ?2 AND c.deleted_at_ms IS NULL AND c.kind = 'conversation'
                    AND (?3 IS NULL OR c.agent_id = ?3) AND m.sequence BETWEEN ?4 AND ?5
                  ORDER BY m.sequence ${order} LIMIT ?6 + 1))
       SELECT ${MESSAGE_COLUMNS}, (SELECT count(*) FROM page) AS found
         FROM page CROSS JOIN messages AS m ON m.number = page.message_number
        WHERE m.organization_id = ?1 AND page.place <= ?6 AND (page.bytes <= ${PAGE_BYTES_MAX} OR page.place = 1)
        ORDER BY m.sequence`,
    )
    .bind(
      owner.organizationId,
      range.conversationId,
      owner.agentId,
      range.fromSequence,
      range.toSequence,
      range.limit,
    );
}

/** What the statement of `messageRange` answered. */
export async function readMessageSlice(result: D1Result<unknown> | undefined): Promise<MessageSlice> {
  const rows = (result?.results ?? []) as (MessageRow & { found: number })[];
  return {
    messages: await Promise.all(rows.map(toMessage)),
    complete: rows.length === (rows[0]?.found ?? 0),
  };
}

/** A page of messages. */
export async function selectMessageSlice(
  db: D1Database,
  owner: Owner,
  range: MessageRange,
): Promise<MessageSlice> {
  return readMessageSlice(await messageRange(db, owner, range).all());
}

/** The statement that counts the messages of a range. */
export function countMessageRange(
  db: D1Database,
  input: { organizationId: string; conversationId: string; fromSequence: number; toSequence: number },
): D1PreparedStatement {
  return db
    .prepare(
      `SELECT count(*) AS total FROM messages
        WHERE organization_id = ?1 AND conversation_id = ?2 AND sequence BETWEEN ?3 AND ?4`,
    )
    .bind(input.organizationId, input.conversationId, input.fromSequence, input.toSequence);
}

/**
 * Messages around one, by their places and not their numbers, oldest first: the nearest, when all would be
 * larger than a page; empty when it is not there.
 */
export async function selectMessagesAround(
  db: D1Database,
  owner: Owner,
  input: { conversationId: string; id: string; before: number; after: number },
): Promise<Message[]> {
  const { results } = await db
    .prepare(
      `WITH centre AS (
         SELECT m.sequence AS sequence FROM conversations AS c
          CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
          WHERE c.organization_id = ?1 AND c.id = ?2 AND c.deleted_at_ms IS NULL AND c.kind = 'conversation'
            AND (?3 IS NULL OR c.agent_id = ?3) AND m.id = ?4),
       around AS (
         SELECT * FROM (SELECT m.number AS message_number, centre.sequence - m.sequence AS distance, ${BYTES} AS bytes
                          FROM centre CROSS JOIN messages AS m
                         WHERE m.organization_id = ?1 AND m.conversation_id = ?2 AND m.sequence <= centre.sequence
                         ORDER BY m.sequence DESC LIMIT ?5 + 1)
         UNION ALL
         SELECT * FROM (SELECT m.number AS message_number, m.sequence - centre.sequence AS distance, ${BYTES} AS bytes
                          FROM centre CROSS JOIN messages AS m
                         WHERE m.organization_id = ?1 AND m.conversation_id = ?2 AND m.sequence > centre.sequence
                         ORDER BY m.sequence LIMIT ?6)),
       page AS (SELECT message_number, distance, sum(bytes) OVER (ORDER BY distance) AS bytes FROM around)
       SELECT ${MESSAGE_COLUMNS} FROM page
        CROSS JOIN messages AS m ON m.number = page.message_number
                                AND (page.bytes <= ${PAGE_BYTES_MAX} OR page.distance = 0)
        WHERE m.organization_id = ?1 ORDER BY m.sequence`,
    )
    .bind(owner.organizationId, input.conversationId, owner.agentId, input.id, input.before, input.after)
    .all<MessageRow>();
  return Promise.all(results.map(toMessage));
}
