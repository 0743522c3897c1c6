import type { Call } from "../call.ts";
import { Conversations as GeneratedConversations } from "../generated/resources.ts";
import type {
  ConversationsCounted,
  DeleteConversationsBody,
  DeleteConversationsOperation,
  Message,
} from "../generated/schema.ts";
import { type Http, idempotencyHeader } from "../http.ts";
import type { CallOptions, WriteOptions } from "../options.ts";
import { type FollowOptions, followMessages } from "./events.ts";
import type { SignalOption } from "./listening.ts";

/** Which conversations to delete. At least one condition is required, and all must match. */
export type ConversationsFilter = DeleteConversationsBody["filter"];

/** Create, list, update, fork, follow and delete conversations. */
export class Conversations extends GeneratedConversations {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    super(http);
    this.#http = http;
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
   * undone. With `forget`, none of them is stored again. Needs the scope `delete`.
   *
   * @returns The operation that tracks the deletion. `operations.get` shows its progress. `operations.cancel` stops
   *   it; conversations that are already excluded stay deleted.
   * @example
   * ```ts
   * const receipt = await engram.conversations.deleteMany({ user_id: "user_4711" });
   * ```
   */
  deleteMany(
    filter: ConversationsFilter,
    options: WriteOptions & { forget?: boolean | undefined } = {},
  ): Call<DeleteConversationsOperation> {
    const receipt = this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations/delete", {
        ...init,
        params: { header: idempotencyHeader(options) },
        body: { filter, ...(options.forget && { forget: true }) },
      }),
    );
    return receipt as Call<DeleteConversationsOperation>;
  }
}
