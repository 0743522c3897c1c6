import type { Message } from "@engram/spec";
import { isOwned, type Owner } from "../platform/batch.ts";
import { type PageLimits, readPage } from "../platform/pages.ts";
import { row, type Sql, type Statement, sql } from "../platform/sql.ts";
import { countedWithin } from "../platform/totals.ts";
import { MESSAGE_BYTES, MESSAGE_COLUMNS, type MessageRow, toMessage } from "./queries.ts";

/** A range of sequence numbers; both ends are included. */
export interface SequenceRange {
  fromSequence: number;
  toSequence: number;
}

export interface MessageRange extends SequenceRange {
  conversationId: string;
  limit: number;
  /** `first`: the first messages of the range. `last`: the last ones. Both are returned oldest first. */
  end: "first" | "last";
}

/** `complete` means that the range has no messages outside the page. */
export interface MessageSlice {
  messages: Message[];
  complete: boolean;
}

/**
 * A page of a range: at least one message if there is any, and fewer than `limit` if more would exceed the size
 * in `limits`. The size is checked again after the read, because messages can be longer as JSON than in the
 * database.
 */
export function messageSlice(owner: Owner, range: MessageRange, limits: PageLimits): Statement<MessageSlice> {
  const { conversationId, fromSequence, toSequence, limit, end } = range;
  const order = end === "first" ? sql`ASC` : sql`DESC`;
  const wanted = sql`
    SELECT m.row_key AS message_row_key, m.sequence AS sequence, ${MESSAGE_BYTES} AS bytes
      FROM conversations AS c
     CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
     WHERE ${isReadable(owner, conversationId)} AND m.sequence BETWEEN ${fromSequence} AND ${toSequence}
     ORDER BY m.sequence ${order} LIMIT ${limit} + 1`;
  return {
    sql: sql`
      WITH page AS (
        SELECT message_row_key, sum(bytes) OVER (ORDER BY sequence ${order}) AS bytes,
               row_number() OVER (ORDER BY sequence ${order}) AS place
          FROM (${wanted}))
      SELECT ${MESSAGE_COLUMNS}, (SELECT count(*) FROM page) AS found
        FROM page CROSS JOIN messages AS m ON m.row_key = page.message_row_key
       WHERE m.organization_id = ${owner.organizationId} AND page.place <= ${limit}
         AND (page.bytes <= ${limits.pageBytes} OR page.place = 1)
       ORDER BY page.place`,
    read: async ({ results }) => {
      const rows = results as unknown as (MessageRow & { found: number })[];
      const messages = await readPage(rows, limits, textsOf, toMessage);
      return {
        messages: end === "first" ? messages : messages.reverse(),
        complete: messages.length === (rows[0]?.found ?? 0),
      };
    },
  };
}

const isReadable = (owner: Owner, conversationId: string): Sql => sql`
  c.organization_id = ${owner.organizationId} AND c.id = ${conversationId} AND c.deleted_at_ms IS NULL
  AND c.kind = 'conversation' AND ${isOwned(owner, sql`c.`)}`;

const textsOf = ({ metadata, parts }: MessageRow) => [metadata, parts];

/**
 * Number of messages in the range; null if it is above `countedMax`. If `range` is null, the number of all
 * messages.
 */
export function messageTotal(input: {
  organizationId: string;
  conversationId: string;
  range: SequenceRange | null;
  countedMax: number;
}): Statement<number | null> {
  const { organizationId, conversationId, range } = input;
  if (range !== null) {
    return countedWithin(
      input.countedMax,
      sql`SELECT 1 FROM messages
           WHERE organization_id = ${organizationId} AND conversation_id = ${conversationId}
             AND sequence BETWEEN ${range.fromSequence} AND ${range.toSequence}`,
    );
  }
  return row(
    sql`SELECT message_count AS total FROM conversations
         WHERE organization_id = ${organizationId} AND id = ${conversationId}`,
    ({ total }: { total: number }) => total,
  );
}

/**
 * A message with the `before` messages before it and the `after` messages after it, in order. If not all fit on
 * a page, the nearest are returned. Empty if the message does not exist.
 */
export function messagesAround(
  owner: Owner,
  input: { conversationId: string; id: string; before: number; after: number },
  limits: PageLimits,
): Statement<Message[]> {
  const { conversationId, id, before, after } = input;
  const ofConversation = sql`
    m.organization_id = ${owner.organizationId} AND m.conversation_id = ${conversationId}`;
  return {
    sql: sql`
      WITH center AS (
        SELECT m.sequence AS sequence FROM conversations AS c
         CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
         WHERE ${isReadable(owner, conversationId)} AND m.id = ${id}),
      around AS (
        SELECT * FROM (SELECT m.row_key AS message_row_key, center.sequence - m.sequence AS distance,
                              ${MESSAGE_BYTES} AS bytes
                         FROM center CROSS JOIN messages AS m
                        WHERE ${ofConversation} AND m.sequence <= center.sequence
                        ORDER BY m.sequence DESC LIMIT ${before} + 1)
        UNION ALL
        SELECT * FROM (SELECT m.row_key AS message_row_key, m.sequence - center.sequence AS distance,
                              ${MESSAGE_BYTES} AS bytes
                         FROM center CROSS JOIN messages AS m
                        WHERE ${ofConversation} AND m.sequence > center.sequence
                        ORDER BY m.sequence LIMIT ${after})),
      page AS (SELECT message_row_key, distance, sum(bytes) OVER (ORDER BY distance) AS bytes FROM around)
      SELECT ${MESSAGE_COLUMNS} FROM page
       CROSS JOIN messages AS m ON m.row_key = page.message_row_key
                               AND (page.bytes <= ${limits.pageBytes} OR page.distance = 0)
       WHERE m.organization_id = ${owner.organizationId} ORDER BY page.distance, m.sequence`,
    read: async ({ results }) => {
      const messages = await readPage(results as unknown as MessageRow[], limits, textsOf, toMessage);
      return messages.sort((a, b) => a.sequence - b.sequence);
    },
  };
}
