import { createRoute, z } from "@hono/zod-openapi";
import {
  bodyProblems,
  ConversationId,
  Cursor,
  IdempotencyHeaders,
  IncludeTotal,
  integerQuery,
  jsonAnswer,
  jsonBody,
  keyProblems,
  MessageId,
  Metadata,
  mcpTools,
  PAGE_BOUNDS,
  page,
  replayHeaders,
  requires,
  shortText,
  timestamp,
  utf8Bytes,
  WRITE_SIZE,
} from "./common.ts";
import {
  APPEND_MESSAGES_MAX,
  CONTENT_BYTES_MAX,
  MESSAGE_PAGE_MAX,
  PARTS_BYTES_MAX,
  REPLACE_MESSAGES_MAX,
  SEQUENCE_MAX,
} from "./limits.ts";
import { Operation } from "./operations.ts";
import { problems } from "./problem.ts";

export const MessageRole = z
  .enum(["user", "assistant", "system", "tool"])
  .meta({ description: "Who said it." })
  .openapi("MessageRole");
export type MessageRole = z.infer<typeof MessageRole>;

const Content = z
  .string()
  .refine((text) => utf8Bytes(text) <= CONTENT_BYTES_MAX, `at most ${CONTENT_BYTES_MAX} bytes as UTF-8`)
  .meta({
    description: "What was said, kept byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.",
    examples: ["Where is my refund for order 1029?"],
  })
  // A text has at most as many characters as bytes.
  .openapi({ maxLength: CONTENT_BYTES_MAX });
export const SpeakerName = shortText("Name of the speaker.", "Maria");
const ToolCallId = shortText("The tool call that this answers or makes.", "call_8fk2");
const ToolName = shortText("The tool.", "lookup_order");
const ExternalId = shortText("Your own id for the message, unique in the conversation.", "m-17");
const PARTS_TYPES: ["array", "object"] = ["array", "object"];
const Parts = z
  .custom<unknown[] | Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null,
    "must be an array or an object",
  )
  .refine(
    (value) => utf8Bytes(JSON.stringify(value)) <= PARTS_BYTES_MAX,
    `at most ${PARTS_BYTES_MAX} bytes as JSON`,
  )
  .meta({
    description:
      "The message as your framework stores it: any JSON array or object up to 500,000 bytes, kept exactly. Not searched.",
    examples: [[{ type: "text", text: "Where is my refund for order 1029?" }]],
  })
  .openapi({ type: PARTS_TYPES, items: {}, additionalProperties: {} });
export const sequence = (description: string) => z.int().min(1).max(SEQUENCE_MAX).meta({ description });
const CreatedAt = timestamp("When it was said, to the millisecond; yours for history that you bring along.");

export const Message = z
  .strictObject({
    id: MessageId,
    conversation_id: ConversationId,
    sequence: sequence("Its place: 1, 2, 3… Never reused, so a deleted message leaves a gap."),
    role: MessageRole,
    content: Content,
    name: SpeakerName.nullable(),
    tool_call_id: ToolCallId.nullable(),
    tool_name: ToolName.nullable(),
    metadata: Metadata,
    parts: Parts.nullable().openapi({ type: [...PARTS_TYPES, "null"] }),
    external_id: ExternalId.nullable(),
    created_at: CreatedAt,
    stored_at: timestamp("When we stored it."),
    updated_at: timestamp("When its content or metadata was changed.").nullable(),
  })
  .openapi("Message");
export type Message = z.infer<typeof Message>;

export const MessagePage = page(Message, "MessagePage");

export const NewMessage = z
  .strictObject({
    role: MessageRole,
    content: Content,
    name: SpeakerName.optional(),
    tool_call_id: ToolCallId.optional(),
    tool_name: ToolName.optional(),
    metadata: Metadata.optional(),
    parts: Parts.optional(),
    external_id: ExternalId.optional().meta({
      description:
        "Your own id for it, unique in the conversation. The same message again is reported as there already; another message under it is 409 and nothing is stored.",
    }),
    created_at: CreatedAt.optional().meta({
      description: "When it was said, to the millisecond; now by default.",
    }),
  })
  .openapi("NewMessage");
export type NewMessage = z.infer<typeof NewMessage>;

