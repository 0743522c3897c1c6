import type { Client } from "openapi-fetch";
import type { Call } from "./call.ts";
import type {
  ContextAnswer,
  ContextBody,
  CreateImportBody,
  ImportOperation,
  paths,
  SearchAnswer,
  SearchBody,
} from "./generated/schema.ts";
import { Http } from "./http.ts";
import type { CallOptions, EngramOptions, WriteOptions } from "./options.ts";
import { AuditEvents } from "./resources/audit-events.ts";
import { getContext } from "./resources/contexts.ts";
import { Conversations } from "./resources/conversations.ts";
import { Entities } from "./resources/entities.ts";
import { Events } from "./resources/events.ts";
import { type ExportedLine, type ExportOptions, type ExportQuery, exportLines } from "./resources/exports.ts";
import { Health } from "./resources/health.ts";
import {
  createImport,
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
import { SignInCodes } from "./resources/sign-in-codes.ts";
import { Tickets } from "./resources/tickets.ts";
import { Usage } from "./resources/usage.ts";
import { Users } from "./resources/users.ts";
import { Webhooks } from "./resources/webhooks.ts";

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
export class Engram {
  /** Create, read and delete organizations. */
  readonly organizations: Organizations;
  /** Create, list, rotate and revoke API keys. */
  readonly keys: Keys;
  /** Create, list, update, fork and delete conversations. */
  readonly conversations: Conversations;
  /** Append, list, replace and delete messages of a conversation. */
  readonly messages: Messages;
  /** Capture (store), search, update and delete memories: notes that agents decide to remember. */
  readonly memories: Memories;
  /** Read the status of the search index and repair it. */
  readonly index: SearchIndex;
  /** Follow and cancel long-running work. */
  readonly operations: Operations;
  /** List audit events: who created, revoked or rotated keys, and who deleted or exported data. */
  readonly auditEvents: AuditEvents;
  /** List changes of the organization, or wait for them. */
  readonly events: Events;
  /** List usage by day, key, operation and MCP tool. */
  readonly usage: Usage;
  /** Create and redeem codes, with which a person signs in to the console without typing a key. */
  readonly signInCodes: SignInCodes;
  /** Create tickets, with which a browser listens to events without knowing a key. */
  readonly tickets: Tickets;
  /** Create, list, update, rotate and delete webhooks: URLs that events are sent to. */
  readonly webhooks: Webhooks;
  /** List the entities that messages mention, such as files, errors and dates, and where. */
  readonly entities: Entities;
  /** List the users of conversations and memories, and delete all data of a user. */
  readonly users: Users;
  /** Check whether the service responds and is ready. */
  readonly health: Health;
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
    this.events = new Events(http);
    this.usage = new Usage(http);
    this.signInCodes = new SignInCodes(http);
    this.tickets = new Tickets(http);
    this.webhooks = new Webhooks(http);
    this.entities = new Entities(http);
    this.users = new Users(http);
    this.health = new Health(http);
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
    return importLines(this.#http, lines, options);
  }

  /**
   * Start an import in several requests, before sending its lines. Call it only to know the id of the import from the
   * start. Otherwise `import` starts one itself if the lines need several requests. Needs the scope `admin`.
   *
   * @returns The operation that counts the lines. The import is canceled if it is not complete after 7 days.
   * @example
   * ```ts
   * const { id } = await engram.createImport({ lines: 120_000 });
   * await engram.import(other.export(), { operationId: id });
   * const { status } = await engram.operations.get(id);
   * ```
   */
  createImport(body: CreateImportBody = {}, options: WriteOptions = {}): Call<ImportOperation> {
    return createImport(this.#http, body, options);
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
    return search(this.#http, body, options);
  }

  /**
   * Get what a model needs for its next answer, in one text of at most `max_tokens` and as lists: the newest messages of
   * a conversation, memories of a user, and what a search for `query` finds. Nothing is included twice. Needs the scope
   * `search`.
   *
   * The text labels itself as data, and stored text cannot end it. It is empty if there is nothing to include.
   *
   * @throws {ApiError} `not_found` for an unknown conversation, or one of another user or agent than the request names.
   * @example
   * ```ts
   * const { text, tokens, results } = await engram.context({
   *   query: "When was the refund sent?",
   *   conversation_id: conversation.id,
   *   max_tokens: 2_000,
   * });
   * const system = `You are a support agent.\n\n${text}`;
   * console.log(system, tokens, results.omitted);
   * ```
   */
  context(body: ContextBody, options: CallOptions = {}): Call<ContextAnswer> {
    return getContext(this.#http, body, options);
  }
}
