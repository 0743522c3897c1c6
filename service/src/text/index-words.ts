import { splitWords } from "./words.ts";

/** D1 ends a string at 2,000,000 bytes; a row of the index travels as one. */
const ROW_BYTES_MAX = 1_900_000;
/** How often a word counts in a text whose row would be longer, first try first. */
const REPEATS_MAX = [64, 8, 1];

const encoder = new TextEncoder();

/**
 * The words of texts as the keyword index takes them: each behind its organization's number.
 *
 * A text of about a million bytes can have more than a row holds. Then words that it repeats often count
 * less often, which BM25 hardly sees; only where that does not do, its last words are left out.
 */
export function toIndexedWords(
  organizationNumber: number,
  texts: string[],
): { words: string; token_count: number }[] {
  return splitWords(texts).map((words) => {
    const marked = fit(words.map((word) => `${organizationNumber}~${word}`));
    return { words: marked.join(" "), token_count: marked.length };
  });
}

function fit(words: string[]): string[] {
  let fitting = words;
  for (const repeats of REPEATS_MAX) {
    if (rowBytes(fitting) <= ROW_BYTES_MAX) return fitting;
    fitting = withoutRepeats(words, repeats);
  }
  let bytes = 0;
  return fitting.filter((word) => {
    bytes += rowBytes([word]);
    return bytes <= ROW_BYTES_MAX;
  });
}

function withoutRepeats(words: string[], repeats: number): string[] {
  const counts = new Map<string, number>();
  return words.filter((word) => {
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    return count <= repeats;
  });
}

/** Length of a row in bytes, with the blank behind each word. */
const rowBytes = (words: string[]): number => encoder.encode(words.join(" ")).byteLength + 1;
