import type { Logger, LogLevel } from "./logger.ts";

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call at once, including a wait before a retry. The call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Upper bound on the time of one attempt in milliseconds, including the body. */
  timeoutMs?: number | undefined;
  /**
   * Upper bound on the time of the whole call in milliseconds, including retries and the waits between them.
   * Defaults to the client's deadline, or this call's `timeoutMs` if that is longer.
   */
  deadlineMs?: number | undefined;
  /** How often a failed attempt is retried; 0 for never. */
  maxRetries?: number | undefined;
}

/** Options of a call that creates something. */
export interface WriteOptions extends CallOptions {
  /**
   * Identifies this write for 24 hours, so that a retry has no second effect. The SDK generates a key for
   * every write. Pass your own to retry a write from another process, or an error's `idempotencyKey` to retry
   * after that error.
   */
  idempotencyKey?: string | null | undefined;
}

/** Options of a call that can be made conditional on a version. */
export interface ConditionalOptions extends CallOptions {
  /**
   * Apply the change only if the conversation or memory still has this ETag, which `.withResponse()` returns.
   *
   * Null, the ETag of a response without one, throws a `TypeError`, so a missing ETag never drops the
   * condition.
   */
  ifMatch?: string | null | undefined;
}

/**
 * Wraps every attempt of every call. It can change the request or the response, measure them, or respond
 * itself.
 *
 * `next` passes the request to the following middleware and finally to the network. The request's headers
 * include the API key. Anything thrown counts as a missing response.
 */
export type Middleware = (
  request: Request,
  next: (request: Request) => Promise<Response>,
) => Response | Promise<Response>;

/** Options of a client. */
export interface EngramOptions {
  /**
   * A key of an organization, or the operator's admin token for `organizations`. Never logged or printed.
   *
   * Null when a gateway in front of the service authenticates the caller. Cloudflare Access, for example, uses
   * headers of its own: pass them in `headers`.
   */
  apiKey: string | null;
  /** URL of the service, such as `http://127.0.0.1:8787`. */
  baseUrl: string;
  /** Upper bound on the time of one attempt in milliseconds, including the body; 30,000 by default. */
  timeoutMs?: number | undefined;
  /**
   * Upper bound on the time of a whole call in milliseconds; 120,000 by default, or `timeoutMs` if that is
   * longer.
   */
  deadlineMs?: number | undefined;
  /** How often a failed attempt is retried; 2 by default, 0 for never. */
  maxRetries?: number | undefined;
  /** Replaces the global `fetch`, for example with a service binding, a proxy or a test handler. */
  fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
  /** Middleware for every attempt; the first is the outermost. */
  middleware?: Middleware[] | undefined;
  /** Receives a line for every attempt at or above `logLevel`. By default nothing is logged. */
  logger?: Logger | undefined;
  /**
   * The minimum level to log. The default `warn` logs retried attempts and calls that end without a response
   * or with a server error.
   */
  logLevel?: LogLevel | undefined;
  /** Sent with every request. They cannot replace `authorization`. */
  headers?: Record<string, string> | undefined;
}
