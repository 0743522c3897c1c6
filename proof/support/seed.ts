import fc from "fast-check";

/** The seed of every property in `npm test`, so that it gives the same answer each time. */
const FIXED_SEED = 1;

fc.configureGlobal({ seed: Number(process.env.ENGRAM_SEED || FIXED_SEED) });
