import { Engram } from "@engram/sdk";
import { inject } from "vitest";

/** A client of the shared test service, with every scope. */
export const client = new Engram({ baseUrl: inject("url"), apiKey: inject("key") });

/** A client that loses `times` responses after the service has applied the request. */
export function clientThatLosesAnswers(times: number): Engram {
  let left = times;
  return new Engram({
    baseUrl: inject("url"),
    apiKey: inject("key"),
    maxRetries: 0,
    fetch: async (request) => {
      const response = await fetch(request);
      if (left === 0 || request.method === "GET" || request.url.endsWith("/conversations")) return response;
      left -= 1;
      await response.body?.cancel();
      throw new TypeError("the connection broke");
    },
  });
}
