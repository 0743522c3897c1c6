import type { Message } from "@engram/spec";
import type { Owner } from "./batch.ts";
import { MESSAGE_BYTES, MESSAGE_COLUMNS, type MessageRow, toMessage } from "./messages.ts";
import { type PageLimits, readPage } from "./pages.ts";

/** A range of messages in a conversation, and the end from which a page is filled. */
export interface MessageRange {
  conversationId: string;
  /** Both inclusive. */
  fromSequence: number;
  toSequence: number;
  limit: number;
  /** `first` fills the page from the low end, `last` from the high end. Both return messages oldest first. */
  end: "first" | "last";
}

/** A page of messages, oldest first. `complete` means that the range has no messages outside the page. */
export interface MessageSlice {
  messages: Message[];
  complete: boolean;
}

/**
 * Selects up to `limit` messages of a range within the page size, but at least one, starting at `range.end`.
 * `readMessageSlice` may drop more, because messages can be longer as JSON.
 */
export function messageRange(
  db: D1Database,
  owner: Owner,
  range: MessageRange,
  { pageBytes }: PageLimits,
): D1PreparedStatement {
  const order = range.end === "first" ? "ASC" : "DESC";
  return db
    .prepare(
      `WITH page AS (
         SELECT message_number, sum(bytes) OVER (ORDER BY sequence ${order}) AS bytes,
                row_number() OVER (ORDER BY sequence ${order}) AS place
           FROM (SELECT m.number AS message_number, m.sequence AS sequence,
                        ${MESSAGE_BYTES} AS bytes
                   FROM conversations AS c
                  CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
                  WHERE c.organization_id = ?1 AND c.id = ?2 AND c.deleted_at_ms IS NULL AND c.kind = 'conversation'
                    AND (?3 IS NULL OR c.agent_id = ?3) AND m.sequence BETWEEN ?4 AND ?5
                  ORDER BY m.sequence ${order} LIMIT ?6 + 1))
       SELECT ${MESSAGE_COLUMNS}, (SELECT count(*) FROM page) AS found
         FROM page CROSS JOIN messages AS m ON m.number = page.message_number
        WHERE m.organization_id = ?1 AND page.place <= ?6 AND (page.bytes <= ?7 OR page.place = 1)
        ORDER BY page.place`,
    )
    .bind(
      owner.organizationId,
      range.conversationId,
      owner.agentId,
      range.fromSequence,
      range.toSequence,
      range.limit,
      pageBytes,
    );
}

/** Converts the rows of `messageRange` to a page that fits `limits`. */
export async function readMessageSlice(
  result: D1Result<unknown> | undefined,
  { end }: Pick<MessageRange, "end">,
  limits: PageLimits,
): Promise<MessageSlice> {
  const rows = (result?.results ?? []) as (MessageRow & { found: number })[];
  const messages = await readPage(rows, limits, textsOf, toMessage);
  return {
    messages: end === "first" ? messages : messages.reverse(),
    complete: messages.length === (rows[0]?.found ?? 0),
  };
}

const textsOf = ({ metadata, parts }: MessageRow) => [metadata, parts];

export async function selectMessageSlice(
  db: D1Database,
  owner: Owner,
  range: MessageRange,
  limits: PageLimits,
): Promise<MessageSlice> {
  return readMessageSlice(await messageRange(db, owner, range, limits).all(), range, limits);
}

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
 * Messages around one message, oldest first, counted by position rather than by sequence. Returns the nearest
 * if all do not fit one page. Empty when the message does not exist.
 */
export async function selectMessagesAround(
  db: D1Database,
  owner: Owner,
  input: { conversationId: string; id: string; before: number; after: number },
  limits: PageLimits,
): Promise<Message[]> {
  const { results } = await db
    .prepare(
      `WITH centre AS (
         SELECT m.sequence AS sequence FROM conversations AS c
          CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
          WHERE c.organization_id = ?1 AND c.id = ?2 AND c.deleted_at_ms IS NULL AND c.kind = 'conversation'
            AND (?3 IS NULL OR c.agent_id = ?3) AND m.id = ?4),
       around AS (
         SELECT * FROM (SELECT m.number AS message_number, centre.sequence - m.sequence AS distance, ${MESSAGE_BYTES} AS bytes
                          FROM centre CROSS JOIN messages AS m
                         WHERE m.organization_id = ?1 AND m.conversation_id = ?2 AND m.sequence <= centre.sequence
                         ORDER BY m.sequence DESC LIMIT ?5 + 1)
         UNION ALL
         SELECT * FROM (SELECT m.number AS message_number, m.sequence - centre.sequence AS distance, ${MESSAGE_BYTES} AS bytes
                          FROM centre CROSS JOIN messages AS m
                         WHERE m.organization_id = ?1 AND m.conversation_id = ?2 AND m.sequence > centre.sequence
                         ORDER BY m.sequence LIMIT ?6)),
       page AS (SELECT message_number, distance, sum(bytes) OVER (ORDER BY distance) AS bytes FROM around)
       SELECT ${MESSAGE_COLUMNS} FROM page
        CROSS JOIN messages AS m ON m.number = page.message_number
                                AND (page.bytes <= ?7 OR page.distance = 0)
        WHERE m.organization_id = ?1 ORDER BY page.distance, m.sequence`,
    )
    .bind(
      owner.organizationId,
      input.conversationId,
      owner.agentId,
      input.id,
      input.before,
      input.after,
      limits.pageBytes,
    )
    .all<MessageRow>();
  const messages = await readPage(results, limits, textsOf, toMessage);
  return messages.sort((a, b) => a.sequence - b.sequence);
}
