import type { Client } from "openapi-fetch";
import type { Call } from "./call.ts";
import { Resources } from "./generated/client.ts";
import type { paths, SearchAnswer, SearchBody } from "./generated/schema.ts";
import { Http } from "./http.ts";
import type { CallOptions, EngramOptions } from "./options.ts";
import { type ExportedLine, type ExportOptions, type ExportQuery, exportLines } from "./resources/exports.ts";
import {
  type ImportLines,
  type ImportOptions,
  type ImportSummary,
  importLines,
} from "./resources/imports.ts";
import type { ConversationSearchAnswer, ConversationSearchBody } from "./resources/search.ts";
import { withValidQuery } from "./well-formed.ts";

/**
 * The client of an Engram service.
 *
 * Every call rejects with an `ApiError` when the service returns an error, with a `ConnectionError` when no
 * response arrives, and with the signal's reason when it is aborted. Transient failures are retried. A write
 * takes effect once, however often it is retried.
 *
 * In the examples, `engram` is a client, and `conversation`, `message`, `memory`, `key`, `organization` and
 * `operation` come from earlier calls. `operator` is a client with the admin token, a secret that the person who runs
 * the service holds. `other` is a client of another organization.
 */
export class Engram extends Resources {
  /**
   * An openapi-fetch client with a method for each HTTP method of the API. For an error response, it does not throw:
   * it resolves to `{ data, error, response }`.
   *
   * It has the same key, timeouts and retries. It does not generate idempotency keys, so it retries a POST only if
   * you send the header `Idempotency-Key`.
   */
  readonly raw: Client<paths>;
  readonly #http: Http;

  /**
   * Create a client. Nothing is sent before the first call.
   *
   * @param options The key and the URL of the service, and others. A key or URL that is left out comes from the
   *   environment variables `ENGRAM_API_KEY` and `ENGRAM_URL`.
   * @throws {TypeError} when `apiKey` or `baseUrl` is missing or invalid.
   * @example
   * ```ts
   * const engram = new Engram(); // with ENGRAM_API_KEY and ENGRAM_URL
   * console.log((await engram.health.get()).status); // ok
   * ```
   */
  constructor(options: EngramOptions = {}) {
    const http = new Http(options);
    super(http);
    this.#http = http;
    this.raw = http.client;
  }

  /**
   * Read each conversation, in order of id, followed by its messages, and then each memory. Needs the scope
   * `admin`.
   *
   * Yields one line (an object) for each of these items as it arrives, in one or more requests. After a broken
   * connection, the export continues after the last line received. It is complete when the loop ends without an error.
   * It is not a snapshot: data that is written during the export may or may not be included.
   *
   * @example
   * ```ts
   * for await (const line of engram.export()) console.log(JSON.stringify(line));
   * ```
   */
  export(
    query: ExportQuery = {},
    options: ExportOptions = {},
  ): AsyncGenerator<ExportedLine, void, undefined> {
    return exportLines(this.#http, query, options);
  }

  /**
   * Import conversations, messages and memories from the lines of an export, with their ids, sequence numbers
   * and times. Needs the scope `admin`.
   *
   * Accepts any iterable of lines, such as those of a file, and keeps at most the lines of one request in memory.
   * Existing items are left unchanged, so importing twice has no further effect. Invalid lines are listed in
   * `problems` by line number, and do not prevent other lines from being stored.
   *
   * An import that needs more than one request is an operation of the service: `operations.get` reports its progress
   * and `operations.cancel` cancels it. If a call fails, the lines of its completed requests stay stored. Send the
   * same lines again to store the rest, without duplicates. With the option `operationId`, lines that the service has
   * processed are not sent again, except for the last 1,000.
   *
   * @throws {ApiError} `payload_too_large` for a line of more than 8 MiB; `operation_ended` if the import was
   *   canceled, or was completed without these lines; `not_found` if there is no operation with the id `operationId`.
   *   {TypeError} for an item of `lines` that contains a line break before its end.
   * @example
   * ```ts
   * // From one service to another, without a file between.
   * const { messages, memories, problems } = await engram.import(other.export());
   * ```
   */
  import(lines: ImportLines, options: ImportOptions = {}): Promise<ImportSummary> {
    return importLines(this, this.#http, lines, options);
  }

  /**
   * Find messages by meaning and by keywords, best first, each with its neighbors. Needs the scope `search`.
   *
   * Filters apply before ranking. Keyword search finds new messages at once. `pending` counts messages that
   * semantic search cannot find yet, and `degraded` lists the parts of the search that were unavailable or incomplete.
   *
   * @throws {ApiError} `unavailable` when `mode` is `semantic` and semantic search is unavailable.
   * @example
   * ```ts
   * const { results, pending, degraded } = await engram.search({ query: "When was the refund sent?", limit: 5 });
   * for (const { score, messages } of results) console.log(score, messages[0]?.content);
   * ```
   */
  search(body: ConversationSearchBody, options?: CallOptions): Call<ConversationSearchAnswer>;
  /**
   * With `in`, search memories (notes), or conversations and memories together in one ranking.
   *
   * @example
   * ```ts
   * const { results } = await engram.search({ query: "refund", in: ["conversations", "memories"] });
   * for (const result of results)
   *   console.log(result.type === "memory" ? result.memory.content : result.messages[0]?.content);
   * ```
   */
  search(body: SearchBody, options?: CallOptions): Call<SearchAnswer>;
  search(body: SearchBody, options: CallOptions = {}): Call<SearchAnswer> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) => client.POST("/v1/search", { ...init, body: withValidQuery(body) }),
      repeatable,
    );
  }
}
