import { rows, run, type Sql, type Statement, sql } from "../platform/sql.ts";
import { LISTED_ROW_KEYS_MAX, readNumbers } from "./postings-queries.ts";

/** Counting one piece, as defined for `phrasePieceWork`, takes as long as counting this number of messages. */
const PIECE_COST = 8;

export interface Phrase {
  terms: string[];
  isExcluded: boolean;
}

export interface PhraseLimits {
  /** Maximum number of messages counted to estimate how frequent the words are. */
  phraseCountedMessages: number;
  /**
   * Maximum work for all phrases together. The work for a phrase is its number of words times the number of messages
   * that have its rarest word.
   */
  phraseWork: number;
  /**
   * The same for pieces instead of messages. A message that repeats words more often than the keyword index stores also
   * has parts of its text stored as pieces.
   */
  phrasePieceWork: number;
  phraseMessages: number;
}

export interface PhraseMatches {
  /**
   * Row keys of the messages with the phrase, descending. If a limit was reached, messages may be missing. For an
   * excluded phrase, messages without the phrase may be included.
   */
  rowKeys: number[];
  /**
   * If the list of messages reached its limit, messages with lower row keys than this were not listed. Otherwise 0.
   */
  from: number;
  isExact: boolean;
}

/**
 * Finds the messages with each phrase. The index compares the positions of words in each message that has all words of
 * a phrase, so the rarest word limits the work. Phrases with the least work come first, until the limits are reached.
 * Beyond the limits, a phrase matches no message, and an excluded phrase matches every message with its rarest word.
 */
export async function selectPhrases(
  db: D1Database,
  termPrefixes: string[],
  phrases: Phrase[],
  limits: PhraseLimits,
): Promise<PhraseMatches[]> {
  if (phrases.length === 0) return [];
  const plans = await planPhrases(db, termPrefixes, phrases, limits);
  const limit = Math.min(LISTED_ROW_KEYS_MAX, Math.floor(limits.phraseMessages / phrases.length));
  const searches = plans.map(({ terms, inPieces }) => ({
    phrase: toExpression(termPrefixes, terms),
    inPieces,
  }));
  const matches = await run(db, phraseMatches(searches, limit));
  return plans.map(({ terms, isExact }, i) => {
    const { list = null, pieces = null } = matches[i] ?? {};
    const rowKeys = terms.length === 0 ? [] : readNumbers(list ?? "");
    const isCut = rowKeys.length === limit;
    const from = isCut ? (rowKeys.at(-1) ?? 0) : 0;
    return {
      rowKeys: mergeDescending(rowKeys, readNumbers(pieces ?? "")),
      from,
      isExact: isExact && !isCut,
    };
  });
}

const phraseMatches = (
  searches: { phrase: string; inPieces: boolean }[],
  limit: number,
): Statement<{ list: string | null; pieces: string | null }[]> =>
  rows(
    sql`SELECT (SELECT group_concat(row_key) FROM (
                  SELECT rowid AS row_key FROM message_words WHERE message_words MATCH search.value ->> 'phrase'
                   ORDER BY rowid DESC LIMIT ${limit})) AS list,
               CASE WHEN search.value ->> 'inPieces' THEN (SELECT group_concat(row_key) FROM (
                  SELECT DISTINCT rowid >> 9 AS row_key FROM message_phrases
                   WHERE message_phrases MATCH search.value ->> 'phrase'))
                END AS pieces
          FROM json_each(${JSON.stringify(searches)}) AS search`,
    (row: { list: string | null; pieces: string | null }) => row,
  );

const mergeDescending = (rowKeys: number[], more: number[]): number[] =>
  more.length === 0 ? rowKeys : [...new Set([...rowKeys, ...more])].sort((a, b) => b - a);

interface Plan {
  /** All words of the phrase, only its rarest word, or nothing. */
  terms: string[];
  /** Whether the pieces are searched too, as defined for `phrasePieceWork`. */
  inPieces: boolean;
  isExact: boolean;
}

