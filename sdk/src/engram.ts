import type { Client } from "openapi-fetch";
import type { Call } from "./call.ts";
import type { BeginImportBody, Operation, paths, SearchAnswer, SearchBody } from "./generated/schema.ts";
import { Http } from "./http.ts";
import type { CallOptions, EngramOptions, WriteOptions } from "./options.ts";
import { AuditEvents } from "./resources/audit-events.ts";
import { Conversations } from "./resources/conversations.ts";
import { type ExportedLine, type ExportOptions, type ExportQuery, exportLines } from "./resources/exports.ts";
import { Health } from "./resources/health.ts";
import {
  beginImport,
  type ImportLines,
  type ImportOptions,
  type ImportSummary,
  importLines,
} from "./resources/imports.ts";
import { Keys } from "./resources/keys.ts";
import { Memories } from "./resources/memories.ts";
import { Messages } from "./resources/messages.ts";
import { Operations } from "./resources/operations.ts";
import { Organizations } from "./resources/organizations.ts";
import { type ConversationSearchAnswer, type ConversationSearchBody, search } from "./resources/search.ts";
import { SearchIndex } from "./resources/search-index.ts";
import { Usage } from "./resources/usage.ts";

/**
 * The client of an Engram service.
 *
 * Every call rejects with an `ApiError` when the service refuses, with a `ConnectionError` when no answer
 * comes, and with the signal's reason when it is aborted. What fails for a moment is repeated; a write is done
 * once however often it is repeated.
 *
 * In the examples of its methods `engram` is a client, and `conversation`, `message`, `memory`, `key`,
 * `organization` and `operation` are what an earlier call has answered; `operator` is a client with the admin
 * token, `other` one of another organization.
 */
export class Engram {
  /** Who the data belongs to. */
  readonly organizations: Organizations;
  /** Who may do what. */
  readonly keys: Keys;
  /** What messages belong to. */
  readonly conversations: Conversations;
  /** What was said. */
  readonly messages: Messages;
  /** What was decided to be remembered. */
  readonly memories: Memories;
  /** What can be found by meaning, and mending it. */
  readonly index: SearchIndex;
  /** Work that goes on after its answer. */
  readonly operations: Operations;
  /** Who did what to keys, and who deleted or exported what. */
  readonly auditEvents: AuditEvents;
  /** What each key was used for, by day. */
  readonly usage: Usage;
  /** Whether the service answers. */
  readonly health: Health;
  /**
   * openapi-fetch's client of the same contract: resolves to `{ data, error, response }` instead of throwing
   * for an answer. It has the same key, timeouts and retries, but makes no idempotency keys, so it repeats a
   * POST only when you send one.
   */
  readonly raw: Client<paths>;
  readonly #http: Http;

  /**
   * Make a client. Nothing is sent before its first call.
   *
   * @throws {TypeError} when `apiKey` or `baseUrl` cannot be used.
   * @example
   * ```ts
   * const engram = new Engram({ apiKey: process.env.ENGRAM_API_KEY ?? "", baseUrl: "http://127.0.0.1:8787" });
   * ```
   */
  constructor(options: EngramOptions) {
    const http = new Http(options);
    this.#http = http;
    this.raw = http.client;
    this.organizations = new Organizations(http);
    this.keys = new Keys(http);
    this.conversations = new Conversations(http);
    this.messages = new Messages(http);
    this.memories = new Memories(http);
    this.index = new SearchIndex(http);
    this.operations = new Operations(http);
    this.auditEvents = new AuditEvents(http);
    this.usage = new Usage(http);
    this.health = new Health(http);
  }

  /**
   * Read each conversation, in order of id, followed by its messages, and then each memory. Needs the scope
   * `admin`.
   *
   * The lines come as they are read, over as many requests as it takes; a connection that breaks is taken up
   * again where it broke. The export is whole when the loop ends without an error. It is no snapshot: what is
   * written meanwhile may be told or not.
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
   * Store conversations, messages and memories as an export tells them, with their ids, numbers and times.
   * Needs the scope `admin`.
   *
   * Takes any iterable of lines, also a file's as text, and reads it no faster than it sends it. What is there
   * already stays as it is: importing twice changes nothing. A line that cannot be taken is named in `problems`
   * by its number among all lines and keeps no other out.
   *
   * More lines than one request takes are an operation: `operations.get` tells how far it is, `operations.cancel`
   * calls it off, and one that ended early goes on behind what was answered for, by `operationId`. A call that fails
   * keeps what its requests have stored; the same lines again store the rest, once.
   *
   * @throws {ApiError} `payload_too_large` for a line of more than 8 MiB; `operation_ended` when the operation was
   *   called off; `not_found` when there is no operation of `operationId`.
   * @example
   * ```ts
   * // From one service to another, without a file between.
   * const { messages, memories, problems } = await engram.import(other.export());
   * ```
   */
  import(lines: ImportLines, options: ImportOptions = {}): Promise<ImportSummary> {
    return importLines(this.#http, lines, options);
  }

  /**
   * Open the operation of an import before its lines are there, to know it by its id from the beginning on. Needs
   * the scope `admin`. `import` opens one by itself where it needs one.
   *
   * @returns The operation; one that is not done after 7 days is called off.
   * @example
   * ```ts
   * const { id } = await engram.beginImport({ lines: 120_000 });
   * await engram.import(other.export(), { operationId: id });
   * const { status, progress } = await engram.operations.get(id);
   * ```
   */
  beginImport(body: BeginImportBody = {}, options: WriteOptions = {}): Call<Operation> {
    return beginImport(this.#http, body, options);
  }

  /**
   * Find messages by meaning and by words, best first, each with its neighbours. Needs the scope `search`.
   *
   * Filters apply before ranking. What was stored a moment ago is found by its words; `pending` counts what
   * cannot be found by meaning yet, and `degraded` names what was not searched.
   *
   * @throws {ApiError} `unavailable` when `mode` is `semantic` and meaning cannot be searched.
   * @example
   * ```ts
   * const { results, pending, degraded } = await engram.search({ query: "When was the refund sent?", limit: 5 });
   * for (const { score, messages } of results) console.log(score, messages[0]?.content);
   * ```
   */
  search(body: ConversationSearchBody, options?: CallOptions): Call<ConversationSearchAnswer>;
  /**
   * Find memories too, where `in` names them; with both in one ranking.
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
    return search(this.#http, body, options);
  }
}
