import { onTestFinished, vi } from "vitest";
import { Engram, type EngramOptions } from "../../src/index.ts";

/** The response to one request in this process. */
export type Answer = (request: Request) => Response | Promise<Response>;

/** Never responds. */
export const silence: Answer = () => new Promise(() => {});

/** A response that begins with this text and never ends. */
export const stall =
  (text: string, headers: Record<string, string> = {}): Answer =>
  () => {
    const begin = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new TextEncoder().encode(text));
    return new Response(new ReadableStream({ start: begin }), { headers });
  };

/**
 * Stops the clock until the end of the test, for clients that respond to requests with these answers in turn, then
 * with the last. No network is used, so only timers take time.
 */
export function stopClock(...answers: [Answer, ...Answer[]]) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  /** `atMs`: milliseconds since the clock was stopped. */
  const attempts: { url: string; headers: Headers; body: string; atMs: number }[] = [];
  const startAt = performance.now();
  const elapsedMs = () => performance.now() - startAt;
  const fetch = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const answer = answers[Math.min(attempts.length, answers.length - 1)] ?? silence;
    const attempt = { url: pathname + search, headers: request.headers, body: "", atMs: elapsedMs() };
    attempts.push(attempt);
    attempt.body = await request.clone().text();
    return answer(request);
  };
  const client = (options: Partial<EngramOptions> = {}) =>
    new Engram({ apiKey: "engram_sk_live_test", baseUrl: "http://engram.test", fetch, ...options });
  return { attempts, client, elapsedMs };
}

/** The result of a promise, while the clock advances from timer to timer. */
export async function passTime<T>(promise: PromiseLike<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  while (!isSettled) await vi.advanceTimersToNextTimerAsync();
  return promise;
}
