import { createRoute, z } from "@hono/zod-openapi";
import {
  AsOf,
  asNamed,
  bodyProblems,
  ConversationId,
  Cursor,
  EditedSince,
  ForgetQuery,
  IdempotencyHeaders,
  integerQuery,
  jsonAnswer,
  jsonBody,
  keyProblems,
  MessageId,
  Metadata,
  mcpTools,
  nullableParts,
  optionalOrNull,
  optionalParts,
  PAGE_BOUNDS,
  page,
  replayHeaders,
  requires,
  sdkExample,
  shortText,
  timestamp,
  utf8Bytes,
  WRITE_SIZE,
  writeProblems,
} from "./common.ts";
import {
  APPEND_MESSAGES_MAX,
  CONTENT_BYTES_MAX,
  MESSAGE_PAGE_MAX,
  MESSAGE_WAIT_SECONDS_MAX,
  REPLACE_MESSAGES_MAX,
  SEQUENCE_MAX,
} from "./limits.ts";
import { DeleteMessageOperation } from "./operations.ts";
import { problems } from "./problem.ts";

export const MessageRole = z
  .enum(["user", "assistant", "system", "tool"])
  .meta({
    description: "Role of the speaker. `assistant` is the agent; `tool` is the result of a tool call.",
  })
  .openapi("MessageRole");
export type MessageRole = z.infer<typeof MessageRole>;

const Content = z
  .string()
  .refine(
    (text) => utf8Bytes(text) <= CONTENT_BYTES_MAX,
    `must be at most ${CONTENT_BYTES_MAX.toLocaleString("en-US")} bytes as UTF-8`,
  )
  .meta({
    description: "Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.",
    examples: ["Where is my refund for order 1029?"],
  })
  // JSON Schema can limit only characters. A text never has more characters than UTF-8 bytes, so this bound
  // rejects no valid text.
  .openapi({ maxLength: CONTENT_BYTES_MAX });
export const SpeakerName = shortText("Name of the speaker.", "Maria");
const ToolCallId = shortText("Id of the tool call that the message makes or answers.", "call_8fk2");
const ToolName = shortText("Name of the tool whose call or result the message is.", "lookup_order");
const ExternalId = shortText("Your own id for the message, unique within the conversation.", "m-17");
const ofMessage = {
  noun: "message",
  example: [{ type: "text", text: "Where is my refund for order 1029?" }],
};
export const sequence = (description: string) => z.int().min(1).max(SEQUENCE_MAX).meta({ description });
const CreatedAt = timestamp(
  "Time when the message was said, with millisecond precision. It is the time that you set when you stored the message; otherwise the time of storing.",
);

export const Message = z
  .strictObject({
    id: MessageId,
    conversation_id: ConversationId,
    sequence: sequence(
      "Sequence number: the position in the conversation, 1, 2, 3… It is never reused, so a deleted message leaves a gap.",
    ),
    role: MessageRole,
    content: Content,
    name: SpeakerName.nullable(),
    tool_call_id: ToolCallId.nullable(),
    tool_name: ToolName.nullable(),
    metadata: Metadata,
    parts: nullableParts(ofMessage),
    external_id: ExternalId.nullable(),
    created_at: CreatedAt,
    stored_at: timestamp("Time when the message was stored."),
    updated_at: timestamp(
      "Time of the last change to content or metadata; null if there was none.",
    ).nullable(),
    edited_since: EditedSince,
  })
  .openapi("Message");
export type Message = z.infer<typeof Message>;

export const MessagePage = page(Message, "MessagePage");

export const NewMessage = z
  .strictObject({
    role: MessageRole,
    content: Content,
    name: optionalOrNull(SpeakerName),
    tool_call_id: optionalOrNull(ToolCallId),
    tool_name: optionalOrNull(ToolName),
    metadata: Metadata.optional(),
    parts: optionalParts(ofMessage),
    external_id: optionalOrNull(ExternalId).meta({
      description:
        "Your own id for the message, unique within the conversation. If the same message is stored already, it is not stored again, and its id is returned in `existing_ids`. If a different message has this external id, the request fails with 409 and stores nothing.",
    }),
    created_at: CreatedAt.optional().meta({
      description:
        "Time when the message was said, with millisecond precision. Set it to store messages from the past. Default: now.",
    }),
  })
  .openapi("NewMessage");
