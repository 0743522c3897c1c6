import type { Corpus } from "@engram/spec";
import { toJsonLists } from "../platform/batch.ts";
import { nothing, row, rows, type Sql, type Statement, type Statements, sql } from "../platform/sql.ts";
import type { ContentEncoding } from "../text/compression.ts";
import { insertedWords, type MessageTerms, namedMessages, type Piece, toWordLists } from "./queries.ts";

/** The messages of a list, as `m`, whose words are late. Not those that were deleted or changed since. */
const lateMessages = (organizationId: string, list: string): Sql => sql`
  ${namedMessages(organizationId, list)}
  CROSS JOIN late_words AS late ON late.organization_id = m.organization_id AND late.row_key = m.row_key`;

/** OR REPLACE, because the write and the sweep may both insert them. */
export const latePieces = (organizationId: string, pieces: Piece[]): Statement<void>[] =>
  toJsonLists(pieces).map((list) =>
    nothing(sql`
      INSERT OR REPLACE INTO message_phrases (rowid, body)
      SELECT m.row_key << 9 | new.value ->> 'position', new.value ->> 'terms'
        FROM ${lateMessages(organizationId, list)}`),
  );

/** Inserts the words. After that the messages are not late any more, so their pieces must be inserted before. */
export const lateTerms = (organizationId: string, messages: MessageTerms[]) =>
  toWordLists(messages).map(
    (list) =>
      ({
        terms: insertedWords(lateMessages(organizationId, list)),
        done: nothing(sql`
          DELETE FROM late_words WHERE organization_id = ${organizationId}
             AND row_key IN (SELECT m.row_key FROM ${namedMessages(organizationId, list)})`),
      }) satisfies Statements,
  );

export interface LateMessage {
  id: string;
  organization_id: string;
}

/** Ids of the late messages of these conversations and memories. */
export const lateIdsOf = (organizationId: string, conversationIds: string[]): Statement<string[]> =>
  rows(
    sql`SELECT m.id AS id FROM json_each(${JSON.stringify(conversationIds)}) AS one
         CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = one.value
         CROSS JOIN late_words AS late ON late.organization_id = ${organizationId}
                    AND late.row_key BETWEEN c.row_key << 24 AND (c.row_key << 24) + 16777215
         CROSS JOIN messages AS m ON m.row_key = late.row_key`,
    ({ id }: { id: string }) => id,
  );

/** The messages that are overdue, at most `limit`. They are due again at `dueAtMs`, so that two sweeps share them. */
export function claimedOverdue({ nowMs, dueAtMs, limit }: { nowMs: number; dueAtMs: number; limit: number }) {
  const overdue = sql`
    FROM late_words AS late WHERE late.due_at_ms <= ${nowMs} ORDER BY late.due_at_ms LIMIT ${limit}`;
  return {
    messages: rows(
      sql`SELECT m.id AS id, m.organization_id AS organization_id
            FROM (SELECT late.row_key AS row_key ${overdue}) AS late CROSS JOIN messages AS m ON m.row_key = late.row_key`,
      (message: LateMessage) => message,
    ),
    postponed: nothing(
      sql`UPDATE late_words SET due_at_ms = ${dueAtMs} WHERE (organization_id, row_key) IN
                   (SELECT late.organization_id, late.row_key ${overdue})`,
    ),
  } satisfies Statements;
}

export interface LateText {
  organization_number: number;
  corpus: Corpus;
  content: string;
  content_encoding: ContentEncoding | null;
}

/** Null for a message that was deleted. */
export const textOf = ({ organization_id, id }: LateMessage): Statement<LateText | null> =>
  row(
    sql`SELECT o.number AS organization_number, iif(c.kind = 'conversation', 'conversations', 'memories') AS corpus,
               m.content AS content, m.content_encoding AS content_encoding
          FROM messages AS m
         CROSS JOIN conversations AS c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
         CROSS JOIN organizations AS o ON o.id = m.organization_id
         WHERE m.organization_id = ${organization_id} AND m.id = ${id}`,
    (text: LateText) => text,
  );
