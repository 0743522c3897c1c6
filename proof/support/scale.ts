// Sizes of tests: small in `npm test`, full in `npm run test:full`.

/** Whether this is `npm run test:full`. */
const isFull = process.env.ENGRAM_FULL === "1";

/** The size of a test: `full` in `npm run test:full`, `quick` in `npm test`. */
export const scale = (full: number, quick: number): number => (isFull ? full : quick);

/** The cases of a test: all in `npm run test:full`, else `quick` of them, evenly spaced. */
export function sample<Case>(cases: readonly Case[], quick: number): Case[] {
  const step = Math.max(1, cases.length / quick);
  return cases.filter((_, i) => isFull || i === Math.floor(Math.ceil(i / step) * step));
}
