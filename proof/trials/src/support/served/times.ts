/** Longest visibility lag of the vector store in any trial. */
export const VISIBILITY_LAG_MS = 30_000;

/**
 * Times of background work in the services of some trials, in place of those of `service/src/limits.ts`. All are
 * shorter, in the same order, so that a trial waits for seconds and not for minutes.
 */
export const SHORT_TIMES = {
  indexLeaseMs: 10_000,
  indexRetryMinMs: 3_000,
  indexRetryMaxMs: 4_000,
  indexPauseMs: 1_000,
  deleteConfirmMs: 15_000,
  enrichPauseMs: 5_000,
  enrichRetryMs: 3_000,
  enrichRetryMaxMs: 20_000,
  archiveTakeoverMs: 3_000,
};

/** The same, where vectors have a visibility lag. */
export const SHORT_TIMES_WITH_LAG = {
  ...SHORT_TIMES,
  deleteConfirmMs: VISIBILITY_LAG_MS + SHORT_TIMES.deleteConfirmMs,
};
