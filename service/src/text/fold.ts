export const WORD = /[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)*/gu;

// The letter is matched by a group and not by a lookbehind, which would need quadratic time for a long run of marks.
const MARKS_TO_DROP = /([\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])\p{M}+/gu;
/**
 * Matches more combining marks (accents) in a row than any script has. Normalization sorts marks, which needs quadratic
 * time for a long run (UAX #15, section 13). The two other characters become marks in NFKC.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII includes control characters
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
 * Converts to lower case and removes accents. In scripts other than Latin, Greek and Cyrillic, accents are part of the
 * letter and stay.
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
