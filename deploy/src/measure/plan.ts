/** Amounts and times of a measurement. All of them are upper bounds. */
export interface Plan {
  /** Appends of one message, and searches, one after the other: enough for a 99th percentile. */
  calls: number;
  /** Time for each of these two, and for the appends of `indexedAppends`. */
  callsMs: number;
  /** Calls that may be in progress at once when the rate is measured. */
  connections: number;
  /** Calls by which a rate is measured. */
  rateCalls: number;
  rateMs: number;
  /** Appends of one message, and of `BATCH_MESSAGES`, that wait until they are indexed. */
  indexedAppends: number;
  /** Largest appends: one alone, and then this number at once. */
  largeAppends: number;
  largeMessages: number;
  /** Messages whose way into semantic search is timed. */
  laggingMessages: number;
  lagMs: number;
  /** Interval of the searches for them. */
  lagPollMs: number;
  /** From the creation of the measured organization to its deletion. */
  totalMs: number;
  /** After this number of failed calls, a phase ends. */
  failuresMax: number;
}

export const BATCH_MESSAGES = 50;
/** Of a message: the mean of the conversations by which docs/deploy.md counts costs. */
export const MESSAGE_BYTES = 242;
/** Of one message of the largest append, so that 1,000 of them with their roles are just below the limit of 2 MiB. */
export const LARGE_MESSAGE_BYTES = 2_000;

/** docs/deploy.md has the arithmetic of its cost and time, and a test compares it with both limits. */
export const PLAN: Plan = {
  calls: 100,
  callsMs: 35_000,
  connections: 16,
  rateCalls: 400,
  rateMs: 10_000,
  indexedAppends: 10,
  largeAppends: 3,
  largeMessages: 1_000,
  laggingMessages: 5,
  lagMs: 150_000,
  lagPollMs: 2_000,
  totalMs: 200_000,
  failuresMax: 5,
};
