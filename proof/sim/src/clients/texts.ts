import type { Random } from "../random.ts";

const WORDS =
  "the kettle leaks refund order bank Tuesday shipped maria harbor deploy rollback fetchUserById naïve Straße 東京 ตลาด привет مرحبا".split(
    " ",
  );

/** Characters that other stores have lost, truncated or changed. */
const AWKWARD = [
  "\0",
  "\ufeff",
  "\u2028",
  "\uffff",
  "\u{10ffff}",
  "\r\n",
  "e\u0301",
  "  ",
  "👩‍👩‍👧",
  "\u202e",
  '"',
  "\\",
  "';--",
  "\t",
  "~",
];

/** A message's unique word. No other message has it, and no stemmer changes it. */
export const wordOf = (marker: number): string => String(1_000_000 + marker);

/** The unique word of a text; empty when it has none. */
export const wordIn = (text: string): string => /\d{7}/.exec(text)?.[0] ?? "";

/** Message text: usually short, sometimes empty, awkward, or long enough for several vectors. */
export function randomText(random: Random, marker: number): string {
  const length = random.weigh({ none: 1, odd: 2, short: 14, long: 1, longest: 0.1 });
  if (length === "none") return "";
  const word = () => random.pick(WORDS);
  const words = (count: number) => Array.from({ length: count }, word).join(" ");
  const mark = wordOf(marker);
  if (length === "odd")
    return `${random.pick(AWKWARD)} ${mark} ${random.pick(AWKWARD)}${random.pick(AWKWARD)}`;
  if (length === "short") return `${words(random.between(0, 6))} ${mark} ${words(random.between(0, 6))}`;
  const lines = random.between(4, length === "long" ? 12 : 100);
  return [mark, ...Array.from({ length: lines }, () => `${words(12)}.`)].join("\n");
}

/** Memory text: like message text, but never empty. */
export const randomNote = (random: Random, marker: number): string =>
  randomText(random, marker) || wordOf(marker);
