import type { ServiceLimits } from "../limits.ts";
import { toJsonLists } from "../platform/batch.ts";
import { nothing, type Sql, type Statement, type Statements, sql } from "../platform/sql.ts";

/** The words of a message, as the keyword index holds them. */
export interface MessageTerms {
  id: string;
  /** Separated by spaces. Each begins with a prefix of the organization. */
  terms: string;
  /** Pieces of the text around the occurrences that `terms` leaves out, because a word repeats too often. */
  phrases: string[];
}

/** The words of content and name, as one text. The `~` keeps phrases from spanning both. */
export const termsWithName = (terms: Sql, nameTerms: Sql): Sql =>
  sql`${terms} || coalesce(' ~ ' || ${nameTerms}, '')`;

export const withoutTerms = <Row extends Omit<MessageTerms, "id">>({ terms: _, phrases: __, ...row }: Row) =>
  row;

export const namedMessages = (organizationId: string, list: string): Sql => sql`
  json_each(${list}) AS new
  CROSS JOIN messages AS m ON m.organization_id = ${organizationId} AND m.id = new.value ->> 'id'`;

/** Whether the words of messages that are written together are inserted after them; see late-words.ts. */
export const areLate = (
  messages: MessageTerms[],
  { wordsAtOnceCharacters }: Pick<ServiceLimits, "wordsAtOnceCharacters">,
): boolean =>
  messages.reduce(
    (sum, { terms, phrases }) => [terms, ...phrases].reduce((all, one) => all + one.length, sum),
    0,
  ) > wordsAtOnceCharacters;

/** The write that stored a message inserts its late words in this time, else the sweep does. */
export const LATE_MS = 60_000;

/** The words of new messages; if they are late, what `insertLateWords` needs to insert them. */
export const insertedTerms = (
  organizationId: string,
  records: MessageTerms[],
  { limits, nowMs }: { limits: ServiceLimits; nowMs: number },
) =>
  areLate(records, limits)
    ? toJsonLists(records.map(({ id }) => ({ id }))).map((list) =>
        nothing(sql`
          INSERT INTO late_words (organization_id, row_key, due_at_ms)
          SELECT ${organizationId}, m.row_key, ${nowMs + LATE_MS} FROM ${namedMessages(organizationId, list)}`),
      )
    : insertedAtOnce(organizationId, records);

export const insertedAtOnce = (organizationId: string, records: MessageTerms[]) =>
  ({
    terms: toWordLists(records).map((list) => insertedWords(namedMessages(organizationId, list))),
    phrases: insertedPhrases(organizationId, records),
  }) satisfies Statements;

/** JSON arrays of the words of messages. */
export const toWordLists = (messages: MessageTerms[]): string[] =>
  toJsonLists(messages.map(({ id, terms }) => ({ id, terms })));

/** @param messages the messages, as `m`, and their words from a list, as `new`. */
export const insertedWords = (messages: Sql): Statement<void> =>
  nothing(sql`
    INSERT INTO message_words (rowid, body)
    SELECT m.row_key, ${termsWithName(sql`(new.value ->> 'terms')`, sql`m.name_terms`)} FROM ${messages}`);

export interface Piece {
  id: string;
  position: number;
  terms: string;
}

/** Most messages have none. */
export const toPieces = (messages: Omit<MessageTerms, "terms">[]): Piece[] =>
  messages.flatMap(({ id, phrases }) => phrases.map((terms, position) => ({ id, position, terms })));

export function insertedPhrases(organizationId: string, records: Omit<MessageTerms, "terms">[]) {
  return toJsonLists(toPieces(records)).map((list) =>
    nothing(sql`
      INSERT INTO message_phrases (rowid, body)
      SELECT m.row_key << 9 | new.value ->> 'position', new.value ->> 'terms'
        FROM ${namedMessages(organizationId, list)}`),
  );
}

export const deleteLateWords = (organizationId: string, rowKeys: Sql): Statement<void> =>
  nothing(sql`DELETE FROM late_words WHERE organization_id = ${organizationId} AND row_key IN (${rowKeys})`);

export const deletePhrases = (rowKeys: Sql): Sql => sql`
  DELETE FROM message_phrases WHERE rowid IN (
    SELECT p.rowid FROM (${rowKeys}) AS gone
     CROSS JOIN message_phrases AS p ON p.rowid BETWEEN gone.row_key << 9 AND (gone.row_key << 9) + 511)`;
