import { splitWords } from "./words.ts";

/** D1 ends a string at 2,000,000 bytes, and the words of one message travel as one. */
const WORDS_BYTES_MAX = 1_400_000;

const encoder = new TextEncoder();

/**
 * The words of texts as the keyword index takes them: each behind its organization's number.
 *
 * Of a text with more words than fit, every distinct word comes before any repeat: it is found by each
 * of them and only counts as less often said. In real writing all of a million bytes fit this way.
 */
export function toIndexedWords(
  organizationNumber: number,
  texts: string[],
): { words: string; token_count: number }[] {
  return splitWords(texts).map((words) => {
    const marked = words.map((word) => `${organizationNumber}~${word}`);
    const all = marked.join(" ");
    // No character takes more than three bytes, so that most texts need not be measured.
    if (all.length * 3 <= WORDS_BYTES_MAX || bytesOf(all) <= WORDS_BYTES_MAX) {
      return { words: all, token_count: marked.length };
    }
    const kept = fit(marked);
    return { words: kept.join(" "), token_count: kept.length };
  });
}

/**
 * The words of a speaker's name as the keyword index takes them, so that what somebody said is found by
 * who said it; null without a name.
 */
export function toNameWords(organizationNumber: number, name: string | null): string | null {
  const [words = []] = name === null ? [] : splitWords([name]);
  return words.length === 0 ? null : words.map((word) => `${organizationNumber}~${word}`).join(" ");
}

const bytesOf = (text: string): number => encoder.encode(text).byteLength;

function fit(words: string[]): string[] {
  const distinct = new Set(words);
  const met = new Set<string>();
  const repeats = words.filter((word) => met.size === met.add(word).size);
  let room = WORDS_BYTES_MAX;
  const kept: string[] = [];
  for (const word of [...distinct, ...repeats]) {
    room -= bytesOf(word) + 1;
    if (room < 0) break;
    kept.push(word);
  }
  return kept;
}