export type NewMessage = z.infer<typeof NewMessage>;

const Wait = z.enum(["indexed"]).optional().meta({
  description:
    "`indexed`: delay the response until the vector store has accepted the vectors of the messages, but for at most 25 seconds. Semantic search finds the messages some seconds after that, or at once if the service runs on a single machine. Default: respond without waiting.",
});

export const AppendMessagesBody = z
  .strictObject({
    messages: z
      .array(NewMessage)
      .min(1)
      .max(APPEND_MESSAGES_MAX)
      .meta({ description: `Messages to add, oldest first; 1 to 1,000.` }),
    wait: Wait,
  })
  .openapi("AppendMessagesBody", {
    example: {
      messages: [
        { role: "user", content: "Where is my refund for order 1029?" },
        { role: "assistant", content: "It was sent on Tuesday and takes three days." },
      ],
      wait: "indexed",
    },
  });

export const AppendedMessages = z
  .strictObject({
    conversation_id: ConversationId,
    message_ids: z
      .array(MessageId)
      .max(APPEND_MESSAGES_MAX)
      .meta({ description: "Ids of all messages of the request, in the same order." }),
    existing_ids: z.array(MessageId).max(APPEND_MESSAGES_MAX).meta({
      description:
        "Ids of the messages that were stored already, recognized by their `external_id`. They are also in `message_ids`.",
    }),
    first_sequence: sequence("Sequence number of the first new message; null if none is new.").nullable(),
    last_sequence: sequence("Sequence number of the last new message; null if none is new.").nullable(),
    indexed: z.boolean().meta({
      description:
        "Whether the vector store had accepted the vectors of the messages before the response was sent. Always `false` without `wait`.",
    }),
  })
  .openapi("AppendedMessages");
export type AppendedMessages = z.infer<typeof AppendedMessages>;

const conversationParams = z.object({ conversation_id: ConversationId });

const APPENDS =
  "Adds messages to the end of the conversation, all or none, with consecutive sequence numbers. They are stored durably when the request returns. Keyword search finds them at once, semantic search after a short pause in the conversation.";

export const appendMessages = createRoute({
  operationId: "appendMessages",
  ...sdkExample(`
    const { message_ids } = await engram.messages.append(conversation.id, {
      messages: [
        { role: "user", content: "Where is my refund?" },
        { role: "assistant", content: "It was sent on Tuesday." },
      ],
    });
  `),
  ...mcpTools({
    set: "conversations",
    description: `${APPENDS} One call holds at most ${WRITE_SIZE}.`,
    omits: ["parts", "wait", "indexed"],
  }),
  method: "post",
  path: "/v1/conversations/{conversation_id}/messages",
  tags: ["Messages"],
  summary: "Append messages to a conversation",
  description: `${APPENDS} One append holds at most ${WRITE_SIZE}; a larger one fails with 413 and stores nothing.`,
  security: requires("write"),
  request: { params: conversationParams, headers: IdempotencyHeaders, body: jsonBody(AppendMessagesBody) },
  responses: {
    201: jsonAnswer("Ids and sequence numbers of the messages.", AppendedMessages, replayHeaders),
    ...problems(
      ...bodyProblems,
      "not_found",
      "external_id_conflict",
      "forgotten",
      "conversation_full",
      "idempotency_mismatch",
      ...writeProblems,
    ),
  },
});

