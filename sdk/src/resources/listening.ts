import type { Call } from "../call.ts";
import { ApiError, EngramError } from "../errors.ts";
import { EVENT_WAIT_SECONDS_MAX, EVENTS_PAGE_MAX } from "../generated/limits.ts";
import type { Event, EventPage, operations } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";
import { retryMs, sleep } from "../transport.ts";
import { readSocket } from "./event-socket.ts";
import type { EventFilters, EventPosition, ReadSteps } from "./event-steps.ts";
import { isNoStream, readStream } from "./event-stream.ts";

type WireQuery = NonNullable<operations["listEvents"]["parameters"]["query"]>;

/** Which events to list, and how long to wait for one. All filters must match. */
export interface ListEventsQuery extends Omit<WireQuery, "after"> {
  /** Position after which events are returned. Default: the oldest event in the log. */
  after?: EventPosition | undefined;
}

/** An option of a loop that has no end. */
export interface SignalOption {
  /** Ends the loop, also while it waits. The loop then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Which events to listen to. All filters must match. */
export interface ListenOptions extends EventFilters, SignalOption {
  /** Position after which events are returned. Default: `now`. */
  after?: EventPosition | undefined;
}

/** Time limit of a request that waits, and of each wait for more of a stream: 15 to 25 s, and time for a slow connection. */
const WAIT_TIMEOUT_MS = 40_000;
const PAUSE_MAX_MS = 30_000;
/** A connection that lasted this long counts as a success, also without events. */
const LASTED_MS = 10_000;

export const listEvents = (
  http: Http,
  { after, ...query }: ListEventsQuery,
  options: CallOptions,
): Call<EventPage> =>
  http.call(options, (client, init) =>
    client.GET("/v1/events", {
      ...init,
      params: { query: { ...query, ...(after === undefined ? {} : { after: String(after) }) } },
    }),
  );

/** Yields steps by requests that wait, where responses cannot be streamed. */
const readPages: ReadSteps = async function* (http, start, filters, options) {
  for (let after = start; ; ) {
    // A request from `now` does not wait: if its response were lost, the next one would begin later.
    const wait = after === "now" ? {} : { wait_seconds: EVENT_WAIT_SECONDS_MAX };
    const page = await listEvents(http, { ...filters, ...wait, after, limit: EVENTS_PAGE_MAX }, options);
    for (const event of page.items) yield { after: event.sequence, event };
    after = page.after;
    yield { after, event: null };
  }
};

/**
 * Yields the events after a position, over one connection after another: a WebSocket, or a stream where it does not
 * open, or requests that wait. Each continues after the last step, so no event comes twice and none is missed, wherever
 * a connection breaks.
 */
export async function* listen(
  http: Http,
  { signal = new AbortController().signal, after: start = "now", ...filters }: ListenOptions,
): AsyncGenerator<Event, void, undefined> {
  const options = { signal, timeoutMs: WAIT_TIMEOUT_MS, maxRetries: 0 };
  let after = start;
  let read = http.WebSocket ? readSocket : readStream;
  for (let failures = 0; ; failures++) {
    const startAt = performance.now();
    const from = after;
    let hasBegun = false;
    let askedMs: number | null = null;
    try {
      for await (const step of read(http, after, filters, options)) {
        hasBegun = true;
        if (step.after <= Number(after)) continue;
        ({ after } = step);
        if (step.event !== null) yield step.event;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (read === readStream && isNoStream(error, hasBegun)) {
        read = readPages;
        continue;
      }
      const isFinal =
        read === readSocket
          ? error instanceof ApiError
          : !(error instanceof EngramError) || retryMs(error, failures) === null;
      if (isFinal) throw error;
      if (error instanceof ApiError) askedMs = error.retryAfterMs;
    }
    if (read === readSocket && !hasBegun) {
      read = readStream;
      continue;
    }
    // A stream ends itself after minutes. By then, a socket may open.
    if (http.WebSocket && hasBegun) read = readSocket;
    if (after !== from || performance.now() - startAt > LASTED_MS) failures = 0;
    await sleep(askedMs ?? Math.random() * Math.min(PAUSE_MAX_MS, 500 * 2 ** failures), signal);
  }
}
