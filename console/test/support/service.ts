import { vi } from "vitest";

/** Secret of a key that no service knows. */
export const SECRET = `engram_sk_live_${"a".repeat(38)}`;
export const REQUEST_ID = "req_06e3tqz8m1k4v9x2c7d0";

/** Waits for a condition, for as long as a test may take. */
export const until = (check: () => void): Promise<void> =>
  vi.waitFor(check, { timeout: 60_000, interval: 5 });

export type Answer = (url: URL, init: { method: string; body: unknown }) => Response | Promise<Response>;

/** Answers the page's requests in place of a service. @returns The requests, in order. */
export function answerWith(answer: Answer): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: Request | string | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    asked.push(`${request.method} ${url.pathname}${url.search}`);
    // As on a network, other work goes on until the answer comes. A page that asks again and again would keep it waiting.
    await new Promise<void>((resolve) => void setTimeout(resolve));
    // The log of events has nothing new, for as long as the page listens.
    const isListening = url.searchParams.has("wait_seconds") || url.pathname === "/v1/events/stream";
    if (isListening) return unanswered(request.signal);
    const text = await request.text();
    return answer(url, { method: request.method, body: text === "" ? undefined : JSON.parse(text) });
  });
  return asked;
}

const unanswered = (signal: AbortSignal): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": status < 400 ? "application/json" : "application/problem+json",
      "x-request-id": REQUEST_ID,
    },
  });

/** A problem as the service writes it. */
export const problem = (status: number, code: string, detail: string): Response =>
  json({ type: "about:blank", title: "Not done", status, code, detail, request_id: REQUEST_ID }, status);

/**
 * Connects the tabs of a test with one another, and with no other test. Messages arrive as in a browser: as copies, and
 * later. None arrives before `begun`.
 */
export function connectTabs(begun: Promise<void> = Promise.resolve()): void {
  const open = new Set<Tab>();
  class Tab {
    readonly #name: string;
    onmessage: ((event: { data: unknown }) => void) | null = null;
    constructor(name: string) {
      this.#name = name;
      open.add(this);
    }
    postMessage(data: unknown): void {
      for (const other of open)
        if (other !== this && other.#name === this.#name)
          void begun.then(() => open.has(other) && other.onmessage?.({ data: structuredClone(data) }));
    }
    close(): void {
      open.delete(this);
    }
  }
  vi.stubGlobal("BroadcastChannel", Tab);
}
