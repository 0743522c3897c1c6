import stem from "wink-porter2-stemmer";

/** Longest word kept, in characters; the rest of it is cut off, in texts and queries alike. */
const WORD_CHARACTERS_MAX = 64;
/** Most words of one query that are looked for. */
const QUERY_WORDS_MAX = 48;

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’]\p{L}+)*/gu;
const NO_SPACES = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
// Not a lookbehind: over a long run of marks that takes time by its square.
const MARKS_TO_DROP = /([\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])\p{M}+/gu;
/**
 * Marks beyond what any writing stacks, with the two that NFKC makes into marks: putting such a run in
 * order takes time by its square (UAX #15, section 13).
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
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
  with would you your`.split(/\s+/),
);

/**
 * The words of texts, in order, as they stand in the keyword index: case and accents folded, English
 * stemmed (Porter 2), Chinese, Japanese, Thai, Lao, Khmer and Burmese cut into words.
 *
 * Accents go only where they follow Latin, Greek or Cyrillic: elsewhere they are part of the letter.
 */
export function splitWords(texts: string[]): string[][] {
  const segmenter = createSegmenter();
  const stemOnce = createStemmer();
  return texts.map((text) => unstemmedWords(segmenter, text).map(stemOnce));
}

/**
 * The distinct words of a query that are worth looking for; all of them when none stands out.
 *
 * Of a whole text pasted as a query the longest words stay, which are the rarest as a rule: each word
 * costs a pass over everywhere it stands.
 */
export function queryWords(query: string): string[] {
  const words = unstemmedWords(createSegmenter(), query);
  // Before stemming: "does" only asks, "doe" may be a name.
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  const [stems = []] = splitWords([(telling.length > 0 ? telling : words).join(" ")]);
  const distinct = [...new Set(stems)];
  if (distinct.length <= QUERY_WORDS_MAX) return distinct;
  return distinct.sort((a, b) => b.length - a.length).slice(0, QUERY_WORDS_MAX);
}

/** A stretch of a text: from `start` up to and without `end`, in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * A function that tells where words stand in a text as it is written, in order: each word that `wanted`
 * holds in the form that `queryWords` gives, at most `count` of them. Nothing overlaps.
 */
export function createWordFinder(wanted: ReadonlySet<string>, count: number): (text: string) => TextRange[] {
  const segmenter = createSegmenter();
  const stemOnce = createStemmer();
  const isWanted = (segment: string) =>
    unstemmedWords(segmenter, segment).some((word) => wanted.has(stemOnce(word)));
  return (text) => {
    const ranges: TextRange[] = [];
    for (const { 0: run, index } of text.matchAll(WORD)) {
      const parts = NO_SPACES.test(run) ? segmenter.segment(run) : [{ segment: run, index: 0 }];
      for (const { segment, index: at } of parts) {
        if (!isWanted(segment)) continue;
        ranges.push({ start: index + at, end: index + at + segment.length });
        if (ranges.length === count) return ranges;
      }
    }
    return ranges;
  };
}

/** Stemming costs most of the time, and texts repeat their words. */
function createStemmer(): (word: string) => string {
  const stems = new Map<string, string>();
  return (word) => {
    if (!ENGLISH.test(word)) return word;
    const known = stems.get(word);
    if (known !== undefined) return known;
    const stemmed = stem(word);
    stems.set(word, stemmed);
    return stemmed;
  };
}

const createSegmenter = () => new Intl.Segmenter("en", { granularity: "word" });

function unstemmedWords(segmenter: Intl.Segmenter, text: string): string[] {
  return (fold(text).match(WORD) ?? [])
    .flatMap((run) => (NO_SPACES.test(run) ? segments(segmenter, run) : [withoutApostrophes(run)]))
    .map((word) => word.slice(0, WORD_CHARACTERS_MAX).toWellFormed());
}

function fold(text: string): string {
  return text
    .replace(TOO_MANY_MARKS, "$1")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[ßøłđæœı]/g, (letter) => LETTERS_WITHOUT_PARTS[letter] ?? letter)
    .normalize("NFD")
    .replace(MARKS_TO_DROP, "$1")
    .normalize("NFC");
}

function segments(segmenter: Intl.Segmenter, run: string): string[] {
  return [...segmenter.segment(run)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

function withoutApostrophes(word: string): string {
  return word.replace(/['’]s$/, "").replace(/['’]/g, "");
}
