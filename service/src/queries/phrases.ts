import { LISTED_NUMBERS_MAX, readNumbers } from "./postings.ts";

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
 * bounded by its rarest word. Phrases are looked for in the order of that bound while it fits into `phraseWork`. One
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
  const asked = plans.map(({ words }) => toExpression(marks, words));
  const { results } = await db
    .prepare(
      `SELECT (SELECT group_concat(number) FROM (
                 SELECT rowid AS number FROM message_words WHERE message_words MATCH phrase.value
                  ORDER BY rowid DESC LIMIT ?2)) AS list
         FROM json_each(?1) AS phrase`,
    )
    .bind(JSON.stringify(asked), limit)
    .all<{ list: string | null }>();
  return plans.map(({ words, isExact }, i) => {
    const numbers = words.length === 0 ? [] : readNumbers(results[i]?.list ?? "");
    const isCut = numbers.length === limit;
    return { numbers, from: isCut ? (numbers.at(-1) ?? 0) : 0, isExact: isExact && !isCut };
  });
}

/** Which words to look for in the place of each phrase: its own, its rarest, or none. */
async function planPhrases(
  db: D1Database,
  marks: string[],
  phrases: Phrase[],
  limits: PhraseLimits,
): Promise<{ words: string[]; isExact: boolean }[]> {
  const several = phrases.filter(({ words }) => words.length > 1);
  const counts = await countMessages(db, marks, [...new Set(several.flatMap(({ words }) => words))], limits);
  const countOf = (word: string) => counts.get(word) ?? 0;
  const workOf = ({ words }: Phrase) => words.length * Math.min(...words.map(countOf));
  const fitting = new Set<Phrase>();
  let left = limits.phraseWork;
  for (const phrase of several.toSorted((a, b) => workOf(a) - workOf(b))) {
    left -= workOf(phrase);
    if (left >= 0) fitting.add(phrase);
  }
  return phrases.map((phrase) => {
    const { words, isExcluded } = phrase;
    if (words.length === 1 || fitting.has(phrase)) return { words, isExact: true };
    const [rarest = ""] = words.toSorted((a, b) => countOf(a) - countOf(b));
    return { words: isExcluded ? [rarest] : [], isExact: false };
  });
}

/** How many messages hold each of these words; infinitely many beyond a word's share of the messages to count. */
async function countMessages(
  db: D1Database,
  marks: string[],
  words: string[],
  { phraseCountedMessages }: PhraseLimits,
): Promise<Map<string, number>> {
  if (words.length === 0) return new Map();
  const share = Math.floor(phraseCountedMessages / words.length);
  const { results } = await db
    .prepare(
      `SELECT (SELECT count(*) FROM (SELECT rowid FROM message_words WHERE message_words MATCH word.value LIMIT ?2)) AS count
         FROM json_each(?1) AS word`,
    )
    .bind(JSON.stringify(words.map((word) => toExpression(marks, [word]))), share + 1)
    .all<{ count: number }>();
  return new Map(
    words.map((word, i) => {
      const count = results[i]?.count ?? 0;
      return [word, count > share ? Number.POSITIVE_INFINITY : count];
    }),
  );
}

/** Words one after the other as FTS5 asks for them; words are letters and digits alone, so nothing needs escaping. */
const toExpression = (marks: string[], words: string[]): string =>
  marks.map((mark) => `"${words.map((word) => mark + word).join(" ")}"`).join(" OR ");
