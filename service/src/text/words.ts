import stem from "wink-porter2-stemmer";

/** Longest word kept, in characters; the rest of it is cut off, in texts and queries alike. */
const WORD_CHARACTERS_MAX = 64;

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)*/gu;
const NO_SPACES = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
const MARKS_TO_DROP = /(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]\p{M}*)\p{M}/gu;
const LETTERS_WITHOUT_PARTS: Record<string, string> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  æ: "ae",
  œ: "oe",
  ı: "i",
};
const ENGLISH = /^[a-z]+$/;

/** What questions are made of and no answer turns on. */
const STOP_WORDS = new Set(
  `a about am an and any are as at be been but by can could did do does for from get had has have he her
  hers him his how i if in into is it its just me my of on or our she should so some than that the their
  them then there these they this those to us was we were what when where which who whom whose why will
  with would you your`
    .split(/\s+/)
    .map((word) => stem(word)),
);

/**
 * The words of texts, in order, as they stand in the keyword index: case and accents folded, English
 * stemmed (Porter 2), Chinese, Japanese, Thai, Lao, Khmer and Burmese cut into words.
 *
 * Accents go only where they follow Latin, Greek or Cyrillic: elsewhere they are part of the letter.
 */
export function splitWords(texts: string[]): string[][] {
  const segmenter = new Intl.Segmenter("en", { granularity: "word" });
  // Stemming costs most of the time and texts repeat their words.
  const stems = new Map<string, string>();
  const stemOnce = (word: string): string => {
    if (!ENGLISH.test(word)) return word;
    const known = stems.get(word);
    if (known !== undefined) return known;
    const stemmed = stem(word);
    stems.set(word, stemmed);
    return stemmed;
  };
  return texts.map((text) =>
    (fold(text).match(WORD) ?? [])
      .flatMap((run) => (NO_SPACES.test(run) ? segments(segmenter, run) : [withoutApostrophes(run)]))
      .map((word) => stemOnce(word.slice(0, WORD_CHARACTERS_MAX).toWellFormed())),
  );
}

/** The distinct words of a query that are worth looking for; all of them when none stands out. */
export function queryWords(query: string): string[] {
  const words = [...new Set(splitWords([query])[0])];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[ßøłđæœı]/g, (letter) => LETTERS_WITHOUT_PARTS[letter] ?? letter)
    .normalize("NFD")
    .replace(MARKS_TO_DROP, "")
    .normalize("NFC");
}

function segments(segmenter: Intl.Segmenter, run: string): string[] {
  return [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

function withoutApostrophes(word: string): string {
  return word.replace(/['’]s$/, "").replace(/['’]/g, "");
}
