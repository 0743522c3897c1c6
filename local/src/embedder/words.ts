/** In UTF-16 code units. The rest of a longer word is ignored. */
const WORD_LENGTH_MAX = 100;

const WORD_OR_MARK = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
const WORD = /^[\p{L}\p{N}]/u;
/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const APOSTROPHE = /^['’]$/;
/** What follows the apostrophe in "dog's", "don't" and "we'll". */
const CONTRACTION = /^(s|t|d|m|ll|re|ve)$/;
const ASCII = /^[\u0020-\u007e]*$/;
const SINGLE_LETTER = /^[a-z]$/i;

let segmenter: Intl.Segmenter | undefined;

/**
 * Yields the first `wordsMax` words of a text. Skips punctuation, single Latin letters and the ends of
 * contractions, which have no meaning of their own.
 */
export function* splitWords(text: string, wordsMax: number): Generator<string, void, undefined> {
  let words = 0;
  let previous = "";
  for (const [found] of text.matchAll(WORD_OR_MARK)) {
    const isTail = APOSTROPHE.test(previous) && CONTRACTION.test(found.toLowerCase());
    previous = found;
    if (isTail || !WORD.test(found)) continue;
    for (const word of splitRun(found, wordsMax)) {
      if (SINGLE_LETTER.test(word)) continue;
      if (++words > wordsMax) return;
      yield word;
    }
  }
}

function* splitRun(run: string, wordsMax: number): Generator<string, void, undefined> {
  if (!UNSPACED.test(run)) {
    yield normalize(run);
    return;
  }
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  // The slice is long enough for `wordsMax` words of one character each, because a character has at most two
  // UTF-16 code units.
  for (const { segment } of segmenter.segment(run.slice(0, 2 * wordsMax))) yield normalize(segment);
}

function normalize(word: string): string {
  const kept = word.slice(0, WORD_LENGTH_MAX);
  if (ASCII.test(kept)) return kept;
  return kept
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC");
}
