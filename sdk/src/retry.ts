/** Longest wait that a server may ask for; a longer one is left to the caller. */
const RETRY_AFTER_MAX_MS = 60_000;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 8_000;
const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504];

/**
 * Milliseconds that `Retry-After` asks for; null when it is absent or neither seconds nor a date.
 *
 * A date is measured against the server's own clock where it tells it, because ours may be wrong.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  // `Date.parse` alone would take "-1" for the year 2001.
  const at = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return null;
  const serverNow = Date.parse(headers.get("date") ?? "");
  return Math.max(0, at - (Number.isNaN(serverNow) ? nowMs : serverNow));
}

/** Milliseconds to wait before a retry: up to 0.5 s, then 1 s, 2 s, 4 s, 8 s; `random` is 0 to 1. */
export function backoffMs(retries: number, random: number): number {
  return random * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** retries);
}

/** Milliseconds to wait before an answer is asked for again; null when it is final. */
export function answerRetryMs(
  response: Pick<Response, "status" | "headers">,
  retries: number,
  { nowMs, random }: { nowMs: number; random: number },
): number | null {
  const asked = retryAfterMs(response.headers, nowMs);
  // A conflict that will pass says so: an earlier request under the same idempotency key is under way.
  const willPass = response.status === 409 && asked !== null;
  if (!willPass && !RETRIED_STATUSES.includes(response.status)) return null;
  if (asked === null) return backoffMs(retries, random);
  return asked <= RETRY_AFTER_MAX_MS ? asked : null;
}
