import type { Call } from "../call.ts";
import type {
  BroadcastResult,
  Conversation,
  ConversationsCounted,
  ConversationWithMessages,
  CreateConversationBody,
  DeleteConversationOperation,
  DeleteConversationsBody,
  DeleteConversationsOperation,
  ForkConversationBody,
  Message,
  operations,
  Presence,
  PresenceList,
  SetPresenceBody,
  UpdateConversationBody,
} from "../generated/schema.ts";
import { type Http, idempotencyHeader, ifMatchHeader } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions, ConditionalOptions, WriteOptions } from "../options.ts";
import { type FollowOptions, followMessages } from "./events.ts";
import type { SignalOption } from "./listening.ts";

type WireListQuery = NonNullable<operations["listConversations"]["parameters"]["query"]>;

/** Which conversations to list, and in what order. All filters must match. */
export interface ListConversationsQuery extends Omit<WireListQuery, "metadata"> {
  /** Only conversations whose metadata has all of these keys with these values at its top level. */
  metadata?: Record<string, string | number | boolean>;
}

/** Which page of a conversation's messages to include. */
export type GetConversationQuery = NonNullable<operations["getConversation"]["parameters"]["query"]>;

/** Which conversations to delete. At least one condition is required, and all must match. */
export type ConversationsFilter = DeleteConversationsBody["filter"];

