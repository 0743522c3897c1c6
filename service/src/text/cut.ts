import { SPLIT_TOKENS } from "./model-tokens.ts";
import type { Steps } from "./pace.ts";
import { isDivided, pairStart, partEnd } from "./parts.ts";
import type { TextRange } from "./words.ts";

/** Tokens of a text. If they are more than `tokensMax`, the result may be any larger number. */
export type Cost = (text: string, tokensMax?: number) => Steps<number>;

/** A cut begins or ends between words if there is a blank within this many characters. */
const WORD_CHARACTERS_MAX = 40;
/** Share of a cut that precedes the matching words. What follows them explains more. */
const BEFORE_SHARE = 0.3;
/** Share of the tokens that a cut leaves unused if the parts of a text cost less than the text itself. */
const SPARED_SHARE = 0.01;

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
export function* cutAround(
  content: string,
  places: readonly TextRange[],
  tokensMax: number,
  cost: Cost,
): Steps<TextRange> {
  const characters = yield* fittingEnd(content, 0, tokensMax, cost);
  if (characters === content.length || places.length === 0) return { start: 0, end: characters };
  const { first, last } = densest(places, characters);
  const spare = Math.max(0, characters - (last - first));
  const wanted = Math.min(first - Math.floor(spare * BEFORE_SHARE), content.length - characters);
  const start = startOfWord(content, Math.max(0, wanted));
  return { start, end: start === 0 ? characters : yield* fittingEnd(content, start, tokensMax, cost) };
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

/**
 * Where the longest part of the text that begins at `start` and costs at most `tokensMax` ends; between words if possible.
 *
 * Adds up the costs of short parts, so that the work follows `tokensMax`, not the length of the text.
 */
function* fittingEnd(text: string, start: number, tokensMax: number, cost: Cost): Steps<number> {
  for (let spared = 0; spared < 1; spared = Math.max(SPARED_SHARE, 2 * spared)) {
    const room = Math.floor((1 - spared) * tokensMax);
    const end = endOfWord(text, start, yield* reach(text, start, room, cost));
    if ((yield* cost(text.slice(start, end), tokensMax)) <= tokensMax) return end;
  }
  return start;
}

/** The longest part that begins at `start` and fits, by the costs of its parts. It may end within a word. */
function* reach(text: string, start: number, tokensMax: number, cost: Cost): Steps<number> {
  let left = tokensMax;
  for (let from = start; from < text.length; ) {
    const end = partEnd(text, from);
    const tokens = yield* cost(text.slice(from, end), left);
    if (tokens > left) return yield* reachWithin(text, from, end, left, cost);
    left -= tokens + (isDivided(text, end) ? SPLIT_TOKENS : 0);
    from = end;
  }
  return text.length;
}

/** {@link reach} within a short part that does not fit. Tries the ends of words, then the characters of a long word. */
function* reachWithin(text: string, from: number, to: number, left: number, cost: Cost): Steps<number> {
  const fits = function* (end: number): Steps<boolean> {
    return (yield* cost(text.slice(from, end), left)) <= left;
  };
  const words = [
    from,
    ...Array.from(text.slice(from, to).matchAll(/(?<=\S)(?=\s)/g), ({ index }) => from + index),
  ];
  const last = yield* lastFitting(words.length, (i) => fits(words[i] ?? from));
  const word = words[last] ?? from;
  const next = words[last + 1] ?? to;
  if (next - word <= WORD_CHARACTERS_MAX) return word;
  return word + (yield* lastFitting(next - word, (characters) => fits(word + characters)));
}

/** The last number below `count` that fits, by binary search. 0 always fits. */
function* lastFitting(count: number, fits: (number: number) => Steps<boolean>): Steps<number> {
  let [low, high] = [0, count];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (yield* fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The end of the last whole word up to a position, if a blank is near. */
function endOfWord(text: string, start: number, at: number): number {
  if (at === text.length || /\s/.test(text.charAt(at))) return at;
  const from = Math.max(start + 1, at - WORD_CHARACTERS_MAX);
  const blank = text.slice(from, at).search(/\s\S*$/);
  return blank >= 0 ? from + blank : pairStart(text, at);
}

function startOfWord(content: string, at: number): number {
  if (at === 0) return 0;
  const word = content.slice(at, at + WORD_CHARACTERS_MAX).search(/(?<=\s)\S/);
  return word < 0 ? pairStart(content, at) : at + word;
}