const Wait = z.enum(["indexed"]).optional().meta({
  description:
    "`indexed`: answer only once the vector store has taken the vectors, or after 25 seconds. The store shows them to queries some seconds later; on one machine at once.",
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
      .meta({ description: "Id of each message of the request, in its order." }),
    existing_ids: z
      .array(MessageId)
      .max(APPEND_MESSAGES_MAX)
      .meta({ description: "Those of them that were there already, by their `external_id`." }),
    first_sequence: sequence("Sequence of the first new message; null when none was new.").nullable(),
    last_sequence: sequence("Sequence of the last new message; null when none was new.").nullable(),
    indexed: z.boolean().meta({
      description:
        "Whether the vector store had taken the vectors when this was answered. Always false without `wait`.",
    }),
  })
  .openapi("AppendedMessages");
export type AppendedMessages = z.infer<typeof AppendedMessages>;

const conversationParams = z.object({ conversation_id: ConversationId });

export const appendMessages = createRoute({
  operationId: "appendMessages",
  ...mcpTools({ set: "conversations", omits: ["parts", "wait", "indexed"] }),
  method: "post",
  path: "/v1/conversations/{conversation_id}/messages",
  tags: ["Messages"],
  summary: "Append messages to a conversation",
  description: `Adds messages after the last one, all or none, with sequence numbers that follow on without a gap. They are stored durably when this answers and can be found by their words at once; by meaning within seconds. One append carries at most ${WRITE_SIZE}; beyond it, 413 and nothing is stored.`,
  security: requires("write"),
  request: { params: conversationParams, headers: IdempotencyHeaders, body: jsonBody(AppendMessagesBody) },
  responses: {
    201: jsonAnswer("What was stored.", AppendedMessages, replayHeaders),
    ...problems(
      ...bodyProblems,
      "not_found",
      "external_id_conflict",
      "conversation_full",
      "idempotency_mismatch",
      ...keyProblems,
    ),
  },
});

export const listMessages = createRoute({
  operationId: "listMessages",
  method: "get",
  path: "/v1/conversations/{conversation_id}/messages",
  tags: ["Messages"],
  summary: "List messages of a conversation",
  description: `Lists messages, oldest first: a range of sequence numbers, the newest ones (\`newest\`), or those around one (\`around\`). ${PAGE_BOUNDS}`,
  security: requires("read"),
  request: {
    params: conversationParams,
    query: z
      .strictObject({
        limit: integerQuery(1, MESSAGE_PAGE_MAX, "Most messages of a page; it may hold fewer.").optional(),
        cursor: Cursor.optional(),
        include_total: IncludeTotal.optional(),
        from_sequence: integerQuery(1, SEQUENCE_MAX, "First sequence number of the range.").optional(),
        to_sequence: integerQuery(1, SEQUENCE_MAX, "Last sequence number of the range.").optional(),
        newest: integerQuery(
          1,
          MESSAGE_PAGE_MAX,
          "Only the newest so many, still oldest first. When they are too large for a page, `next_cursor` leads to the earlier ones of them.",
        ).optional(),
        around: MessageId.optional().meta({
          description:
            "Only the messages around this one, and itself: the nearest, when they are too large for a page.",
        }),
        before: integerQuery(0, 100, "With `around`: how many before it; 5 by default.").optional(),
        after: integerQuery(0, 100, "With `around`: how many after it; 5 by default.").optional(),
      })
      .superRefine((query, ctx) => {
        const ranged = query.from_sequence !== undefined || query.to_sequence !== undefined;
        const views = [ranged, query.newest !== undefined, query.around !== undefined];
        if (views.filter(Boolean).length > 1) {
          ctx.addIssue({ code: "custom", message: "choose one of a range, `newest` and `around`" });
        }
        if (query.around === undefined && (query.before !== undefined || query.after !== undefined)) {
          ctx.addIssue({ code: "custom", message: "`before` and `after` go with `around`" });
        }
        if (query.around !== undefined && query.cursor !== undefined) {
          ctx.addIssue({
            code: "custom",
            path: ["cursor"],
            message: "goes with no `around`, whose messages are one page",
          });
        }
      }),
  },
  responses: {
    200: jsonAnswer("A page of messages.", MessagePage),
    ...problems("validation_failed", "invalid_cursor", "not_found", ...keyProblems),
  },
});

