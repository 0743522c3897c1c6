import createClient, { type Client } from "openapi-fetch";
import { type Answer, type Call, toCall } from "./call.ts";
import type { paths } from "./generated/schema.ts";
import { atLevel } from "./logger.ts";
import type {
  CallOptions,
  ConditionalOptions,
  EngramOptions,
  WebSocketConstructor,
  WriteOptions,
} from "./options.ts";
import { toApiError, unexpectedResponse } from "./problem.ts";
import { openLines, type Policy, readLines, sendRepeatedly } from "./transport.ts";
import { wellFormed } from "./well-formed.ts";

const TIMEOUT_MS = 30_000;
const DEADLINE_MS = 120_000;
const MAX_RETRIES = 2;

interface Init {
  signal?: AbortSignal;
  fetch: (request: Request) => Promise<Response>;
}
type Start<T> = (client: Client<paths>, init: Init) => Promise<{ data?: T; response: Response }>;

/** Sends the requests of all resources (`engram.conversations`, …) of one client. */
export class Http {
  /**
   * openapi-fetch's client, with the key, timeouts and retries of this object. For an error response, it resolves to
   * `{ error }`, whereas `call` throws.
   */
  readonly client: Client<paths>;
  readonly baseUrl: string;
  /** Opens the sockets that events come by, if any. */
  readonly WebSocket: WebSocketConstructor | null | undefined;
  readonly #policy: Policy;

  /** @throws {TypeError} when the key or the URL is invalid. The error's message never contains the key. */
  constructor(options: EngramOptions) {
    if (typeof options !== "object" || options === null)
      throw new TypeError("The options must be an object, such as { apiKey, baseUrl }");
    const { timeoutMs = TIMEOUT_MS, maxRetries = MAX_RETRIES } = options;
    const deadlineMs = options.deadlineMs ?? Math.max(DEADLINE_MS, timeoutMs);
    // The global `fetch` is read at each call, because a test or a framework may replace it later.
    const send = async (request: Request) => (options.fetch ?? globalThis.fetch)(request);
    const fetch = (options.middleware ?? []).reduceRight<Policy["fetch"]>(
      (next, middleware) => async (request) => middleware(request, next),
      send,
    );
    // A socket passes through neither of the two.
    const isDirect = !options.fetch && !options.middleware?.length;
    this.WebSocket = options.webSocket === undefined && isDirect ? globalThis.WebSocket : options.webSocket;
    const { logger, logLevel = "warn" } = options;
    const log = logger === undefined ? () => {} : atLevel(logger, logLevel);
    this.#policy = { fetch, log, timeoutMs, deadlineMs, maxRetries };
    this.baseUrl = checkBaseUrl(options.baseUrl ?? readEnvironment("ENGRAM_URL"));
    this.client = createClient<paths>({
      baseUrl: this.baseUrl,
      headers: {
        ...options.headers,
        ...toAuthorization(options.apiKey === undefined ? readEnvironment("ENGRAM_API_KEY") : options.apiKey),
      },
      pathSerializer: fillPath,
      fetch: async (request) => (await sendRepeatedly(request, this.#policy)).response,
    });
  }

  /**
   * Sends a request with the retries and time limits of these options.
   *
   * @param start Starts the request with the given client and options.
   * @param repeatable True for a POST that may be retried without an idempotency key, because a repeat has no further
   *   effect. By default, such a POST is not retried.
   */
  call<T>(options: CallOptions, start: Start<T>, repeatable?: boolean): Call<T> {
    const policy = this.#policyOf(options);
    let data: unknown;
    const fetch = async (request: Request): Promise<Response> => {
      const { response, mayHaveApplied } = await sendRepeatedly(request, policy, repeatable);
      const context = { idempotencyKey: request.headers.get("idempotency-key"), mayHaveApplied };
      if (!response.ok) throw await toApiError(response, context);
      const text = await response.text();
      try {
        data = JSON.parse(text);
      } catch {
        throw unexpectedResponse(response, context);
      }
      // Not `response.clone()`: Cloudflare Workers warn if the body of one of the two is never read.
      return new Response(text, response);
    };
    // `parseAs: "stream"` keeps openapi-fetch from reading the body of the new response, so that the caller of
    // `asResponse` can read it. `fetch` above has parsed the JSON, so that invalid JSON becomes an `ApiError`.
    const init = { fetch, parseAs: "stream", ...(options.signal && { signal: options.signal }) };
    // The request is built before this method returns, so that the caller may then change the object passed as body.
    const begin = async () => start(this.client, init);
    return toCall(begin().then(({ response }) => toAnswer(data as T, response)));
  }

  /** Sends a request and yields each line of a response of this content type as it arrives. A failure is not retried. */
  async *lines(
    options: CallOptions,
    type: string,
    start: Start<unknown>,
  ): AsyncGenerator<string, void, undefined> {
    const policy = this.#policyOf(options);
    let request: Request | undefined;
    const fetch = async (built: Request): Promise<Response> => {
      request = built;
      return openLines(built, type, policy);
    };
    // `parseAs: "stream"` keeps openapi-fetch from reading the whole body.
    const init = { fetch, parseAs: "stream", ...(options.signal && { signal: options.signal }) };
    const { response } = await start(this.client, init);
    if (request !== undefined) yield* readLines(request, response, policy);
  }

  #policyOf({ timeoutMs, deadlineMs, maxRetries }: CallOptions): Policy {
    const client = this.#policy;
    return {
      fetch: client.fetch,
      log: client.log,
      timeoutMs: timeoutMs ?? client.timeoutMs,
      deadlineMs: deadlineMs ?? Math.max(client.deadlineMs, timeoutMs ?? 0),
      maxRetries: maxRetries ?? client.maxRetries,
    };
  }
}

/** The header that makes a write safe to retry. A new idempotency key is generated unless the caller passes one. */
export function idempotencyHeader({ idempotencyKey }: WriteOptions) {
  return { "idempotency-key": idempotencyKey ?? newIdempotencyKey() };
}

export function ifMatchHeader({ ifMatch }: ConditionalOptions) {
  if (ifMatch === null) throw new TypeError("ifMatch is null: the response that it comes from had no ETag");
  return ifMatch === undefined ? {} : { "if-match": ifMatch };
}

/** 128 random bits in hexadecimal. `crypto.randomUUID` is not used, because web pages without TLS lack it. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toAnswer<T>(data: T, response: Response): Answer<T> {
  const { headers } = response;
  return { data, response, requestId: headers.get("x-request-id"), etag: headers.get("etag") };
}

/**
 * Puts ids into a path.
 *
 * @throws {TypeError} for an empty id, `.` and `..`, with which the URL would have a different path.
 */
function fillPath(path: string, ids: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (typeof id !== "string") throw new TypeError(`${name} must be a string, not ${id}`);
    if (id === "") throw new TypeError(`${name} must not be empty`);
    if (/^\.{1,2}$/.test(id)) throw new TypeError(`${name} must be an id, not ${id}`);
    // An id with half of a surrogate pair is not found, like any other unknown id.
    return encodeURIComponent(wellFormed(id));
  });
}

