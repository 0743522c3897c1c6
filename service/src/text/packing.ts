import { cutAround, fits } from "./cut.ts";
import type { TextRange } from "./words.ts";

/** A message that could be returned: a match, or a neighbor of one. */
export interface Packable {
  /** Messages with the same group are in the same result. */
  group: number;
  /** Position in the conversation. Neighbors of a match have adjacent positions. */
  place: number;
  /** Null for a neighbor. */
  score: number | null;
  content: string;
  /** Tokens that the message costs besides its content. */
  overhead: number;
  /** Whether only the whole content can be returned. */
  isIndivisible: boolean;
}

export interface Budget {
  tokensMax: number;
  /** Tokens of a content or a part of one. */
  costOf(text: string): number;
  /** Neighbors of each match that may be returned. */
  before: number;
  after: number;
  /** Tokens that each result costs besides its messages. */
  groupOverhead(group: number): number;
  /** The places of the content that match the query. A long content is cut around them. */
  highlight(content: string): TextRange[];
}

/**
 * Share of the budget for the best matches. The rest is for the best match of each other result, then for neighbors,
 * then for further matches.
 */
const MATCHES_SHARE = 0.6;
/** Share up to which the best matches of other results are added. */
const GROUPS_SHARE = 0.8;
/** Share of the budget for one match, and for each of the first `FIRST_MATCHES`. */
const MATCH_SHARE = 0.1;
const FIRST_MATCH_SHARE = 0.2;
const FIRST_MATCHES = 3;
/** Share of what is left that one neighbor may cost. */
const NEIGHBOR_SHARE = 0.25;
/** A match may cost this much even if its share is less. */
const MATCH_TOKENS_MIN = 150;
/** A match is not cut to fewer tokens than this. */
const CUT_TOKENS_MIN = 40;

/**
 * Chooses messages that together cost at most `tokensMax`: first the best matches, then the best match of each result
 * that has none yet, then their neighbors, then further matches. A match that costs more than its share is cut around
 * the words that match.
 *
 * @param items matches in any order, and the neighbors that were read.
 * @returns the range of the content of each chosen message, in the order in which they were chosen.
 */
export function pack<Item extends Packable>(items: readonly Item[], budget: Budget): Map<Item, TextRange> {
  const chosen = new Map<Item, TextRange>();
  const groups = new Set<number>();
  let left = budget.tokensMax;

  /** Adds the item if it costs at most `most` and leaves `kept`. It is cut if that is necessary and allowed. */
  const add = (
    item: Item,
    { most, kept, isCutAllowed }: { most: number; kept: number; isCutAllowed: boolean },
  ) => {
    const { content, group } = item;
    const overhead = item.overhead + (groups.has(group) ? 0 : budget.groupOverhead(group));
    const contentMost = Math.min(most - item.overhead, left - kept - overhead);
    let range: TextRange | null = null;
    if (fits(content, contentMost, budget.costOf)) range = { start: 0, end: content.length };
    else if (isCutAllowed && contentMost >= CUT_TOKENS_MIN)
      range = cutAround(content, budget.highlight(content), contentMost, budget.costOf);
    if (range === null) return;
    chosen.set(item, range);
    groups.add(group);
    left -= overhead + budget.costOf(content.slice(range.start, range.end));
  };

  const matches = items
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.group - b.group || a.place - b.place);
  const addMatch = (match: Item, share: number, kept: number) =>
    add(match, {
      most: match.isIndivisible ? budget.tokensMax : Math.max(MATCH_TOKENS_MIN, share * budget.tokensMax),
      kept,
      isCutAllowed: !match.isIndivisible,
    });
  for (const [index, match] of matches.entries()) {
    const share = index < FIRST_MATCHES ? FIRST_MATCH_SHARE : MATCH_SHARE;
    addMatch(match, share, budget.tokensMax * (1 - MATCHES_SHARE));
  }

  for (const match of matches)
    if (!groups.has(match.group)) addMatch(match, MATCH_SHARE, budget.tokensMax * (1 - GROUPS_SHARE));

  const atPlace = new Map(items.map((item) => [`${item.group} ${item.place}`, item]));
  const best = [...chosen.keys()];
  for (const offset of neighborOffsets(budget)) {
    for (const { group, place } of best) {
      const neighbor = atPlace.get(`${group} ${place + offset}`);
      if (neighbor !== undefined && !chosen.has(neighbor))
        add(neighbor, { most: left * NEIGHBOR_SHARE, kept: 0, isCutAllowed: false });
    }
  }

  for (const match of matches) if (!chosen.has(match)) addMatch(match, MATCH_SHARE, 0);
  return chosen;
}

/** +1, −1, +2, −2, …: the nearest neighbors first, and the following one, which may be a reply, before the other. */
function neighborOffsets({ before, after }: Budget): number[] {
  return Array.from({ length: Math.max(before, after) }, (_, i) => i + 1).flatMap((distance) => [
    ...(distance <= after ? [distance] : []),
    ...(distance <= before ? [-distance] : []),
  ]);
}
