import { splitWords } from "./words.ts";

/** The words of texts as the keyword index takes them: each behind its organization's number. */
export function toIndexedWords(
  organizationNumber: number,
  texts: string[],
): { words: string; token_count: number }[] {
  return splitWords(texts).map((words) => ({
    words: words.map((word) => `${organizationNumber}~${word}`).join(" "),
    token_count: words.length,
  }));
}
