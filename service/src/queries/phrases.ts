import { LISTED_NUMBERS_MAX, readNumbers } from "./postings.ts";

/** Messages that take as long to count as one piece, of which the index holds more places. */
const PIECE_COST = 8;

/** Words that stand one after the other, as a query asks for them or leaves them out; or a single word. */
export interface Phrase {
  words: string[];
  isExcluded: boolean;
}

/** How much the phrases of one query may cost. */
export interface PhraseLimits {
  /** Messages that are counted to learn how frequent the words are. */
  phraseCountedMessages: number;
  /** Messages that hold all words of a phrase, times its words. */
  phraseWork: number;
  /** Pieces, of messages that repeat words, that hold all words of a phrase, times its words. */
  phrasePieceWork: number;
  /** Messages that are listed. */
  phraseMessages: number;
}

/** Where a phrase stands. */
export interface PhraseMatches {
  /** Numbers of messages, falling. Of an excluded phrase there may be more than hold it, else there may be fewer. */
  numbers: number[];
  /** No message with a lower number was examined. */
  from: number;
  /** Whether these are the messages that hold it, all and only. */
  isExact: boolean;
}

/**
 * The messages in which each of these phrases stands.
 *
 * The keyword index compares the places of all words in each message that holds them all, so the work on a phrase is
 * bounded by its rarest word. Phrases are looked for in the order of that bound while it fits into the limits. One
 * that does not fit stands nowhere; when it is excluded, it stands wherever its rarest word does.
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
  /** Words to look for in the place of a phrase: its own, its rarest, or none. */
  words: string[];
  /** Whether to look in the pieces of messages that repeat words, too. */
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
    // A message holds each of its words in the main index, however often it repeats them.
    if (!isExact && phrase.isExcluded) return { words: rarest(phrase), inPieces: false, isExact };
    return { words: inMessages.has(phrase) ? phrase.words : [], inPieces: inPieces.has(phrase), isExact };
  });
}

/** As many of these phrases as fit into an amount of work, those with the least work first. */
function takeWithin(work: number, phrases: Phrase[], workOf: (phrase: Phrase) => number): Set<Phrase> {
  const taken = new Set<Phrase>();
  let left = work;
  for (const phrase of phrases.toSorted((a, b) => workOf(a) - workOf(b))) {
    left -= workOf(phrase);
    if (left >= 0) taken.add(phrase);
  }
  return taken;
}

/** In how many messages, and pieces of messages, each of these words stands; infinitely many beyond a word's share. */
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

/** Words one after the other as FTS5 asks for them; words are letters and digits alone, so nothing needs escaping. */
const toExpression = (marks: string[], words: string[]): string =>
  marks.map((mark) => `"${words.map((word) => mark + word).join(" ")}"`).join(" OR ");
