import { Pace } from "../../src/text/pace.ts";

/** A pace that pauses after every step. */
export const restless = (): Pace => new Pace(1, () => new Promise((resolve) => setTimeout(resolve)));

/** A pace that never pauses. */
export const tireless = (): Pace => new Pace(Number.POSITIVE_INFINITY, async () => {});
