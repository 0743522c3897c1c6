import { Pace } from "../../src/text/pace.ts";

/** Turns that come after a pause of one's own. */
export const turnsAfter = (pause: () => Promise<void>) => ({ next: pause, end: () => {} });

/** A pace that pauses after every step. */
export const restless = (): Pace =>
  new Pace(
    1,
    turnsAfter(() => new Promise((resolve) => setTimeout(resolve))),
  );

/** A pace that never pauses. */
export const tireless = (): Pace =>
  new Pace(
    Number.POSITIVE_INFINITY,
    turnsAfter(async () => {}),
  );
