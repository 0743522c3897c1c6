import type { Message } from "@engram/spec";
import { existedAt, itemExistedAt, type Moment, messageEditedSince } from "../filters/moments-queries.ts";
import { isReadable, type Owner } from "../platform/batch.ts";
import { type PageLimits, readPage } from "../platform/pages.ts";
import { and, given, joined, onlyRow, type Sql, type Statement, sql } from "../platform/sql.ts";
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "./fields.ts";
import { MESSAGE_BYTES } from "./queries.ts";

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
  /** Null for the messages of today. */
  moment: Moment | null;
  /** Default: no limit. */
  enough?: EnoughTokens | undefined;
}

/** Messages after those that have so many tokens are left out. */
export interface EnoughTokens {
  tokens: number;
  /** Tokens that each message has besides its content. */
  overhead: number;
  /** A longer content counts as one of so many tokens. */
  contentMax: number;
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
  const { conversationId, fromSequence, toSequence, limit, end, moment, enough } = range;
  const order = end === "first" ? sql`ASC` : sql`DESC`;
  const wanted = sql`
    SELECT m.row_key AS message_row_key, m.sequence AS sequence, ${MESSAGE_BYTES} AS bytes${joined([sql``, ...given(enough, (most) => sql`, ${most.overhead} + min(m.model_tokens, ${most.contentMax}) AS tokens`)], sql``)}
      FROM conversations AS c
     CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
     WHERE ${isReadableConversation(owner, conversationId)} AND m.sequence BETWEEN ${fromSequence} AND ${toSequence}
       AND ${and(given(moment, existedAt))}
     ORDER BY m.sequence ${order} LIMIT ${limit} + 1`;
  return {
    sql: sql`
      WITH page AS (
        SELECT message_row_key, sum(bytes) OVER (ORDER BY sequence ${order}) AS bytes,
               row_number() OVER (ORDER BY sequence ${order}) AS place${joined([sql``, ...given(enough, () => sql`, sum(tokens) OVER (ORDER BY sequence ${order}) - tokens AS tokens_before`)], sql``)}
          FROM (${wanted}))
      SELECT ${MESSAGE_COLUMNS}${messageEditedSince(moment)}, (SELECT count(*) FROM page) AS found
        FROM page CROSS JOIN messages AS m ON m.row_key = page.message_row_key
       WHERE m.organization_id = ${owner.organizationId} AND page.place <= ${limit}
         AND (page.bytes <= ${limits.pageBytes} OR page.place = 1)
         AND ${and(given(enough, ({ tokens }) => sql`page.tokens_before < ${tokens}`))}
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

const isReadableConversation = (owner: Owner, conversationId: string): Sql => sql`
  c.organization_id = ${owner.organizationId} AND c.id = ${conversationId} AND c.deleted_at_ms IS NULL
  AND c.kind = 'conversation' AND ${isReadable(owner, sql`c.`)}`;

export const conversationExists = (
  owner: Owner,
  conversationId: string,
  moment: Moment | null,
): Statement<boolean> =>
  onlyRow(
    sql`SELECT EXISTS (SELECT 1 FROM conversations AS c
                        WHERE ${isReadableConversation(owner, conversationId)}
                          AND ${and(given(moment, (then) => itemExistedAt(then, sql`c.`)))}) AS found`,
    ({ found }: { found: 0 | 1 }) => found === 1,
  );

const textsOf = ({ metadata, parts }: MessageRow) => [metadata, parts];
