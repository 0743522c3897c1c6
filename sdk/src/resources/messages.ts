import type { Call } from "../call.ts";
import type {
  AppendedMessages,
  AppendMessagesBody,
  DeleteMessageOperation,
  Message,
  operations,
  ReplacedMessages,
  ReplaceMessagesBody,
  UpdateMessageBody,
} from "../generated/schema.ts";
import { type Http, idempotencyHeader } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions, WriteOptions } from "../options.ts";

/** Which messages to list: a range of sequence numbers, the `newest`, or those `around` a message. Default: all. */
export type ListMessagesQuery = NonNullable<operations["listMessages"]["parameters"]["query"]>;

/** Append, list, replace and delete messages of a conversation. */
export class Messages {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Add messages after the last one, oldest first, all or none. Needs the scope `write`.
   *
   * When this resolves, the messages are stored durably, and keyword search finds them. Semantic search finds
   * them within seconds. With `wait: "indexed"`, it resolves when the vector store has accepted their vectors, or
   * after 25 seconds: allow for this in `timeoutMs`.
   *
   * @returns The ids and sequence numbers of the messages, and which of them were stored already: those whose
   *   `external_id` exists in the conversation.
   * @throws {ApiError} `not_found` when there is no such conversation; `external_id_conflict` when a different message
   *   has the same `external_id`; `conversation_full` when the conversation has no sequence numbers left;
   *   `payload_too_large` for more than 2 MiB of messages.
   * @example
   * ```ts
   * const { message_ids } = await engram.messages.append(conversation.id, {
   *   messages: [
   *     { role: "user", content: "Where is my refund?" },
   *     { role: "assistant", content: "It was sent on Tuesday." },
   *   ],
   * });
   * ```
   */
  append(
    conversationId: string,
    body: AppendMessagesBody,
    options: WriteOptions = {},
  ): Call<AppendedMessages> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations/{conversation_id}/messages", {
        ...init,
        params: { path: { conversation_id: conversationId }, header: idempotencyHeader(options) },
        body,
      }),
    );
  }

  /**
   * List messages, oldest first. Needs the scope `read`.
   *
   * When the `newest` messages do not fit on one page, the first page has the newest of them, and each further page
   * has older ones. Within a page, messages are oldest first.
   *
   * @throws {ApiError} `not_found` when there is no such conversation; thrown when the list is read.
   * @example
   * ```ts
   * for await (const { sequence, content } of engram.messages.list(conversation.id, { newest: 20 }))
   *   console.log(sequence, content);
   * ```
   */
  list(conversationId: string, query: ListMessagesQuery = {}, options: CallOptions = {}): List<Message> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/conversations/{conversation_id}/messages", {
          ...init,
          params: { path: { conversation_id: conversationId }, query: { ...query, cursor } },
        }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Get one message, byte for byte as it was stored. Needs the scope `read`.
   *
   * @throws {ApiError} `not_found` when the conversation has no such message.
   * @example
   * ```ts
   * const { content, created_at } = await engram.messages.get(conversation.id, message.id);
   * ```
   */
  get(conversationId: string, messageId: string, options: CallOptions = {}): Call<Message> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/conversations/{conversation_id}/messages/{message_id}", {
        ...init,
        params: { path: { conversation_id: conversationId, message_id: messageId } },
      }),
    );
  }

  /**
   * Change the content or metadata; omitted fields stay. Needs the scope `write`.
   *
   * Keyword search finds the message by its new text, and no longer by the old one, at once. Semantic search follows
   * within seconds.
   *
   * @throws {ApiError} `not_found` when the conversation has no such message.
   * @example
   * ```ts
   * await engram.messages.update(conversation.id, message.id, { content: "Where is my money?" });
   * ```
   */
  update(
    conversationId: string,
    messageId: string,
    body: UpdateMessageBody,
    options: CallOptions = {},
  ): Call<Message> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/conversations/{conversation_id}/messages/{message_id}", {
        ...init,
        params: { path: { conversation_id: conversationId, message_id: messageId } },
        body,
      }),
    );
  }

  /**
   * Delete one message. Its sequence number is not reused. Cannot be undone. Needs the scope `delete`.
   *
   * @returns The operation that tracks the deletion. `operations.get` shows when the vectors, by which semantic search
   *   finds the message, are removed.
   * @throws {ApiError} `not_found` when the conversation has no such message. If the error's `mayHaveApplied`
   *   is true, an earlier attempt of this call may have deleted it.
   * @example
   * ```ts
   * await engram.messages.delete(conversation.id, message.id);
   * ```
   */
  delete(conversationId: string, messageId: string, options: CallOptions = {}): Call<DeleteMessageOperation> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/conversations/{conversation_id}/messages/{message_id}", {
        ...init,
        params: { path: { conversation_id: conversationId, message_id: messageId } },
      }),
    );
  }

  /**
   * Delete the messages from a sequence number on and add others in their place, all or none. Nothing changes unless
   * `expected_last_sequence` is the sequence number of the newest message. Needs the scopes `write` and `delete`.
   *
   * Without new messages, it only deletes the last messages of the conversation.
   *
   * @throws {ApiError} `sequence_conflict` if the newest message has another sequence number; `not_found` if there is
   *   no such conversation; `too_many_messages` if more than 10,000 messages would be deleted; `external_id_conflict`,
   *   `conversation_full` and `payload_too_large` as for `append`.
   * @example
   * ```ts
   * const { sequence } = message;
   * await engram.messages.replace(conversation.id, {
   *   expected_last_sequence: sequence,
   *   from_sequence: sequence,
   *   messages: [{ role: "user", content: "Say it another way." }],
   * });
   * ```
   */
  replace(
    conversationId: string,
    body: ReplaceMessagesBody,
    options: WriteOptions = {},
  ): Call<ReplacedMessages> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations/{conversation_id}/messages/replace", {
        ...init,
        params: { path: { conversation_id: conversationId }, header: idempotencyHeader(options) },
        body,
      }),
    );
  }
}
