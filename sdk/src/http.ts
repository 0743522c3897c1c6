import createClient, { type Client } from "openapi-fetch";
import { type Answer, type Call, toCall } from "./call.ts";
import type { paths } from "./generated/schema.ts";
import { atLevel } from "./logger.ts";
import type { CallOptions, ConditionalOptions, EngramOptions, WriteOptions } from "./options.ts";
import { toApiError, unexpectedResponse } from "./problem.ts";
import { openLines, type Policy, readLines, sendRepeatedly } from "./transport.ts";

const TIMEOUT_MS = 30_000;
const DEADLINE_MS = 120_000;
const MAX_RETRIES = 2;

interface Init {
  signal?: AbortSignal;
  fetch: (request: Request) => Promise<Response>;
}
type Start<T> = (client: Client<paths>, init: Init) => Promise<{ data?: T; response: Response }>;

/** The connection that all resources share. */
export class Http {
  /**
   * openapi-fetch's client, with the same key, timeouts and retries, but it resolves to `{ data, error }`.
   */
  readonly client: Client<paths>;
  readonly #policy: Policy;

  /** @throws {TypeError} when the key or the URL is invalid. Its message never contains the key. */
  constructor(options: EngramOptions) {
    const { timeoutMs = TIMEOUT_MS, maxRetries = MAX_RETRIES } = options;
    const deadlineMs = options.deadlineMs ?? Math.max(DEADLINE_MS, timeoutMs);
    // Looked up at each call, so that a later replacement of the global `fetch` takes effect.
    const send = async (request: Request) => (options.fetch ?? globalThis.fetch)(request);
    const fetch = (options.middleware ?? []).reduceRight<Policy["fetch"]>(
      (next, middleware) => async (request) => middleware(request, next),
      send,
    );
    const { logger, logLevel = "warn" } = options;
    const log = logger === undefined ? () => {} : atLevel(logger, logLevel);
    this.#policy = { fetch, log, timeoutMs, deadlineMs, maxRetries };
    this.client = createClient<paths>({
      baseUrl: checkBaseUrl(options.baseUrl),
      headers: { ...options.headers, ...toAuthorization(options.apiKey) },
      pathSerializer: fillPath,
      fetch: async (request) => (await sendRepeatedly(request, this.#policy)).response,
    });
  }

  /**
   * @param repeatable Whether a POST without an idempotency key may be retried: true for one that is safe to
   *   repeat.
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
      // Rebuilt rather than cloned: Workers warn when one of two clones stays unread.
      return new Response(text, response);
    };
    // "stream" stops openapi-fetch from reading the body. It was read above, so that invalid JSON fails like
    // any other unexpected response, and the caller can read it again.
    const init = { fetch, parseAs: "stream", ...(options.signal && { signal: options.signal }) };
    // Started at once, so that later changes of the caller to its body have no effect.
    const begin = async () => start(this.client, init);
    return toCall(begin().then(({ response }) => toAnswer(data as T, response)));
  }

  /** Stream a response line by line, parsing each line as JSON. Not retried on failure. */
  async *lines<Line>(options: CallOptions, start: Start<unknown>): AsyncGenerator<Line, void, undefined> {
    const policy = this.#policyOf(options);
    let request: Request | undefined;
    const fetch = async (built: Request): Promise<Response> => {
      request = built;
      return openLines(built, policy);
    };
    // "stream" leaves the body unread.
    const init = { fetch, parseAs: "stream", ...(options.signal && { signal: options.signal }) };
    const { response } = await start(this.client, init);
    if (request !== undefined) yield* readLines(request, response, policy) as AsyncGenerator<Line>;
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

/** The header that makes a write safe to retry. A new key is generated unless the caller passes one. */
export function idempotencyHeader({ idempotencyKey }: WriteOptions) {
  return { "idempotency-key": idempotencyKey ?? newIdempotencyKey() };
}

/** The header that makes a change conditional; none without `ifMatch`. */
export function ifMatchHeader({ ifMatch }: ConditionalOptions) {
  if (ifMatch === null) throw new TypeError("ifMatch is null: the response that it comes from had no ETag");
  return ifMatch === undefined ? {} : { "if-match": ifMatch };
}

/** 128 random bits. `crypto.randomUUID` is missing on web pages without TLS. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toAnswer<T>(data: T, response: Response): Answer<T> {
  const { headers } = response;
  return { data, response, requestId: headers.get("x-request-id"), etag: headers.get("etag") };
}

/**
 * Fill in the ids of a path. Rejects ids that URL normalization would turn into another path, such as `..`.
 */
function fillPath(path: string, ids: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id`);
    return encodeURIComponent(id);
  });
}

/**
 * Checks that a header can carry the key: the platform's own error for an invalid header would print the key.
 */
function toAuthorization(apiKey: string | null): Record<string, string> {
  if (apiKey === null) return {};
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError("apiKey must be a key: visible ASCII characters without blanks or line breaks");
  }
  return { authorization: `Bearer ${apiKey}` };
}

function checkBaseUrl(baseUrl: string): string {
  const { protocol, username, search, hash } = new URL(baseUrl);
  if (!protocol.startsWith("http") || username !== "" || search !== "" || hash !== "") {
    throw new TypeError("baseUrl must be an http or https URL without user, query and fragment");
  }
  return baseUrl.replace(/\/+$/, "");
}
