import { stopWordsOf } from "./languages.ts";
import { countModelTokens } from "./model-tokens.ts";
import type { Steps } from "./pace.ts";
import type { Stem } from "./stems.ts";
import { type Language, STOP_WORDS } from "./stop-words.ts";
import { shareOfMessages } from "./word-frequencies.ts";
import { splitInSteps } from "./words.ts";

/** A sentence that may be chosen. */
export interface Candidate {
  text: string;
  /** Factor of its score. */
  weight: number;
}

export interface ExtractLimits {
  sentences: number;
  tokens: number;
}

/** Candidates that are compared with one another: those with the highest scores of their own. */
const COMPARED_MAX = 120;
/** Added to the number of words of a sentence, so that a sentence of one rare word does not outweigh all others. */
const WORDS_ADDED = 6;
/** Share of a word's weight that counts once a chosen sentence has the word. */
const REPEATED_SHARE = 0.1;
/** Share of letters and digits below which a text is a table, a rule or data. */
const WRITTEN_SHARE_MIN = 0.6;
/** A run of characters that is no word of any language, such as a hash. */
const DATA_CHARACTERS = 40;

let stopWords: ReadonlySet<string> | undefined;
const allStopWords = (): ReadonlySet<string> => {
  stopWords ??= new Set(
    (Object.keys(STOP_WORDS) as Language[]).flatMap((language) => [...stopWordsOf(language)]),
  );
  return stopWords;
};

/**
 * Chooses the sentences that have the most of the rare words of all of them, in their order. A word is rare if few
 * messages of any conversation have it, and few of these sentences. Each further sentence counts for the words that the
 * ones before it lack.
 */
export function* chooseSentences<One extends Candidate>(
  stem: Stem,
  candidates: readonly One[],
  limits: ExtractLimits,
): Steps<One[]> {
  const read: Read<One>[] = [];
  const sentencesWith = new Map<string, number>();
  for (const [place, candidate] of candidates.entries()) {
    if (!isWritten(candidate.text)) continue;
    const { words } = yield* splitInSteps(stem, candidate.text, allStopWords());
    const distinct = new Set(words.filter((word) => word.length < DATA_CHARACTERS));
    for (const word of distinct) sentencesWith.set(word, (sentencesWith.get(word) ?? 0) + 1);
    if (distinct.size > 0) read.push({ candidate, place, words: distinct, length: words.length });
  }
  const weightOf = (word: string): number =>
    -Math.log2(shareOfMessages(word)) * (1 - (sentencesWith.get(word) ?? 0) / (read.length + 1));
  const known = new Set<string>();
  const gainOf = ({ candidate, words, length }: Read<One>): number => {
    let sum = 0;
    for (const word of words) sum += weightOf(word) * (known.has(word) ? REPEATED_SHARE : 1);
    return (candidate.weight * sum) / (length + WORDS_ADDED);
  };
  const left = read
    .map((one) => ({ one, gain: gainOf(one) }))
    .sort((a, b) => b.gain - a.gain || a.one.place - b.one.place)
    .slice(0, COMPARED_MAX)
    .map(({ one }) => one);
  const chosen: Read<One>[] = [];
  let tokens = 0;
  while (chosen.length < limits.sentences && left.length > 0) {
    const best = bestOf(left, gainOf);
    left.splice(left.indexOf(best), 1);
    const cost = countModelTokens(best.candidate.text);
    if (tokens + cost > limits.tokens && chosen.length > 0) continue;
    tokens += cost;
    chosen.push(best);
    for (const word of best.words) known.add(word);
  }
  return chosen.sort((a, b) => a.place - b.place).map(({ candidate }) => candidate);
}

interface Read<One> {
  candidate: One;
  place: number;
  words: ReadonlySet<string>;
  /** Number of its words that are no function words. */
  length: number;
}

/** The first with the highest gain. */
function bestOf<One>(list: readonly Read<One>[], gainOf: (one: Read<One>) => number): Read<One> {
  const [first, ...others] = list as [Read<One>, ...Read<One>[]];
  let best = first;
  let gain = gainOf(first);
  for (const one of others) {
    const own = gainOf(one);
    if (own < gain || (own === gain && one.place > best.place)) continue;
    best = one;
    gain = own;
  }
  return best;
}

function isWritten(text: string): boolean {
  const visible = text.replace(/\s/g, "").length;
  const written = text.match(/[\p{L}\p{M}\p{N}]/gu)?.length ?? 0;
  return written > 0 && written >= WRITTEN_SHARE_MIN * visible;
}
