import type { TextRange } from "./words.ts";

/** Tokens of a text. If they are more than `tokensMax`, the result may be any larger number. */
export type Cost = (text: string, tokensMax?: number) => number;

/** A cut begins or ends between words if there is a blank within this many characters. */
const WORD_CHARACTERS_MAX = 40;
/** Share of a cut that precedes the matching words. What follows them explains more. */
const BEFORE_SHARE = 0.3;
/** Characters of a token of English, of which a first guess of the length of a cut is made. */
const TOKEN_CHARACTERS = 4;
/** A cut that costs this share of what it may is long enough. */
const FULL_SHARE = 0.97;

/**
 * Where a memory is cut: at the words of the query in the chunk that matches by meaning. If there are none, at the words
 * elsewhere, and in a memory without any of the words at the chunk.
 */
export function placesInChunk(words: readonly TextRange[], chunk: TextRange | null): readonly TextRange[] {
  if (chunk === null) return words;
  if (words.length === 0) return [chunk];
  const inside = words.filter(({ start, end }) => start >= chunk.start && end <= chunk.end);
  return inside.length > 0 ? inside : words;
}

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
  cost: Cost,
): TextRange {
  const characters = fittingLength(content, tokensMax, cost);
  if (characters === content.length) return { start: 0, end: characters };
  const { first, last } = densest(places, characters);
  const spare = Math.max(0, characters - (last - first));
  const wanted = Math.min(first - Math.floor(spare * BEFORE_SHARE), content.length - characters);
  const start = startOfWord(content, Math.max(0, wanted));
  return { start, end: start + fittingLength(content.slice(start), tokensMax, cost) };
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

/** Length of a beginning of the text that costs at most `tokensMax`, and little less, ended between words. */
function fittingLength(text: string, tokensMax: number, cost: Cost): number {
  if (cost(text, tokensMax) <= tokensMax) return text.length;
  let [low, high] = [0, text.length];
  for (let guess = tokensMax * TOKEN_CHARACTERS; high - low > 1; ) {
    const length = guess > low && guess < high ? guess : (low + high) >>> 1;
    const tokens = cost(text.slice(0, length));
    if (tokens <= tokensMax) low = length;
    else high = length;
    if (tokens <= tokensMax && tokens >= FULL_SHARE * tokensMax) break;
    guess = Math.floor((length * tokensMax) / Math.max(1, tokens));
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
