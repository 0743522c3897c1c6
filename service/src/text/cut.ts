import type { TextRange } from "./words.ts";

type Cost = (text: string) => number;

/** A cut begins or ends between words if there is a blank within this many characters. */
const WORD_CHARACTERS_MAX = 40;
/** Share of a cut that precedes the matching words. What follows them explains more. */
const BEFORE_SHARE = 0.3;
/** Characters that one token stands for at most: three letters and a space. */
const TOKEN_CHARACTERS_MAX = 4;

/** Whether a text is short enough that it may cost at most `tokensMax`. Counts no tokens. */
export const mayFit = (text: string, tokensMax: number): boolean =>
  text.length <= TOKEN_CHARACTERS_MAX * (tokensMax + 1);

/** Whether a text costs at most `tokensMax`. */
export const fits = (text: string, tokensMax: number, costOf: Cost): boolean =>
  mayFit(text, tokensMax) && costOf(text) <= tokensMax;

/**
 * The part of the content with the most matching places that costs at most `tokensMax`. Without matching places, its
 * beginning.
 *
 * @param places the matching places, in order.
 */
export function cutAround(
  content: string,
  places: readonly TextRange[],
  tokensMax: number,
  costOf: Cost,
): TextRange {
  const characters = fittingLength(content, tokensMax, costOf);
  if (characters === content.length) return { start: 0, end: characters };
  const { first, last } = densest(places, characters);
  const spare = Math.max(0, characters - (last - first));
  const wanted = Math.min(first - Math.floor(spare * BEFORE_SHARE), content.length - characters);
  const start = startOfWord(content, Math.max(0, wanted));
  return { start, end: start + fittingLength(content.slice(start), tokensMax, costOf) };
}

/** The stretch of at most `characters` with the most matching places; the first of those with as many. */
function densest(places: readonly TextRange[], characters: number): { first: number; last: number } {
  let best = { first: 0, last: 0, count: 0 };
  for (let from = 0, to = 0; from < places.length; from++) {
    const first = places[from]?.start ?? 0;
    while (to < places.length && (places[to]?.end ?? 0) - first <= characters) to++;
    if (to - from > best.count) best = { first, last: places[to - 1]?.end ?? first, count: to - from };
  }
  return best;
}

/** Length of the longest beginning of the text that costs at most `tokensMax`, ended between words. */
function fittingLength(text: string, tokensMax: number, costOf: Cost): number {
  if (fits(text, tokensMax, costOf)) return text.length;
  let [low, high] = [0, Math.min(text.length, TOKEN_CHARACTERS_MAX * (tokensMax + 1))];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (costOf(text.slice(0, middle)) <= tokensMax) low = middle;
    else high = middle;
  }
  const blank = text.slice(0, low).search(/\s\S*$/);
  return blank > 0 && low - blank <= WORD_CHARACTERS_MAX ? blank : withoutHalf(text, low);
}

function startOfWord(content: string, at: number): number {
  if (at === 0) return 0;
  const word = content.slice(at, at + WORD_CHARACTERS_MAX).search(/(?<=\s)\S/);
  return word < 0 ? withoutHalf(content, at) : at + word;
}

/** Moves a position within a surrogate pair to the start of the pair. */
const withoutHalf = (text: string, at: number): number =>
  /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1)) && /^[\uD800-\uDBFF]/.test(text.slice(at - 1, at))
    ? at - 1
    : at;
