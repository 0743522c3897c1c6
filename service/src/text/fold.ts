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

/** Characters without a shape of their own, between which a word goes on. */
const HIDDEN = String.raw`\u00ad\u200b-\u200d\u2060\ufeff`;
const ANY_HIDDEN = new RegExp(`[${HIDDEN}]`);
/**
 * Within a word, they hide it from a search. A zero-width space is a border of words in scripts without spaces, and a
 * zero-width non-joiner divides a word of Arabic letters from its ending.
 */
const HIDDEN_IN_WORD =
  /(?<=[\p{L}\p{M}\p{N}])(?:[\u00ad\u2060\ufeff]|\u200d|(?<!\p{sc=Arab})\u200c|(?<![\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Han}])\u200b)+(?=[\p{L}\p{M}\p{N}])/gu;
/** A word as it is written, with the hidden characters in it. */
export const WRITTEN_WORD = new RegExp(
  String.raw`[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+|[${HIDDEN}]+[\p{L}\p{N}\p{M}]+)*`,
  "gu",
);

/** Removes the characters that cannot be seen from within words. */
export const withoutHidden = (text: string): string =>
  ANY_HIDDEN.test(text) ? text.replace(HIDDEN_IN_WORD, "") : text;

const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;
const SEMITIC = /[\u0590-\u06ff]/;
/** Vowel signs and the sign that only lengthens a word. */
const VOWEL_SIGNS =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g;
/** Letters that are written in several ways, or differently at the end of a word. */
const VARIANTS: Record<string, string> = {
  ...{ أ: "ا", إ: "ا", آ: "ا", ٱ: "ا", ى: "ي", ی: "ي", ئ: "ي", ؤ: "و", ة: "ه", ک: "ك" },
  ...{ ך: "כ", ם: "מ", ן: "נ", ף: "פ", ץ: "צ" },
};
const VARIANT = new RegExp(`[${Object.keys(VARIANTS).join("")}]`, "g");

/**
 * Folds words for the keyword index: {@link fold}, and all digits are those of ASCII, Arabic and Hebrew words have no
 * vowel signs, and their letters have one form.
 */
export function foldWords(text: string): string {
  const folded = fold(text);
  if (ASCII.test(folded)) return folded;
  const digits = folded.replace(FOREIGN_DIGIT, toDigit);
  return SEMITIC.test(digits)
    ? digits.replace(VOWEL_SIGNS, "").replace(VARIANT, (letter) => VARIANTS[letter] ?? letter)
    : digits;
}

/** The digit of ASCII. Each script has its digits in order, without another digit before its zero. */
export function toDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/** Lower case with accents, as rules for endings read words. In Turkish, the lower case of İ is i. */
export const toLowerWords = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text
        .replace(TOO_MANY_MARKS, "$1")
        .normalize("NFKC")
        .toLowerCase()
        .replaceAll("i\u0307", "i")
        .replace(FOREIGN_DIGIT, toDigit);