/** Create, list, update, fork and delete conversations. */
export class Conversations {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Create an empty conversation, or return the existing one of the agent and user with this `external_id` unchanged. Needs the
   * scope `write`.
   *
   * The status in `.withResponse()` distinguishes the two: 201 for a new conversation, 200 for an existing one.
   *
   * @example
   * ```ts
   * const { id } = await engram.conversations.create({ title: "Refund", user_id: "user_4711", tags: ["billing"] });
   * ```
   */
  create(body: CreateConversationBody = {}, options: WriteOptions = {}): Call<Conversation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * List conversations, most recently changed first unless `sort` and `order` say otherwise. Needs the scope
   * `read`.
   *
   * Conversations created or changed while paging may be skipped or repeated. Unchanged ones are listed
   * exactly once.
   *
   * @example
   * ```ts
   * const open = engram.conversations.list({ user_id: "user_4711", metadata: { status: "open" } });
   * for await (const { title, message_count } of open) console.log(title, message_count);
   * ```
   */
  list(query: ListConversationsQuery = {}, options: CallOptions = {}): List<Conversation> {
    const { metadata, ...rest } = query;
    const filters: WireListQuery = metadata ? { ...rest, metadata: JSON.stringify(metadata) } : rest;
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/conversations", { ...init, params: { query: { ...filters, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Get a conversation with a page of its messages, oldest first, up to `message_limit` (100 by default).
   * Needs the scope `read`.
   *
   * `.withResponse()` also returns the ETag of the conversation, to pass as `ifMatch`.
   *
   * @throws {ApiError} `not_found` when there is no such conversation.
   * @example
   * ```ts
   * const { title, messages } = await engram.conversations.get(conversation.id, { message_limit: 20 });
   * for (const { role, content } of messages.items) console.log(role, content);
   * ```
   */
  get(
    conversationId: string,
    query: GetConversationQuery = {},
    options: CallOptions = {},
  ): Call<ConversationWithMessages> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/conversations/{conversation_id}", {
        ...init,
        params: { path: { conversation_id: conversationId }, query },
      }),
    );
  }

  /**
   * Yield the messages of a conversation in order, and further ones as they are appended, until you leave the loop.
   * Needs the scope `read`.
   *
   * No message comes twice, and none that is appended is missed, also across lost connections. A message that is
   * changed later does not come again. An import that places messages before the newest one is not followed. The loop
   * ends when the conversation is deleted.
   *
   * @throws {ApiError} `not_found` when there is no such conversation; `unauthenticated` when the key is revoked or
   *   expires.
   * @example
   * ```ts
   * for await (const { sequence, role, content } of engram.conversations.follow(conversation.id)) {
   *   console.log(sequence, role, content);
   *   break;
   * }
   * ```
   */
  follow(
    conversationId: string,
    query: FollowOptions = {},
    options: SignalOption = {},
  ): AsyncGenerator<Message, void, undefined> {
    return followMessages(this.#http, conversationId, { ...options, ...query });
  }

  /**
   * Change the title, tags or metadata. Each given field replaces the old value; omitted fields stay. Needs
   * the scope `write`.
   *
   * @throws {ApiError} `not_found` when there is no such conversation; `precondition_failed` when its ETag is no longer
   *   `ifMatch`. If the error's `mayHaveApplied` is true, an earlier attempt of this call may have changed it.
   * @example
   * ```ts
   * const { etag } = await engram.conversations.get(conversation.id).withResponse();
   * await engram.conversations.update(conversation.id, { title: "Refund, done" }, { ifMatch: etag });
   * ```
   */
  update(
    conversationId: string,
    body: UpdateConversationBody,
    options: ConditionalOptions = {},
  ): Call<Conversation> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/conversations/{conversation_id}", {
        ...init,
        params: { path: { conversation_id: conversationId }, header: ifMatchHeader(options) },
        body,
      }),
    );
  }

  /**
   * Delete a conversation with all its messages. It is excluded from every response at once, and then removed for
   * good in the background. Cannot be undone. Needs the scope `delete`.
   *
   * @returns The operation that tracks the deletion. `operations.get` shows when the database rows, and the vectors by
   *   which semantic search finds the messages, are removed.
   * @throws {ApiError} `not_found` when there is no such conversation. If the error's `mayHaveApplied` is
   *   true, an earlier attempt of this call may have deleted it. `precondition_failed` when its ETag is no longer
   *   `ifMatch`.
   * @example
   * ```ts
   * const receipt = await engram.conversations.delete(conversation.id);
   * console.log((await engram.operations.get(receipt.id)).status); // "running", then "succeeded"
   * ```
   */
  delete(conversationId: string, options: ConditionalOptions = {}): Call<DeleteConversationOperation> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/conversations/{conversation_id}", {
        ...init,
        params: { path: { conversation_id: conversationId }, header: ifMatchHeader(options) },
      }),
    );
  }

  /**
   * Count the conversations and messages that `deleteMany` would delete now, without deleting them. Needs the
   * scope `delete`.
   *
   * @example
   * ```ts
   * const { conversations, messages } = await engram.conversations.countToDelete({ user_id: "user_4711" });
   * ```
   */
  countToDelete(filter: ConversationsFilter, options: CallOptions = {}): Call<ConversationsCounted> {
    const counted = this.#http.call(
      options,
      (client, init) => client.POST("/v1/conversations/delete", { ...init, body: { filter, dry_run: true } }),
      true,
    );
    return counted as Call<ConversationsCounted>;
  }

  /**
   * Delete all conversations that match a filter, with their messages. The first 1,000 are excluded from every
   * response before this resolves, the others soon after. All are then removed for good in the background. Cannot be
   * undone. Needs the scope `delete`.
   *
   * @returns The operation that tracks the deletion. `operations.get` shows its progress. `operations.cancel` stops
   *   it; conversations that are already excluded stay deleted.
   * @example
   * ```ts
   * const receipt = await engram.conversations.deleteMany({ user_id: "user_4711" });
   * ```
   */
  deleteMany(filter: ConversationsFilter, options: WriteOptions = {}): Call<DeleteConversationsOperation> {
    const receipt = this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations/delete", {
        ...init,
        params: { header: idempotencyHeader(options) },
        body: { filter },
      }),
    );
    return receipt as Call<DeleteConversationsOperation>;
  }

  /**
   * Send a small JSON object to the sockets that are subscribed to the conversation. Needs the scope `write`.
   *
   * It is not stored, and a listener that reads too slowly may miss it. Resolves to the number of `listeners`.
   *
   * @throws {ApiError} `not_found` if there is no such conversation.
   * @example
   * ```ts
   * await engram.conversations.broadcast(conversation.id, { typing: true });
   * ```
   */
  broadcast(
    conversationId: string,
    value: Record<string, unknown>,
    options: CallOptions = {},
  ): Call<BroadcastResult> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations/{conversation_id}/broadcasts", {
        ...init,
        params: { path: { conversation_id: conversationId } },
        body: { value },
      }),
    );
  }

  /**
   * List the sockets and keys that are present in the conversation now, at most 100, in the order in which they came.
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found` if there is no such conversation.
   * @example
   * ```ts
   * const { items } = await engram.conversations.listPresences(conversation.id);
   * for (const { key_id, state } of items) console.log(key_id, state);
   * ```
   */
  listPresences(conversationId: string, options: CallOptions = {}): Call<PresenceList> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/conversations/{conversation_id}/presence", {
        ...init,
        params: { path: { conversation_id: conversationId } },
      }),
    );
  }

  /**
   * Make the key present in the conversation for `ttl_seconds`, at most and by default 60. Needs the scope `read`.
   *
   * Each call replaces the `state`. Call it again before the time is over. Presence is not stored durably.
   *
   * @throws {ApiError} `not_found` if there is no such conversation; `unavailable` if 100 are present.
   * @example
   * ```ts
   * await engram.conversations.setPresence(conversation.id, { state: { status: "reading" } });
   * ```
   */
  setPresence(conversationId: string, body: SetPresenceBody, options: CallOptions = {}): Call<Presence> {
    return this.#http.call(options, (client, init) =>
      client.PUT("/v1/conversations/{conversation_id}/presence", {
        ...init,
        params: { path: { conversation_id: conversationId } },
        body,
      }),
    );
  }

  /**
   * Copy a conversation: its messages up to the sequence number `sequence` (default: all), at most 10,000. Needs the
   * scope `write`.
   *
   * @throws {ApiError} `not_found` if there is no such conversation; `sequence_conflict` if it ends before
   *   `sequence`; `too_many_messages` for more than 10,000; `external_id_conflict` if another conversation has this
   *   `external_id`.
   * @example
   * ```ts
   * const { id } = await engram.conversations.fork(conversation.id, { sequence: 1, title: "What if" });
   * ```
   */
  fork(
    conversationId: string,
    body: ForkConversationBody = {},
    options: WriteOptions = {},
  ): Call<Conversation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations/{conversation_id}/fork", {
        ...init,
        params: { path: { conversation_id: conversationId }, header: idempotencyHeader(options) },
        body,
      }),
    );
  }
}
