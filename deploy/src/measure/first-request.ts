import { get as getHttp } from "node:http";
import { get as getHttps } from "node:https";
import { quantile, rounded } from "./statistics.ts";

const LATER_REQUESTS = 10;
const RETRY_MS = 2_000;
const TIMEOUT_MS = 10_000;

export interface FirstRequest {
  /** `GET /health`, with a new connection. */
  first_ms: number;
  /** The same again, with a new connection each. */
  later_p50_ms: number;
}

/**
 * Times the first request that a new version answers, and later ones. Undefined if none is answered within `waitMs`.
 *
 * The previous version may have answered the first one: Cloudflare takes some seconds to replace it everywhere.
 */
export async function measureFirstRequest(
  url: string,
  { waitMs, sleep, signal }: { waitMs: number; sleep(ms: number): Promise<void>; signal: AbortSignal },
): Promise<FirstRequest | undefined> {
  let firstMs: number | undefined;
  for (let waitedMs = 0; firstMs === undefined; waitedMs += RETRY_MS) {
    firstMs = await timeHealth(url, signal).catch(() => undefined);
    signal.throwIfAborted();
    if (firstMs === undefined) {
      if (waitedMs >= waitMs) return undefined;
      await sleep(RETRY_MS);
    }
  }
  const later: number[] = [];
  for (let i = 0; i < LATER_REQUESTS; i++) {
    const ms = await timeHealth(url, signal).catch(() => undefined);
    signal.throwIfAborted();
    if (ms !== undefined) later.push(ms);
  }
  return { first_ms: rounded(firstMs), later_p50_ms: rounded(quantile(later, 0.5)) };
}

/** Milliseconds of a request with a connection of its own, which `fetch` would keep and use again. */
function timeHealth(url: string, signal: AbortSignal): Promise<number> {
  const startMs = performance.now();
  const get = url.startsWith("https:") ? getHttps : getHttp;
  const options = { agent: false, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) };
  return new Promise((resolve, reject) => {
    get(`${url}/health`, options, (response) => {
      response.resume();
      response.once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - startMs);
        else reject(new Error(`status ${response.statusCode}`));
      });
    }).once("error", reject);
  });
}
