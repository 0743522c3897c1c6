/** Whether this is `npm run test:full`, which runs every test at its full size. */
export const isFull = process.env.ENGRAM_FULL === "1";

/**
 * The size of a test: `full` in `npm run test:full`, `quick` in `npm test`.
 *
 * CI runs `npm test`, and then the files that import this one at their full size.
 */
export const scale = (full: number, quick: number): number => (isFull ? full : quick);

/** The cases of a test: all in `npm run test:full`, else `quick` of them, evenly spaced. */
export function sample<Case>(cases: readonly Case[], quick: number): Case[] {
  const step = isFull ? 1 : Math.max(1, cases.length / quick);
  return cases.filter((_, i) => i === Math.floor(Math.ceil(i / step) * step));
}
