/** One word of a text, lower-cased, and how many of the model's tokens it takes. */
interface Word {
  text: string;
  tokens: number;
}

/** Longest word, in UTF-16 units, that is split into pieces; a longer one is one unknown token, as in bge. */
const PIECED_LENGTH_MAX = 100;
/** Letters that a piece of an unknown word holds. */
const PIECE_LENGTH = 4;

const WORD_OR_MARK = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
const WORD = /^[\p{L}\p{N}]/u;
/** Scripts that are written without blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const APOSTROPHE = /^['’]$/;
/** What stands behind an apostrophe in English: "dog's", "don't", "we'll". */
const CONTRACTION = /^(s|t|d|m|ll|re|ve)$/;
const SINGLE_LETTER = /^[a-z]$/;

let segmenter: Intl.Segmenter | undefined;

/**
 * The words of a text in order, up to where its tokens exceed `tokensMax`; the rest is cut off.
 *
 * Marks count a token each and are not words. Single Latin letters and the tails of contractions carry
 * no meaning: they count but are left out.
 *
 * @param isKnown whether the vocabulary holds a word: it then takes one token, otherwise one for four letters.
 */
export function* splitWords(
  text: string,
  tokensMax: number,
  isKnown: (word: string) => boolean,
): Generator<string, void, undefined> {
  let tokens = 0;
  let previous = "";
  for (const [found] of text.matchAll(WORD_OR_MARK)) {
    const isTail = APOSTROPHE.test(previous) && CONTRACTION.test(found.toLowerCase());
    previous = found;
    for (const word of WORD.test(found) ? splitRun(found, tokensMax, isKnown) : [{ text: "", tokens: 1 }]) {
      tokens += word.tokens;
      if (tokens > tokensMax) return;
      if (word.text !== "" && !isTail && !SINGLE_LETTER.test(word.text)) yield word.text;
    }
  }
}

/** The words of a run of letters and digits: one, or several in scripts without blanks. */
function* splitRun(
  run: string,
  tokensMax: number,
  isKnown: (word: string) => boolean,
): Generator<Word, void, undefined> {
  if (!UNSPACED.test(run)) {
    const text = normalize(run);
    const isWhole = text.length > PIECED_LENGTH_MAX || isKnown(text);
    yield { text, tokens: isWhole ? 1 : Math.ceil(text.length / PIECE_LENGTH) };
    return;
  }
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  // A character is at most two units and at least a token: the rest of a book-long run is never reached.
  for (const { segment } of segmenter.segment(run.slice(0, 2 * tokensMax))) {
    yield { text: normalize(segment), tokens: [...segment].length };
  }
}

/** One spelling for what looks alike: full-width letters, ligatures, capitals. */
function normalize(word: string): string {
  return word.normalize("NFKC").toLowerCase();
}