async function planPhrases(
  db: D1Database,
  termPrefixes: string[],
  phrases: Phrase[],
  limits: PhraseLimits,
): Promise<Plan[]> {
  const several = phrases.filter(({ terms }) => terms.length > 1);
  const terms = [...new Set(several.flatMap((phrase) => phrase.terms))];
  const counts = await countRows(db, termPrefixes, terms, limits);
  const bound = (count: "messages" | "pieces") => (phrase: Phrase) =>
    phrase.terms.length * Math.min(...phrase.terms.map((term) => counts.get(term)?.[count] ?? 0));
  const inMessages = takeWithin(limits.phraseWork, several, bound("messages"));
  const inPieces = takeWithin(limits.phrasePieceWork, several, bound("pieces"));
  const rarest = ({ terms }: Phrase) =>
    terms.toSorted((a, b) => (counts.get(a)?.messages ?? 0) - (counts.get(b)?.messages ?? 0)).slice(0, 1);
  return phrases.map((phrase): Plan => {
    if (phrase.terms.length === 1) return { terms: phrase.terms, inPieces: false, isExact: true };
    const isExact = inMessages.has(phrase) && inPieces.has(phrase);
    // For a single word, the index of messages is enough: it has each word of a message at least once.
    if (!isExact && phrase.isExcluded) return { terms: rarest(phrase), inPieces: false, isExact };
    return { terms: inMessages.has(phrase) ? phrase.terms : [], inPieces: inPieces.has(phrase), isExact };
  });
}

/** The phrases that fit into `work`, taken in order of increasing work. */
function takeWithin(work: number, phrases: Phrase[], workOf: (phrase: Phrase) => number): Set<Phrase> {
  const affordable = new Set<Phrase>();
  let left = work;
  for (const phrase of phrases.toSorted((a, b) => workOf(a) - workOf(b))) {
    left -= workOf(phrase);
    if (left >= 0) affordable.add(phrase);
  }
  return affordable;
}

/**
 * Number of messages and pieces that have each term. Infinity if there are more than the term's share of the limits.
 */
async function countRows(
  db: D1Database,
  termPrefixes: string[],
  terms: string[],
  { phraseCountedMessages, phrasePieceWork }: PhraseLimits,
): Promise<Map<string, { messages: number; pieces: number }>> {
  if (terms.length === 0) return new Map();
  const messagesMax = Math.floor(phraseCountedMessages / terms.length);
  const piecesMax = Math.min(phrasePieceWork, Math.floor(messagesMax / PIECE_COST));
  const counts = await run(
    db,
    rowCounts(
      terms.map((term) => toExpression(termPrefixes, [term])),
      { messages: messagesMax + 1, pieces: piecesMax + 1 },
    ),
  );
  const within = (count: number, most: number) => (count > most ? Number.POSITIVE_INFINITY : count);
  return new Map(
    terms.map((term, i) => {
      const { messages = 0, pieces = 0 } = counts[i] ?? {};
      return [term, { messages: within(messages, messagesMax), pieces: within(pieces, piecesMax) }];
    }),
  );
}

const rowCounts = (
  expressions: string[],
  limits: { messages: number; pieces: number },
): Statement<{ messages: number; pieces: number }[]> => {
  const countIn = (index: Sql, limit: number) => sql`
    (SELECT count(*) FROM (SELECT rowid FROM ${index} WHERE ${index} MATCH word.value LIMIT ${limit}))`;
  return rows(
    sql`SELECT ${countIn(sql`message_words`, limits.messages)} AS messages,
               ${countIn(sql`message_phrases`, limits.pieces)} AS pieces
          FROM json_each(${JSON.stringify(expressions)}) AS word`,
    (row: { messages: number; pieces: number }) => row,
  );
};

/** An FTS5 query. Terms and prefixes contain no quotation marks, so nothing needs escaping. */
const toExpression = (termPrefixes: string[], terms: string[]): string =>
  termPrefixes.map((prefix) => `"${terms.map((term) => prefix + term).join(" ")}"`).join(" OR ");
