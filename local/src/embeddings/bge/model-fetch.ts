import { ReadableStream } from "node:stream/web";
import { networkReason } from "./network-reason.ts";

/**
 * A `fetch` that records its first failure. transformers.js, which uses it, ignores some failures, and
 * reports others without saying that the network failed.
 */
export function createModelFetch(): { fetch: typeof fetch; readonly failure: string | undefined } {
  let failure: string | undefined;
  const note = (url: string, error: unknown): void => {
    failure ??= `${url}: ${networkReason(error)}`;
  };
  return {
    async fetch(input, init) {
      const url = String(input);
      try {
        const response = await fetch(input, init);
        if (!response.ok) failure ??= `${url} answered ${response.status}`;
        const body =
          response.body && ReadableStream.from(watched(response.body, (error) => note(url, error)));
        return new Response(body, response);
      } catch (error) {
        note(url, error);
        throw error;
      }
    },
    get failure() {
      return failure;
    },
  };
}

async function* watched<T>(body: AsyncIterable<T>, note: (error: unknown) => void): AsyncGenerator<T> {
  try {
    yield* body;
  } catch (error) {
    note(error);
    throw error;
  }
}
