import { onTestFinished, vi } from "vitest";
import { Engram, type EngramOptions } from "../../src/index.ts";

/** What happens to one request in this process. */
export type Answer = (request: Request) => Response | Promise<Response>;

/** No answer comes. */
export const silence: Answer = () => new Promise(() => {});

/** An answer begins with this text and does not go on. */
export const stall =
  (text: string, headers: Record<string, string> = {}): Answer =>
  () => {
    const begin = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new TextEncoder().encode(text));
    return new Response(new ReadableStream({ start: begin }), { headers });
  };

/**
 * Stops the clock until the end of the test, for clients that answer each request as the next answer says, then all as
 * the last. No network takes part, so nothing takes time but what waits for the clock.
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

/** What a promise settles to, while the clock goes on from timer to timer. */
export async function passTime<T>(promise: PromiseLike<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  while (!isSettled) await vi.advanceTimersToNextTimerAsync();
  return promise;
}
