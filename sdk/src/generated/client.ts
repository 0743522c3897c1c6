// Generated from spec/openapi.json by `npm run generate`. Do not edit.

import type { Call } from "../call.ts";
import { type Http, idempotencyHeader } from "../http.ts";
import type { CallOptions, WriteOptions } from "../options.ts";
import { Archives } from "../resources/archives.ts";
import { Conversations } from "../resources/conversations.ts";
import { Events } from "../resources/events.ts";
import { Memories } from "../resources/memories.ts";
import { SignInCodes } from "../resources/sign-in-codes.ts";
import { Usage } from "../resources/usage.ts";
import { withValidQuery } from "../well-formed.ts";
import {
  AuditEvents,
  Entities,
  Evaluations,
  Grants,
  Health,
  Holds,
  Index,
  Keys,
  Members,
  Messages,
  Operations,
  Organizations,
  Recalls,
  Retention,
  Summaries,
  Tickets,
  Tombstones,
  Users,
  Webhooks,
} from "./resources.ts";
import type { ContextAnswer, ContextBody, CreateImportBody, ImportOperation } from "./schema.ts";

/** The resources of the API, and the methods that belong to none of them. */
export class Resources {
  /** Tenants: each owns its keys, conversations and memories, and sees only those. */
  readonly organizations: Organizations;
  /** API keys, which authenticate requests, and their scopes (permissions). */
  readonly keys: Keys;
  /** Create a sign-in code. Redeem a sign-in code. */
  readonly signInCodes: SignInCodes;
  /** People of the organization, their roles, and how they sign in. */
  readonly members: Members;
  /** What OAuth clients, such as claude.ai, may do with a key. Their tokens work like keys. */
  readonly grants: Grants;
  /** Ordered lists of messages, with title, tags and metadata. */
  readonly conversations: Conversations;
  /** Messages of a conversation, stored verbatim. */
  readonly messages: Messages;
  /** Summaries of parts of a conversation, whose sentences cite its messages. */
  readonly summaries: Summaries;
  /** Notes that agents decide to remember, stored apart from conversations. */
  readonly memories: Memories;
  /** Files, errors, links, dates and other things that messages mention, found by rules. */
  readonly entities: Entities;
  /** Users of conversations and memories, and the deletion of their data. */
  readonly users: Users;
  /** Receipts of what searches and contexts answered, and their replay. */
  readonly recalls: Recalls;
  /** Labelled queries: searches with what they should find, run again on request. */
  readonly evaluations: Evaluations;
  /** Status and repair of the search index. */
  readonly index: Index;
  /** Work that continues after the response, with its progress. */
  readonly operations: Operations;
  /** Copies of all conversations and memories in an object store, with digests of their parts. */
  readonly archives: Archives;
  /** What deletions with `forget` left behind, so that nothing brings the deleted items back. */
  readonly tombstones: Tombstones;
  /** Legal holds: what must not be deleted or edited until somebody lifts them. */
  readonly holds: Holds;
  /** Rules that delete what has reached an age. */
  readonly retention: Retention;
  /** Changes of the organization, in order. */
  readonly events: Events;
  /** Create a ticket. */
  readonly tickets: Tickets;
  /** URLs that events are sent to, with signatures. */
  readonly webhooks: Webhooks;
  /** Who created, revoked or rotated keys, which clients got access, and who deleted or exported data. */
  readonly auditEvents: AuditEvents;
  /** Usage by day, key, operation and MCP tool. */
  readonly usage: Usage;
  /** Whether the service is running and ready. */
  readonly health: Health;
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
    this.organizations = new Organizations(http);
    this.keys = new Keys(http);
    this.signInCodes = new SignInCodes(http);
    this.members = new Members(http);
    this.grants = new Grants(http);
    this.conversations = new Conversations(http);
    this.messages = new Messages(http);
    this.summaries = new Summaries(http);
    this.memories = new Memories(http);
    this.entities = new Entities(http);
    this.users = new Users(http);
    this.recalls = new Recalls(http);
    this.evaluations = new Evaluations(http);
    this.index = new Index(http);
    this.operations = new Operations(http);
    this.archives = new Archives(http);
    this.tombstones = new Tombstones(http);
    this.holds = new Holds(http);
    this.retention = new Retention(http);
    this.events = new Events(http);
    this.tickets = new Tickets(http);
    this.webhooks = new Webhooks(http);
    this.auditEvents = new AuditEvents(http);
    this.usage = new Usage(http);
    this.health = new Health(http);
  }

  /**
   * Gathers what a model needs for its next answer in one text of at most `max_tokens`, and returns the same as
   * lists: the newest messages of a conversation, memories, and what a search finds. Each has its id, and nothing
   * is included twice. The search considers the 20 best results in conversations, and as many memories. The parts
   * share the budget, and what did not fit is counted. All parts are read at the same time, so it takes about as
   * long as one search.
   *
   * Needs the scope `search`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
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
  context(body: ContextBody = {}, options: CallOptions = {}): Call<ContextAnswer> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) => client.POST("/v1/context", { ...init, body: withValidQuery(body) }),
      repeatable,
    );
  }

  /**
   * Creates an operation for an import that is too large for one request. Then send the lines to `import` in
   * parts, in order. Each of these requests has the `operation_id` and, as `after_line`, the number of lines sent
   * before it; the last one has `last=true`. The operation counts the lines, so that an interrupted import can be
   * resumed. If you did not receive the response to a part, send the same part again to get its result.
   * `operations.cancel` cancels the import: stored items stay, and no further lines are accepted. An import that
   * is not complete after 7 days is canceled.
   *
   * Needs the scope `admin`.
   *
   * @returns The operation. It counts the lines of each part that you send with `import`.
   * @example
   * ```ts
   * const { id } = await engram.createImport({ lines: 120_000 });
   * await engram.import(other.export(), { operationId: id });
   * const { status } = await engram.operations.get(id);
   * ```
   */
  createImport(body: CreateImportBody = {}, options: WriteOptions = {}): Call<ImportOperation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/imports", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }
}
