import { LISTED_NUMBERS_MAX, readNumbers } from "./postings.ts";

/** Counting one piece, which has more index entries, costs as much as counting this number of messages. */
const PIECE_COST = 8;

/** Consecutive words that a query requires or excludes, or a single word. */
export interface Phrase {
  words: string[];
  isExcluded: boolean;
}

/** Limits on the work for the phrases of one query. */
export interface PhraseLimits {
  /** Maximum messages counted to estimate how frequent the words are. */
  phraseCountedMessages: number;
  /** Maximum sum over the phrases of messages with all words of the phrase, times its number of words. */
  phraseWork: number;
  /** Like `phraseWork`, for the pieces of messages that repeat words. */
  phrasePieceWork: number;
  /** Maximum messages listed. */
  phraseMessages: number;
}

export interface PhraseMatches {
  /**
   * Numbers of messages, descending. For an excluded phrase the list may contain messages without it; for
   * others, it may be incomplete.
   */
  numbers: number[];
  /** No message with a lower number was examined. */
  from: number;
  /** Whether `numbers` is exactly the set of messages that contain the phrase. */
  isExact: boolean;
}

/**
 * The messages that contain each of these phrases.
 *
 * The keyword index compares positions in each message that has all words of the phrase, so the phrase's
 * rarest word bounds the work. Phrases are searched in the order of that bound until the limits are reached.
 * A phrase over the limits matches no message. If it is excluded, it matches every message with its rarest
 * word.
 */
export async function selectPhrases(
  db: D1Database,
  marks: string[],
  phrases: Phrase[],
  limits: PhraseLimits,
): Promise<PhraseMatches[]> {
  if (phrases.length === 0) return [];
  const plans = await planPhrases(db, marks, phrases, limits);
  const limit = Math.min(LISTED_NUMBERS_MAX, Math.floor(limits.phraseMessages / phrases.length));
  const asked = plans.map(({ words, inPieces }) => ({ phrase: toExpression(marks, words), inPieces }));
  const { results } = await db
    .prepare(
      `SELECT (SELECT group_concat(number) FROM (
                 SELECT rowid AS number FROM message_words WHERE message_words MATCH asked.value ->> 'phrase'
                  ORDER BY rowid DESC LIMIT ?2)) AS list,
              CASE WHEN asked.value ->> 'inPieces' THEN (SELECT group_concat(number) FROM (
                 SELECT DISTINCT rowid >> 9 AS number FROM message_phrases
                  WHERE message_phrases MATCH asked.value ->> 'phrase'))
               END AS further
         FROM json_each(?1) AS asked`,
    )
    .bind(JSON.stringify(asked), limit)
    .all<{ list: string | null; further: string | null }>();
  return plans.map(({ words, isExact }, i) => {
    const { list, further } = results[i] ?? {};
    const numbers = words.length === 0 ? [] : readNumbers(list ?? "");
    const isCut = numbers.length === limit;
    const from = isCut ? (numbers.at(-1) ?? 0) : 0;
    return { numbers: mergeFalling(numbers, readNumbers(further ?? "")), from, isExact: isExact && !isCut };
  });
}

const mergeFalling = (numbers: number[], more: number[]): number[] =>
  more.length === 0 ? numbers : [...new Set([...numbers, ...more])].sort((a, b) => b - a);

interface Plan {
  /** Words to search for: those of the phrase, its rarest word, or none. */
  words: string[];
  /** Whether to search the pieces of messages that repeat words, too. */
  inPieces: boolean;
  isExact: boolean;
}

async function planPhrases(
  db: D1Database,
  marks: string[],
  phrases: Phrase[],
  limits: PhraseLimits,
): Promise<Plan[]> {
  const several = phrases.filter(({ words }) => words.length > 1);
  const words = [...new Set(several.flatMap((phrase) => phrase.words))];
  const counts = await countRows(db, marks, words, limits);
  const bound = (count: "messages" | "pieces") => (phrase: Phrase) =>
    phrase.words.length * Math.min(...phrase.words.map((word) => counts.get(word)?.[count] ?? 0));
  const inMessages = takeWithin(limits.phraseWork, several, bound("messages"));
  const inPieces = takeWithin(limits.phrasePieceWork, several, bound("pieces"));
  const rarest = ({ words }: Phrase) =>
    words.toSorted((a, b) => (counts.get(a)?.messages ?? 0) - (counts.get(b)?.messages ?? 0)).slice(0, 1);
  return phrases.map((phrase): Plan => {
    if (phrase.words.length === 1) return { words: phrase.words, inPieces: false, isExact: true };
    const isExact = inMessages.has(phrase) && inPieces.has(phrase);
    // The main index holds each word of a message at least once, so pieces need not be searched.
    if (!isExact && phrase.isExcluded) return { words: rarest(phrase), inPieces: false, isExact };
    return { words: inMessages.has(phrase) ? phrase.words : [], inPieces: inPieces.has(phrase), isExact };
  });
}

/** The phrases that fit into an amount of work, cheapest first. */
function takeWithin(work: number, phrases: Phrase[], workOf: (phrase: Phrase) => number): Set<Phrase> {
  const taken = new Set<Phrase>();
  let left = work;
  for (const phrase of phrases.toSorted((a, b) => workOf(a) - workOf(b))) {
    left -= workOf(phrase);
    if (left >= 0) taken.add(phrase);
  }
  return taken;
}

/** The number of messages and of pieces with each word; infinity above the word's share of the limits. */
async function countRows(
  db: D1Database,
  marks: string[],
  words: string[],
  { phraseCountedMessages, phrasePieceWork }: PhraseLimits,
): Promise<Map<string, { messages: number; pieces: number }>> {
  if (words.length === 0) return new Map();
  const messagesMax = Math.floor(phraseCountedMessages / words.length);
  const piecesMax = Math.min(phrasePieceWork, Math.floor(messagesMax / PIECE_COST));
  const countIn = (index: string, limit: string) =>
    `(SELECT count(*) FROM (SELECT rowid FROM ${index} WHERE ${index} MATCH word.value LIMIT ${limit}))`;
  const { results } = await db
    .prepare(
      `SELECT ${countIn("message_words", "?2")} AS messages, ${countIn("message_phrases", "?3")} AS pieces
         FROM json_each(?1) AS word`,
    )
    .bind(JSON.stringify(words.map((word) => toExpression(marks, [word]))), messagesMax + 1, piecesMax + 1)
    .all<{ messages: number; pieces: number }>();
  const within = (count: number, most: number) => (count > most ? Number.POSITIVE_INFINITY : count);
  return new Map(
    words.map((word, i) => {
      const { messages = 0, pieces = 0 } = results[i] ?? {};
      return [word, { messages: within(messages, messagesMax), pieces: within(pieces, piecesMax) }];
    }),
  );
}

/** A phrase in FTS5 query syntax. Words consist of letters and digits, so nothing needs escaping. */
const toExpression = (marks: string[], words: string[]): string =>
  marks.map((mark) => `"${words.map((word) => mark + word).join(" ")}"`).join(" OR ");
