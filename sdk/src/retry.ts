/**
 * The longest `Retry-After` that is obeyed. If the server asks for more, the call fails instead of waiting.
 */
const RETRY_AFTER_MAX_MS = 60_000;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 8_000;
const NUMBER = /^\d+(\.\d+)?$/;

/**
 * 501 Not Implemented, 505 HTTP Version Not Supported and 507 Insufficient Storage, because a retry would get the same
 * response.
 */
const NEVER_RETRIED_STATUSES = [501, 505, 507];

/**
 * How long a response asks the client to wait, in milliseconds: from `retry-after-ms`, which some gateways send, or
 * else from `Retry-After`. Null if neither is present and valid.
 *
 * `Retry-After` can be a date. It is compared with the response's `Date` header if there is one, because the clock of
 * this machine may be wrong.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const exact = headers.get("retry-after-ms")?.trim() ?? "";
  if (NUMBER.test(exact)) return Number(exact);
  const text = headers.get("retry-after")?.trim() ?? "";
  if (NUMBER.test(text)) return Number(text) * 1_000;
  // `Date.parse` alone would read "-1" as the year 2001.
  const at = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return null;
  const serverNow = Date.parse(headers.get("date") ?? "");
  return Math.max(0, at - (Number.isNaN(serverNow) ? nowMs : serverNow));
}

/**
 * Milliseconds to wait before a retry, after `retries` earlier ones: `random` (0 to 1) times 0.5 s before the first,
 * then 1 s, 2 s, 4 s, and 8 s before every later one.
 */
export function backoffMs(retries: number, random: number): number {
  return random * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** retries);
}

/** Milliseconds to wait after this response before a retry; null if the call is not retried. */
export function answerRetryMs(
  response: Pick<Response, "status" | "headers">,
  retries: number,
  { nowMs, random }: { nowMs: number; random: number },
): number | null {
  if (!mayPass(response.status)) return null;
  const asked = retryAfterMs(response.headers, nowMs);
  if (asked === null) return backoffMs(retries, random);
  return asked <= RETRY_AFTER_MAX_MS ? asked : null;
}

/**
 * Whether a retry may succeed after a response with this status. Any 5xx status but three counts, because proxies use
 * statuses of their own: Cloudflare returns 520 to 527 and 530, and some overloaded services return 529.
 */
function mayPass(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && !NEVER_RETRIED_STATUSES.includes(status));
}
