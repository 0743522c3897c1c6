import { createRoute, z } from "@hono/zod-openapi";
import { ConversationId, id, integerQuery, keyProblems, MemoryId, MessageId, requires } from "./common.ts";
import { Conversation } from "./conversations.ts";
import { SEQUENCE_MAX } from "./limits.ts";
import { Memory } from "./memories.ts";
import { Message } from "./messages.ts";
import { problems } from "./problem.ts";

/** One JSON value a line. */
export const NDJSON_TYPE = "application/x-ndjson";

/** An id as we give it: an imported one takes its place among ours, whose order is that of time. */
const ownId = (prefix: string, schema: z.ZodString) =>
  schema.regex(
    new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{20}$`),
    `must be \`${prefix}_\` and 20 characters as we give them`,
  );

const Sequence = Message.shape.sequence.min(1).max(SEQUENCE_MAX);

export const ConversationLine = z
  .strictObject({
    type: z.literal("conversation"),
    ...Conversation.shape,
    id: ownId("conv", ConversationId),
    last_sequence: Conversation.shape.last_sequence.min(0).max(SEQUENCE_MAX),
  })
  .meta({ description: "A conversation; its messages follow." })
  .openapi("ConversationLine");
export type ConversationLine = z.infer<typeof ConversationLine>;

export const MessageLine = z
  .strictObject({
    type: z.literal("message"),
    ...Message.shape,
    id: ownId("msg", MessageId),
    conversation_id: ownId("conv", ConversationId),
    sequence: Sequence,
    external_digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "must be 64 hex digits")
      .nullable()
      .meta({
        description:
          "Tells whether a message that comes again under its `external_id` is the same; null without one.",
      }),
  })
  .refine((line) => (line.external_id === null) === (line.external_digest === null), {
    path: ["external_digest"],
    message: "goes with `external_id`",
  })
  .meta({ description: "A message of the last conversation before it." })
  .openapi("MessageLine");
export type MessageLine = z.infer<typeof MessageLine>;

export const MemoryLine = z
  .strictObject({
    type: z.literal("memory"),
    ...Memory.shape,
    id: ownId("mem", MemoryId),
    given: z
      .strictObject({
        tags: z.boolean().meta({ description: "Whether you gave its tags." }),
        summary: z.boolean().meta({ description: "Whether you gave its summary." }),
      })
      .meta({ description: "What of it you gave: no text model writes over that." }),
  })
  .meta({ description: "A memory, whole." })
  .openapi("MemoryLine");
export type MemoryLine = z.infer<typeof MemoryLine>;

export const EndLine = z
  .strictObject({
    type: z.literal("end"),
    complete: z.boolean().meta({
      description: "False when there is more: go on behind the last line before this one.",
    }),
    conversations: z.int().meta({ description: "Conversations of this answer." }),
    messages: z.int().meta({ description: "Messages of this answer." }),
    // Backups of a time that knew none must stay good.
    memories: z.int().default(0).meta({ description: "Memories of this answer." }),
  })
  .meta({ description: "The last line: an answer that does not end with it was cut off." })
  .openapi("EndLine");
export type EndLine = z.infer<typeof EndLine>;

export const ExportLine = z
  .discriminatedUnion("type", [ConversationLine, MessageLine, MemoryLine, EndLine])
  .openapi("ExportLine");
export type ExportLine = z.infer<typeof ExportLine>;

export const exportConversations = createRoute({
  operationId: "exportConversations",
  method: "get",
  path: "/v1/export",
  tags: ["Export and import"],
  summary: "Export all conversations and memories",
  description:
    "Streams every conversation, each followed by its messages in order, and then every memory, one JSON object a line; both in order of their ids, which is the order of creation. Import takes the lines back as they are. The last line is `end`: an answer without it was cut off, and one with `complete: false` has told as much as one request may. In both cases go on with the position of the last line before: nothing is skipped or repeated. This is no snapshot: what is written or deleted meanwhile is told as it stands when the export passes it. Keys, operations, audit events and vectors are not part of it.",
  security: requires("admin"),
  request: {
    query: z
      .strictObject({
        after_conversation_id: id(
          "Go on behind this conversation's line or message: `id` of the last conversation line received, or `conversation_id` of the last message line.",
          "conv_06e3tqz8m1k4v9x2c7d0",
        ).optional(),
        after_sequence: integerQuery(
          0,
          SEQUENCE_MAX,
          "With `after_conversation_id`: `sequence` of the last message line received; 0, the default, when it was the conversation itself.",
        ).optional(),
        after_memory_id: id(
          "Go on behind this memory: `id` of the last memory line received. Memories come behind all conversations.",
          "mem_06e3tqz8m1k4v9x2c7d0",
        ).optional(),
      })
      .refine((query) => query.after_conversation_id !== undefined || query.after_sequence === undefined, {
        path: ["after_sequence"],
        message: "goes with `after_conversation_id`",
      })
      .refine((query) => query.after_memory_id === undefined || query.after_conversation_id === undefined, {
        path: ["after_memory_id"],
        message: "does not go with `after_conversation_id`",
      }),
  },
  responses: {
    200: {
      description: "The lines, each as this schema says.",
      headers: {
        "x-request-id": { schema: { type: "string" as const }, description: "Names this request." },
      },
      content: { [NDJSON_TYPE]: { schema: ExportLine } },
    },
    ...problems("validation_failed", ...keyProblems),
  },
});
