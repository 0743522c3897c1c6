/** A run of letters, digits and their marks. */
export const WORD = /[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)*/gu;

// Not a lookbehind: over a long run of marks that takes time by its square.
const MARKS_TO_DROP = /([\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])\p{M}+/gu;
/**
 * Marks beyond what any writing stacks, with the two that NFKC makes into marks: putting such a run in
 * order takes time by its square (UAX #15, section 13).
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too
const ASCII = /^[\u0000-\u007f]*$/;
const LETTERS_WITHOUT_PARTS: Record<string, string> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  æ: "ae",
  œ: "oe",
  ı: "i",
};

/**
 * A text with case and accents folded.
 *
 * Accents go only where they follow Latin, Greek or Cyrillic: elsewhere they are part of the letter.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .replace(TOO_MANY_MARKS, "$1")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[ßøłđæœı]/g, (letter) => LETTERS_WITHOUT_PARTS[letter] ?? letter)
    .normalize("NFD")
    .replace(MARKS_TO_DROP, "$1")
    .normalize("NFC");
}
