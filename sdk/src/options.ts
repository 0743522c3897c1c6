import type { Logger, LogLevel } from "./logger.ts";

/** How one call is made. */
export interface CallOptions {
  /** Ends the call at once, also while it waits to be repeated; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Most milliseconds of one attempt, its body included. */
  timeoutMs?: number | undefined;
  /**
   * Most milliseconds of the whole call: attempts and the waits between them. By default the client's, or
   * `timeoutMs` of this call if that is longer.
   */
  deadlineMs?: number | undefined;
  /** How often a failed attempt is repeated; 0 for never. */
  maxRetries?: number | undefined;
}

/** How one call that creates something is made. */
export interface WriteOptions extends CallOptions {
  /**
   * Names this write for 24 hours: the same call again is done once. The SDK makes one for every write; pass
   * your own to repeat a write from another process, or the one of an error to go on after it.
   */
  idempotencyKey?: string | null | undefined;
}

/** How one call that another's change may forbid is made. */
export interface ConditionalOptions extends CallOptions {
  /**
   * Act only if the conversation or memory still has this ETag, as `.withResponse()` gives it. Null, the ETag
   * of an answer without one, is refused with a `TypeError`, so that a missing ETag never lifts the condition.
   */
  ifMatch?: string | null | undefined;
}

/**
 * Stands around every attempt of every call: changes the request or its answer, times it, answers by itself.
 *
 * `next` sends the request on, through the middleware that follows and at last over the network. The key is
 * among the request's headers. What is thrown counts as no answer.
 */
export type Middleware = (
  request: Request,
  next: (request: Request) => Promise<Response>,
) => Response | Promise<Response>;

/** How a client is made. */
export interface EngramOptions {
  /**
   * A key of an organization, or the operator's admin token for `organizations`. Never logged or printed. Null where
   * something in front of the service says who calls, as Cloudflare Access does by `headers` of its own.
   */
  apiKey: string | null;
  /** Where the service is, as `http://127.0.0.1:8787`. */
  baseUrl: string;
  /** Most milliseconds of one attempt, its body included; 30,000 by default. */
  timeoutMs?: number | undefined;
  /** Most milliseconds of a whole call; 120,000 by default, or `timeoutMs` if that is longer. */
  deadlineMs?: number | undefined;
  /** How often a failed attempt is repeated; 2 by default, 0 for never. */
  maxRetries?: number | undefined;
  /** Sends a request in place of the global `fetch`: a service binding, a proxy, a test's handler. */
  fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
  /** Stand around every attempt, the first outermost. */
  middleware?: Middleware[] | undefined;
  /** Told of every attempt from `logLevel` on; by default nothing is logged. */
  logger?: Logger | undefined;
  /** The least that `logger` is told; `warn` by default: attempts that are repeated, and calls that fail. */
  logLevel?: LogLevel | undefined;
  /** Sent with every request; they cannot replace `authorization`. */
  headers?: Record<string, string> | undefined;
}
