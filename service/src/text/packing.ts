import { type Cost, cutAround } from "./cut.ts";
import type { Steps } from "./pace.ts";
import type { TextRange } from "./words.ts";

/** A message or memory that could be returned: a match, or a neighbor of one. */
export interface Packable {
  /** Messages with the same group are in the same result. */
  group: number;
  /** Position in the conversation. Neighbors of a match have adjacent positions. */
  place: number;
  /** Null for a neighbor. */
  score: number | null;
  content: string;
  /** Cost of the content, if it is known. */
  tokens?: number;
  /** Tokens that the message costs besides its content. */
  overhead: number;
}

export interface Budget<Item> {
  tokensMax: number;
  /** Cost of a content or a part of one. */
  cost: Cost;
  /** Neighbors of each match that may be returned. */
  before: number;
  after: number;
  /** Tokens that each result costs besides its messages. */
  groupOverhead(group: number): number;
  /** Tokens that it costs to say which part of a content is shown. */
  cutOverhead: number;
  /** The places of the content that match the query. A long content is cut around them. */
  places(item: Item): Steps<readonly TextRange[]>;
}

/**
 * Share of the budget for the best matches. The rest is for the best match of each other result, then for neighbors,
 * then for further matches.
 */
const MATCHES_SHARE = 0.5;
/** Share up to which the best matches of other results are added. */
const GROUPS_SHARE = 0.7;
/** Tokens of one match at first: they are worth more than what follows in a better match. */
const MATCH_TOKENS = 300;
/** Share of what is left that one neighbor may cost. */
const NEIGHBOR_SHARE = 0.25;
/** A match is not cut to fewer tokens than this. */
export const CUT_TOKENS_MIN = 40;

/**
 * Chooses messages that together cost at most `tokensMax`: first the best matches, then the best match of each result
 * that has none yet, then their neighbors, then further matches. At first, a match has at most 300 tokens, cut around
 * the words that match. What is left in the end makes cut matches longer, the best one first.
 *
 * @param items matches in any order, and the neighbors that were read.
 * @returns the range of the content of each chosen message, in the order in which they were chosen.
 */
export function* pack<Item extends Packable>(
  items: readonly Item[],
  budget: Budget<Item>,
): Steps<Map<Item, TextRange>> {
  const { cost, tokensMax } = budget;
  /** Tokens of the content of each chosen message. */
  const granted = new Map<Item, number>();
  const groups = new Set<number>();
  const counted = new Map<Item, { tokens: number; most: number }>();
  let left = tokensMax;

  /** Cost of the whole content; infinite if it exceeds `most`, above which nothing is counted. */
  const costWithin = function* (item: Item, most: number): Steps<number> {
    let known = counted.get(item) ?? { tokens: item.tokens ?? Number.POSITIVE_INFINITY, most: -1 };
    if (item.tokens === undefined && known.tokens > known.most && most > known.most) {
      known = { tokens: yield* cost(item.content, most), most };
      counted.set(item, known);
    }
    return known.tokens > most ? Number.POSITIVE_INFINITY : known.tokens;
  };

  /** Grants the item up to `most` tokens, if this leaves `kept`. Without `mayCut`, all that it costs or nothing. */
  const grant = function* (
    item: Item,
    { most, kept, mayCut }: { most: number; kept: number; mayCut: boolean },
  ): Steps<void> {
    const before = granted.get(item);
    const heads = groups.has(item.group) ? 0 : budget.groupOverhead(item.group);
    const overhead = before === undefined ? item.overhead + heads : 0;
    const room = Math.min(most, Math.floor(left - kept - overhead) + (before ?? 0));
    // Tokens are counted only if they decide anything, and only up to what is left.
    if (room < 1 || (before !== undefined && room <= before)) return;
    const whole = yield* costWithin(
      item,
      Math.max(room, before === undefined && mayCut ? CUT_TOKENS_MIN : 0),
    );
    const tokens = Math.min(whole, room);
    const least = mayCut ? Math.min(whole, before === undefined ? CUT_TOKENS_MIN : before + 1) : whole;
    if (tokens < least) return;
    granted.set(item, tokens);
    groups.add(item.group);
    left -= overhead + tokens - (before ?? 0);
  };

  const matches = items
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.group - b.group || a.place - b.place);
  const grantFirst = (match: Item, kept: number) => grant(match, { most: MATCH_TOKENS, kept, mayCut: true });
  for (const match of matches) yield* grantFirst(match, tokensMax * (1 - MATCHES_SHARE));

  for (const match of matches)
    if (!groups.has(match.group)) yield* grantFirst(match, tokensMax * (1 - GROUPS_SHARE));

  const atPlace = new Map(items.map((item) => [`${item.group} ${item.place}`, item]));
  const best = [...granted.keys()];
  for (const offset of neighborOffsets(budget)) {
    for (const { group, place } of best) {
      const neighbor = atPlace.get(`${group} ${place + offset}`);
      if (neighbor !== undefined && !granted.has(neighbor))
        yield* grant(neighbor, { most: left * NEIGHBOR_SHARE, kept: 0, mayCut: false });
    }
  }

  for (const match of matches) if (!granted.has(match)) yield* grantFirst(match, 0);
  for (const match of matches)
    if (granted.has(match)) yield* grant(match, { most: tokensMax, kept: 0, mayCut: true });
  const ranges = new Map<Item, TextRange>();
  for (const [item, tokens] of granted) {
    const isWhole = (yield* costWithin(item, tokens)) <= tokens;
    ranges.set(
      item,
      isWhole
        ? { start: 0, end: item.content.length }
        : yield* cutAround(item.content, yield* budget.places(item), tokens - budget.cutOverhead, cost),
    );
  }
  return ranges;
}

/** +1, −1, +2, −2, …: the nearest neighbors first, and the following one, which may be a reply, before the other. */
function neighborOffsets({ before, after }: Pick<Budget<never>, "before" | "after">): number[] {
  return Array.from({ length: Math.max(before, after) }, (_, i) => i + 1).flatMap((distance) => [
    ...(distance <= after ? [distance] : []),
    ...(distance <= before ? [-distance] : []),
  ]);
}
