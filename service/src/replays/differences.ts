import type { RecalledItem, ReplayCause, ReplayDifference } from "@engram/spec";

type Change = Omit<ReplayDifference, "cause">;

/**
 * What differs between the items of a receipt and those of the same request now: items of the receipt in its order, then
 * added ones.
 */
export function differencesOf(before: readonly RecalledItem[], now: readonly RecalledItem[]): Change[] {
  const nowByKey = new Map(now.map((item) => [keyOf(item), item]));
  const beforeKeys = new Set(before.map(keyOf));
  const kept = before.filter((item) => nowByKey.has(keyOf(item)));
  const places = new Map(now.map((item, place) => [keyOf(item), place]));
  const inOrder = longestRise(kept.map((item) => places.get(keyOf(item)) ?? 0));
  const inPlace = new Set(kept.filter((_, i) => inOrder.has(i)).map(keyOf));
  return [
    ...before.flatMap((item): Change[] => {
      const other = nowByKey.get(keyOf(item));
      if (other === undefined) return [{ change: "missing", before: item }];
      if (!isSame(item, other)) return [{ change: "changed", before: item, now: other }];
      return inPlace.has(keyOf(item)) ? [] : [{ change: "moved", before: item, now: other }];
    }),
    ...now.flatMap((item): Change[] => (beforeKeys.has(keyOf(item)) ? [] : [{ change: "added", now: item }])),
  ];
}

/** A message may be in two lists of a context only one after the other, so the list is a part of its place. */
const keyOf = ({ part, id }: RecalledItem): string => `${part} ${id}`;

const isSame = (one: RecalledItem, other: RecalledItem): boolean =>
  one.hash === other.hash &&
  one.content_start === other.content_start &&
  one.content_end === other.content_end;

/** Indexes of a longest rising subsequence of distinct numbers. */
function longestRise(values: readonly number[]): Set<number> {
  /** `ends[n]`: index of the least value at which a rise of `n + 1` values ends. */
  const ends: number[] = [];
  const previous = new Map<number, number>();
  for (const [i, value] of values.entries()) {
    const found = ends.findIndex((end) => (values[end] ?? 0) >= value);
    const length = found < 0 ? ends.length : found;
    const before = ends[length - 1];
    if (before !== undefined) previous.set(i, before);
    ends[length] = i;
  }
  const rise = new Set<number>();
  for (let i = ends.at(-1); i !== undefined; i = previous.get(i)) rise.add(i);
  return rise;
}

/** Causes that an item has by itself, in the order in which they explain what happened to others. */
const OWN_CAUSES = ["deleted", "forgotten", "edited", "newer"] as const satisfies ReplayCause[];
export type OwnCause = (typeof OWN_CAUSES)[number];

/**
 * Gives each change its cause.
 *
 * @param ownCause of an item, or null if nothing happened to it.
 * @param common of all items to which nothing happened; null if there is none.
 */
export function withCauses(
  changes: readonly Change[],
  ownCause: (item: RecalledItem) => OwnCause | null,
  common: ReplayCause | null,
): ReplayDifference[] {
  const owns = changes.map(({ before, now }) => {
    const item = before ?? now;
    return item === undefined ? null : ownCause(item);
  });
  const given = OWN_CAUSES.find((cause) => owns.includes(cause)) ?? "others_changed";
  return changes.map(({ change, ...items }, i) => ({ change, cause: owns[i] ?? common ?? given, ...items }));
}