const messageParams = conversationParams.extend({ message_id: MessageId });

export const getMessage = createRoute({
  operationId: "getMessage",
  method: "get",
  path: "/v1/conversations/{conversation_id}/messages/{message_id}",
  tags: ["Messages"],
  summary: "Get a message",
  description: "Answers one message, byte for byte as it was stored.",
  security: requires("read"),
  request: { params: messageParams },
  responses: { 200: jsonAnswer("The message.", Message), ...problems("not_found", ...keyProblems) },
});

export const UpdateMessageBody = z
  .strictObject({
    content: Content.optional(),
    metadata: Metadata.optional().meta({ description: "All metadata anew; it replaces the old." }),
  })
  .refine((body) => Object.keys(body).length > 0, "name at least one field to change")
  .openapi("UpdateMessageBody", {
    minProperties: 1,
    example: { content: "Where is my refund for order 1030?" },
  });

export const updateMessage = createRoute({
  operationId: "updateMessage",
  method: "patch",
  path: "/v1/conversations/{conversation_id}/messages/{message_id}",
  tags: ["Messages"],
  summary: "Update a message",
  description:
    "Changes content or metadata; what is not named stays. The new words can be found at once and the old ones no longer; the vector follows within seconds.",
  security: requires("write"),
  request: { params: messageParams, body: jsonBody(UpdateMessageBody) },
  responses: {
    200: jsonAnswer("The message as it is now.", Message),
    ...problems(...bodyProblems, "not_found", ...keyProblems),
  },
});

export const deleteMessage = createRoute({
  operationId: "deleteMessage",
  method: "delete",
  path: "/v1/conversations/{conversation_id}/messages/{message_id}",
  tags: ["Messages"],
  summary: "Delete a message",
  description:
    "Deletes one message and its words from the keyword index at once; vectors of the windows that held it follow. Its sequence number stays empty. Cannot be undone.",
  security: requires("delete"),
  request: { params: messageParams },
  responses: {
    202: jsonAnswer("The receipt, filled in as the vectors go.", Operation),
    ...problems("not_found", ...keyProblems),
  },
});

export const ReplaceMessagesBody = z
  .strictObject({
    expected_last_sequence: z.int().min(0).max(SEQUENCE_MAX).meta({
      description:
        "Sequence of the newest message that you know of; 0 for none. If another is newest, 409 and nothing changes.",
    }),
    from_sequence: sequence("Messages from this sequence number on are deleted, 10,000 at most."),
    messages: z
      .array(NewMessage)
      .max(APPEND_MESSAGES_MAX)
      .meta({
        description: `Messages to add in their place, under new sequence numbers; empty to only delete. At most 1,000, together at most ${WRITE_SIZE}.`,
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

// Not `extend`: the document would combine two closed objects, and no value satisfies both.
export const ReplacedMessages = z
  .strictObject({
    ...AppendedMessages.shape,
    deleted_ids: z
      .array(MessageId)
      .max(REPLACE_MESSAGES_MAX)
      .meta({ description: "The messages that were deleted, oldest first." }),
  })
  .openapi("ReplacedMessages");
export type ReplacedMessages = z.infer<typeof ReplacedMessages>;

export const replaceMessages = createRoute({
  operationId: "replaceMessages",
  method: "post",
  path: "/v1/conversations/{conversation_id}/messages/replace",
  tags: ["Messages"],
  summary: "Replace the last messages of a conversation",
  description:
    "Deletes the messages from a sequence number on and adds others in their place, all or none, and only if the conversation still ends where you expect. With no messages it removes the end: an atomic pop.",
  security: [{ apiKey: ["write", "delete"] }],
  request: { params: conversationParams, headers: IdempotencyHeaders, body: jsonBody(ReplaceMessagesBody) },
  responses: {
    200: jsonAnswer("What was deleted and stored.", ReplacedMessages, replayHeaders),
    ...problems(
      ...bodyProblems,
      "not_found",
      "sequence_conflict",
      "too_many_messages",
      "external_id_conflict",
      "conversation_full",
      "idempotency_mismatch",
      ...keyProblems,
    ),
  },
});