export const listMessages = createRoute({
  operationId: "listMessages",
  ...sdkExample(`
    for await (const { sequence, content } of engram.messages.list(conversation.id, { newest: 20 }))
      console.log(sequence, content);
  `),
  ...mcpTools({
    set: "live",
    name: "wait_for_messages",
    title: "Wait for messages",
    description:
      "Returns messages of a conversation from `from_sequence` on, oldest first, as soon as there is one. Pass the sequence number after the last message that you have read. If `items` is empty, none came in time: call the tool again to wait longer.",
    takes: { ...asNamed("conversation_id", "from_sequence", "limit"), timeout_seconds: "wait_seconds" },
    defaults: { limit: 10, timeout_seconds: MESSAGE_WAIT_SECONDS_MAX },
  }),
  method: "get",
  path: "/v1/conversations/{conversation_id}/messages",
  tags: ["Messages"],
  summary: "List messages of a conversation",
  description: `Returns a page of messages, oldest first. Select a range of sequence numbers (\`from_sequence\`, \`to_sequence\`) or the newest messages (\`newest\`). Default: all messages. With \`wait_seconds\`, a request without messages waits for one. ${PAGE_BOUNDS}`,
  security: requires("read"),
  request: {
    params: conversationParams,
    query: z
      .strictObject({
        limit: integerQuery(
          1,
          MESSAGE_PAGE_MAX,
          "Maximum number of messages per page; a page may hold fewer. Default 100.",
        ).optional(),
        cursor: Cursor.optional(),
        from_sequence: integerQuery(
          1,
          SEQUENCE_MAX,
          "Return only messages with this sequence number or a higher one.",
        ).optional(),
        to_sequence: integerQuery(
          1,
          SEQUENCE_MAX,
          "Return only messages with this sequence number or a lower one.",
        ).optional(),
        newest: integerQuery(
          1,
          MESSAGE_PAGE_MAX,
          "Return only this number of the newest messages, still oldest first. If they do not fit on one page, `next_cursor` leads to the earlier ones.",
        ).optional(),
        wait_seconds: integerQuery(
          0,
          MESSAGE_WAIT_SECONDS_MAX,
          "Seconds to wait for a message if there is none yet, at most 20. A new message is returned at once, usually within milliseconds. Default 0.",
        ).optional(),
        as_of: AsOf.optional(),
      })
      .refine(
        ({ from_sequence, to_sequence, newest }) =>
          newest === undefined || (from_sequence === undefined && to_sequence === undefined),
        "use only one of a sequence range and `newest`",
      )
      .refine(
        ({ as_of, wait_seconds = 0 }) => as_of === undefined || wait_seconds === 0,
        "use only one of `as_of` and `wait_seconds`",
      ),
  },
  responses: {
    200: jsonAnswer("A page of messages.", MessagePage),
    ...problems("validation_failed", "invalid_cursor", "not_found", ...keyProblems),
  },
});

const messageParams = conversationParams.extend({ message_id: MessageId });

export const getMessage = createRoute({
  operationId: "getMessage",
  ...sdkExample(`
    const { content, created_at } = await engram.messages.get(conversation.id, message.id);
  `),
  method: "get",
  path: "/v1/conversations/{conversation_id}/messages/{message_id}",
  tags: ["Messages"],
  summary: "Get a message",
  description: "Returns one message, byte for byte as it was stored.",
  security: requires("read"),
  request: { params: messageParams, query: z.strictObject({ as_of: AsOf.optional() }) },
  responses: {
    200: jsonAnswer("The message.", Message),
    ...problems("validation_failed", "not_found", ...keyProblems),
  },
});

export const UpdateMessageBody = z
  .strictObject({
    content: Content.optional(),
    metadata: Metadata.optional().meta({ description: "New metadata, which replaces all of the old." }),
  })
  .refine((body) => Object.keys(body).length > 0, "must have at least one field to change")
  .openapi("UpdateMessageBody", {
    minProperties: 1,
    example: { content: "Where is my refund for order 1030?" },
  });

export const updateMessage = createRoute({
  operationId: "updateMessage",
  ...sdkExample(`
    await engram.messages.update(conversation.id, message.id, { content: "Where is my money?" });
  `),
  method: "patch",
  path: "/v1/conversations/{conversation_id}/messages/{message_id}",
  tags: ["Messages"],
  summary: "Update a message",
  description:
    "Changes content or metadata; omitted fields stay unchanged. Keyword search finds the message by its new text, and no longer by the old one, at once. Semantic search follows within seconds.",
  security: requires("write"),
  request: { params: messageParams, body: jsonBody(UpdateMessageBody) },
  responses: {
    200: jsonAnswer("The updated message.", Message),
    ...problems(...bodyProblems, "not_found", "held", ...writeProblems),
  },
});

