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

/** Options of a call that has an idempotency key. */
export interface WriteOptions extends CallOptions {
  /**
   * A string that identifies this write for 24 hours: the service applies requests with the same idempotency key
   * once. By default, the SDK generates one for every write. Pass your own to repeat a write from another process, or
   * an error's `idempotencyKey` to repeat the call that failed.
   */
  idempotencyKey?: string | null | undefined;
}

/** Options of a call that can be made conditional on a version. */
export interface ConditionalOptions extends CallOptions {
  /**
   * Apply the change only if the conversation or memory still has this ETag (version), which `.withResponse()`
   * returns.
   *
   * Null throws a `TypeError`. It comes from the `etag` of a response without an ETag, and the change would be applied
   * without the check.
   */
  ifMatch?: string | null | undefined;
}

/**
 * A function that runs around every attempt of every call. It can change the request or the response, measure them,
 * or return a response of its own.
 *
 * `next` passes the request to the following middleware and finally to the network. The request's headers include the
 * API key. If a middleware throws, the attempt counts as one without a response.
 */
export type Middleware = (
  request: Request,
  next: (request: Request) => Promise<Response>,
) => Response | Promise<Response>;

/** The type of the global `WebSocket`, or `unknown` where the types of the runtime have none, as those of Node 20. */
export type WebSocketConstructor = typeof globalThis extends { WebSocket: infer Known } ? Known : unknown;

/** Options of a client. */
export interface EngramOptions {
  /**
   * A key of an organization. Default: the environment variable `ENGRAM_API_KEY`. For `organizations.create`, the admin token instead, a secret that the person who runs
   * the service holds. The SDK never logs or prints it.
   *
   * Null if a gateway in front of the service, such as Cloudflare Access, authenticates the caller by other headers.
   * Pass these in `headers`.
   */
  apiKey?: string | null | undefined;
  /** URL of the service, such as `http://127.0.0.1:26366`. Default: the environment variable `ENGRAM_URL`. */
  baseUrl?: string | undefined;
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
  /**
   * Opens WebSockets, by which `events.listen` and `conversations.follow` receive events. By default the global
   * `WebSocket`; none if there is a `fetch` or `middleware`, which a WebSocket would bypass. Null: events come as a
   * stream over HTTP.
   */
  webSocket?: WebSocketConstructor | null | undefined;
  /** Middleware for every attempt. The first one is called first, and its `next` calls the second. */
  middleware?: Middleware[] | undefined;
  /** Receives a line for every attempt at or above `logLevel`. By default nothing is logged. */
  logger?: Logger | undefined;
  /**
   * The minimum level to log. The default `warn` logs retried attempts and calls that end without a response
   * or with a server error.
   */
  logLevel?: LogLevel | undefined;
  /** Headers to send with every request. Unless `apiKey` is null, it replaces an `authorization` header given here. */
  headers?: Record<string, string> | undefined;
}