/** The value of an environment variable; undefined in a runtime without a process, or one that denies access. */
function readEnvironment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

/** Checks the key before it is used as a header, because the platform's error for an invalid header contains it. */
function toAuthorization(apiKey: string | null | undefined): Record<string, string> {
  if (apiKey === null) return {};
  if (!apiKey)
    throw new TypeError(
      "apiKey is missing: pass a key of the service, such as engram_sk_live_…, or set ENGRAM_API_KEY",
    );
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError("apiKey must be a key: visible ASCII characters without blanks, line breaks or …");
  }
  return { authorization: `Bearer ${apiKey}` };
}

function checkBaseUrl(baseUrl: string | undefined): string {
  if (!baseUrl)
    throw new TypeError(
      "baseUrl is missing: pass the URL of the service, such as http://127.0.0.1:26366, or set ENGRAM_URL",
    );
  const { protocol, username, pathname, search, hash } = toUrl(baseUrl) ?? { protocol: "" };
  if (!/^https?:$/.test(protocol))
    throw new TypeError("baseUrl must be an http or https URL, such as http://127.0.0.1:26366");
  if (username || search || hash)
    throw new TypeError("baseUrl must be an http or https URL without user, query and fragment");
  if (pathname?.endsWith("/v1") || pathname?.endsWith("/v1/"))
    throw new TypeError("baseUrl must be the URL of the service: leave out /v1, which the client adds");
  return baseUrl.replace(/\/+$/, "");
}

function toUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
