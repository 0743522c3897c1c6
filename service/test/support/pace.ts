import { Pace } from "../../src/text/pace.ts";

/** Turns that begin after the given pause. */
export const turnsAfter = (pause: () => Promise<void>) => ({ next: pause, end: () => {} });

export const restless = (): Pace =>
  new Pace(
    1,
    turnsAfter(() => new Promise((resolve) => setTimeout(resolve))),
  );

export const tireless = (): Pace =>
  new Pace(
    Number.POSITIVE_INFINITY,
    turnsAfter(async () => {}),
  );
