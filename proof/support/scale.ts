// Sizes of tests. Mark a test that takes its size from here with `{ tags: ["sized"] }`: CI runs `npm test`, and then
// `npm run test:full -- --rest`, which runs the tests with that tag alone.

/** Whether this is `npm run test:full`, which runs every test at its full size. */
export const isFull = process.env.ENGRAM_FULL !== undefined && process.env.ENGRAM_FULL !== "";
/** Whether `npm test` has run before: only tests with the tag run, without the cases that it took. */
export const isRest = process.env.ENGRAM_FULL === "rest";

/** The size of a test: `full` in `npm run test:full`, `quick` in `npm test`. */
export const scale = (full: number, quick: number): number => (isFull ? full : quick);

/**
 * The cases of a test: all in `npm run test:full`, else `quick` of them, evenly spaced. With `--rest`, all but those.
 */
export function sample<Case>(cases: readonly Case[], quick: number): Case[] {
  const step = Math.max(1, cases.length / quick);
  const isQuick = (i: number) => i === Math.floor(Math.ceil(i / step) * step);
  return cases.filter((_, i) => (isFull ? !isRest || !isQuick(i) : isQuick(i)));
}