export const deleteMessage = createRoute({
  operationId: "deleteMessage",
  ...sdkExample(`
    await engram.messages.delete(conversation.id, message.id);
  `),
  method: "delete",
  path: "/v1/conversations/{conversation_id}/messages/{message_id}",
  tags: ["Messages"],
  summary: "Delete a message",
  description:
    "Deletes a message and its entries in the keyword index at once. Each vector that was computed from its text, together with that of neighboring messages, is deleted in the background. Its sequence number is never reused. A deletion cannot be undone. With `forget`, an append with its external id to this conversation fails with 409, and no import stores it again: `listTombstones` says how. Another message may have the same words.",
  security: requires("delete"),
  request: { params: messageParams, query: ForgetQuery },
  responses: {
    202: jsonAnswer(
      "The operation that tracks the deletion. Get it again with `getOperation` to see when the vectors are deleted.",
      DeleteMessageOperation,
    ),
    ...problems("validation_failed", "not_found", "held", ...writeProblems),
  },
});

export const ReplaceMessagesBody = z
  .strictObject({
    expected_last_sequence: z.int().min(0).max(SEQUENCE_MAX).meta({
      description:
        "Sequence number of the newest message that you have read; 0 if you have read none. If it is not the newest in the conversation, the request fails with 409 and changes nothing.",
    }),
    from_sequence: sequence(
      "Sequence number of the first message to delete. All messages from there on are deleted, at most 10,000.",
    ),
    messages: z
      .array(NewMessage)
      .max(APPEND_MESSAGES_MAX)
      .meta({
        description: `Messages to add in place of the deleted ones, with new sequence numbers. An empty list only deletes. At most 1,000, and in total at most ${WRITE_SIZE}.`,
      }),
    wait: Wait,
  })
  .openapi("ReplaceMessagesBody", {
    example: {
      expected_last_sequence: 2,
      from_sequence: 2,
      messages: [{ role: "assistant", content: "It was sent on Wednesday." }],
    },
  });

// Not `AppendedMessages.extend()`: OpenAPI would then require both schemas (`allOf`). Neither allows fields that
// it does not list, so no value would satisfy both.
export const ReplacedMessages = z
  .strictObject({
    ...AppendedMessages.shape,
    deleted_ids: z
      .array(MessageId)
      .max(REPLACE_MESSAGES_MAX)
      .meta({ description: "Ids of the deleted messages, oldest first." }),
  })
  .openapi("ReplacedMessages");
export type ReplacedMessages = z.infer<typeof ReplacedMessages>;

export const replaceMessages = createRoute({
  operationId: "replaceMessages",
  ...sdkExample(`
    const { sequence } = message;
    await engram.messages.replace(conversation.id, {
      expected_last_sequence: sequence,
      from_sequence: sequence,
      messages: [{ role: "user", content: "Say it another way." }],
    });
  `),
  method: "post",
  path: "/v1/conversations/{conversation_id}/messages/replace",
  tags: ["Messages"],
  summary: "Replace the last messages of a conversation",
  description:
    "Deletes all messages from `from_sequence` on and adds the given messages in their place, all or none. If the newest message does not have the sequence number `expected_last_sequence`, the request fails with 409 and changes nothing. With an empty `messages`, the request only deletes.",
  security: [{ apiKey: ["write", "delete"] }],
  request: { params: conversationParams, headers: IdempotencyHeaders, body: jsonBody(ReplaceMessagesBody) },
  responses: {
    200: jsonAnswer("Ids of the deleted and the stored messages.", ReplacedMessages, replayHeaders),
    ...problems(
      ...bodyProblems,
      "not_found",
      "held",
      "sequence_conflict",
      "too_many_messages",
      "external_id_conflict",
      "forgotten",
      "conversation_full",
      "idempotency_mismatch",
      ...writeProblems,
    ),
  },
});
