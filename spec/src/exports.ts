import { createRoute, z } from "@hono/zod-openapi";
import {
  AsOf,
  ConversationId,
  hasOneReader,
  id,
  integerQuery,
  MemoryId,
  MessageId,
  RecallId,
  requires,
  SHARED_OF_USER,
  sdkExample,
  sdkMethod,
  timestamp,
  UserId,
  writeProblems,
} from "./common.ts";
import { ContextBody } from "./contexts.ts";
import { Conversation } from "./conversations.ts";
import { SEQUENCE_MAX, SOURCES_MAX } from "./limits.ts";
import { Memory, MemoryVersion } from "./memories.ts";
import { Message } from "./messages.ts";
import { problems } from "./problem.ts";
import { Recall } from "./recalls.ts";
import { SearchBody, SearchMemoriesBody } from "./search.ts";
import { Source } from "./sources.ts";

/** Content type of newline-delimited JSON: one JSON value per line. */
export const NDJSON_TYPE = "application/x-ndjson";

/**
 * An id of the form that the service generates. An import accepts no other ids, because the service sorts items by
 * id, and its own ids begin with the time.
 */
const ownId = (prefix: string, schema: z.ZodString) =>
  schema.regex(
    new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{20}$`),
    `must be \`${prefix}_\` and 20 characters, as the service generates ids`,
  );

/** Far beyond what changes can reach, such that the next numbers are exact. */
const Version = MemoryVersion.shape.version.max(1_000_000_000);

const Sequence = Message.shape.sequence.min(1).max(SEQUENCE_MAX);

export const ConversationLine = z
  .strictObject({
    type: z.literal("conversation"),
    ...Conversation.shape,
    id: ownId("conv", ConversationId),
    last_sequence: Conversation.shape.last_sequence.min(0).max(SEQUENCE_MAX),
    // Exports from versions without these fields must stay importable.
    shared: Conversation.shape.shared.default(false),
    expires_at: Conversation.shape.expires_at.default(null),
    last_message_at: Conversation.shape.last_message_at.default(null),
  })
  .refine(hasOneReader, SHARED_OF_USER)
  .meta({ description: "A conversation. Its messages follow." })
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
      .regex(/^[0-9a-f]{64}$/, "must be 64 hex digits in lower case")
      .nullable()
      .meta({
        description:
          "Digest of the message. The service compares it when a message is sent again with the same `external_id`, to decide whether it is the same message. Null if `external_id` is null.",
      }),
  })
  .refine((line) => (line.external_id === null) === (line.external_digest === null), {
    path: ["external_digest"],
    message: "must be given if `external_id` is, and null otherwise",
  })
  .meta({ description: "A message. It belongs to the nearest conversation line above it." })
  .openapi("MessageLine");
export type MessageLine = z.infer<typeof MessageLine>;

export const MemoryLine = z
  .strictObject({
    type: z.literal("memory"),
    ...Memory.shape,
    // Exports from versions without these fields must stay importable.
    parts: Memory.shape.parts.default(null),
    sources: z
      .array(
        z.strictObject({
          ...Source.shape,
          conversation_id: ownId("conv", Source.shape.conversation_id),
          message_id: ownId("msg", Source.shape.message_id),
        }),
      )
      .max(SOURCES_MAX)
      .default([])
      .meta({
        description:
          "Messages that the memory cites. They are imported as they are, and not compared with the messages.",
      }),
    user_id: Memory.shape.user_id.default(null),
    shared: Memory.shape.shared.default(false),
    expires_at: Memory.shape.expires_at.default(null),
    external_id: Memory.shape.external_id.default(null),
    valid_from: Memory.shape.valid_from.default(null),
    valid_until: Memory.shape.valid_until.default(null),
    occurred_at: Memory.shape.occurred_at.default(null),
    supersedes: Memory.shape.supersedes.default(null),
    superseded_by: Memory.shape.superseded_by.default(null),
    version: Version.default(1),
    key_id: MemoryVersion.shape.key_id.default(null),
    stored_at: MemoryVersion.shape.stored_at.nullable().default(null).meta({
      description:
        "Time when this version was stored. Null in exports of releases without versions; it is then the time of the import.",
    }),
    id: ownId("mem", MemoryId),
    given: z
      .strictObject({
        tags: z
          .boolean()
          .meta({ description: "`true`: you gave the tags. `false`: the text model may write them." }),
        summary: z
          .boolean()
          .meta({ description: "`true`: you gave the summary. `false`: the text model may write it." }),
      })
      .meta({
        description:
          "Whether you gave the tags and the summary. A text model never replaces those that you gave.",
      }),
  })
  .refine(({ content, parts }) => content !== "" || parts !== null, {
    path: ["content"],
    message: "must not be empty without `parts`",
  })
  .refine(hasOneReader, SHARED_OF_USER)
  .meta({ description: "A memory with its full content." })
  .openapi("MemoryLine");
export type MemoryLine = z.infer<typeof MemoryLine>;

export const MemoryVersionLine = z
  .strictObject({
    type: z.literal("memory_version"),
    memory_id: ownId("mem", MemoryId),
    ...MemoryVersion.shape,
    version: Version,
    content: Memory.shape.content.nullable().meta({
      description:
        "Content of the version. Null if the line of the memory, or of a later version of it, has the content with this `content_hash`.",
    }),
    replaced_at: timestamp("Time when the next version was stored."),
    given: MemoryLine.shape.given,
  })
  .meta({
    description:
      "An earlier version of a memory. All memories come before the first of these lines. Those of one memory are together, newest first.",
  })
  .openapi("MemoryVersionLine");
export type MemoryVersionLine = z.infer<typeof MemoryVersionLine>;

/** Bodies of the operations whose answers are recorded. */
const RECALLED_BODIES = { search: SearchBody, searchMemories: SearchMemoriesBody, getContext: ContextBody };

export const RecallLine = z
  .strictObject({ type: z.literal("recall"), ...Recall.shape, id: ownId("rcl", RecallId) })
  // A replay sends it.
  .superRefine(({ operation, request }, context) => {
    for (const { path, message } of RECALLED_BODIES[operation].safeParse(request).error?.issues ?? [])
      context.addIssue({ code: "custom", path: ["request", ...path], message });
  })
  .meta({
    description:
      "A receipt of recall. All other lines come before the first of these. Its hashes can be compared only in the organization that recorded it.",
  })
  .openapi("RecallLine");
export type RecallLine = z.infer<typeof RecallLine>;

export const EndLine = z
  .strictObject({
    type: z.literal("end"),
    complete: z.boolean().meta({
      description:
        "`false` if the export has more lines. To get them, export again with `after` and `after_sequence` of the line before this one.",
    }),
    conversations: z.int().meta({ description: "Number of conversations in this response." }),
    messages: z.int().meta({ description: "Number of messages in this response." }),
    // Exports from versions without memories lack this field, and must stay importable.
    memories: z.int().default(0).meta({ description: "Number of memories in this response." }),
    memory_versions: z
      .int()
      .default(0)
      .meta({ description: "Number of earlier versions of memories in this response." }),
    recalls: z.int().default(0).meta({ description: "Number of receipts of recall in this response." }),
  })
  .meta({ description: "The last line. A response that does not end with it was cut off." })
  .openapi("EndLine");
export type EndLine = z.infer<typeof EndLine>;

export const ExportLine = z
  .discriminatedUnion("type", [
    ConversationLine,
    MessageLine,
    MemoryLine,
    MemoryVersionLine,
    RecallLine,
    EndLine,
  ])
  .openapi("ExportLine");
export type ExportLine = z.infer<typeof ExportLine>;

const lines: ExportLine[] = [
  {
    type: "conversation",
    id: "conv_06e3tqz8m1k4v9x2c7d0",
    external_id: "ticket-1029",
    title: "Refund for order 1029",
    agent_id: "support-bot",
    user_id: "user_4711",
    shared: false,
    tags: ["billing"],
    metadata: { ticket: "T-1029" },
    message_count: 1,
    last_sequence: 1,
    last_message_at: "2026-11-02T09:30:00.000Z",
    created_at: "2026-11-02T09:30:00.000Z",
    updated_at: "2026-11-02T09:30:00.000Z",
    expires_at: null,
  },
  {
    type: "message",
    id: "msg_06e3tqz8m1k4v9x2c7d1",
    conversation_id: "conv_06e3tqz8m1k4v9x2c7d0",
    sequence: 1,
    role: "user",
    content: "Where is my refund for order 1029?",
    name: "Maria",
    tool_call_id: null,
    tool_name: null,
    metadata: {},
    parts: null,
    external_id: null,
    external_digest: null,
    created_at: "2026-11-02T09:30:00.000Z",
    stored_at: "2026-11-02T09:30:00.000Z",
    updated_at: null,
  },
  { type: "end", complete: true, conversations: 1, messages: 1, memories: 0, memory_versions: 0, recalls: 0 },
];

/** A conversation with a message, as an export writes them. */
export const EXPORT_EXAMPLE = lines.map((line) => `${JSON.stringify(line)}\n`).join("");

export const exportData = createRoute({
  operationId: "exportData",
  ...sdkMethod({ method: "export" }),
  ...sdkExample(`
    for await (const line of engram.export()) console.log(JSON.stringify(line));
  `),
  method: "get",
  path: "/v1/export",
  tags: ["Export and import"],
  summary: "Export all conversations and memories",
  description:
    "Streams every conversation, each followed by its messages in order, then every memory, then the earlier versions of memories, and then the receipts of recall, as one JSON object per line. Conversations, memories and receipts are ordered by id, which is the order of creation. `importLines` accepts the lines as they are. The last line has the type `end`. A response without it was cut off; one with `complete: false` has reached the limit of one request. In both cases, send another request with the position of the last line that you received (not counting `end`). No line is skipped or repeated. The export is not a snapshot: items that are created, changed or deleted meanwhile are exported as they are when the export reaches them. Keys, operations, evaluations, audit events and vectors are not included.",
  security: requires("admin"),
  request: {
    query: z
      .strictObject({
        as_of: AsOf.optional(),
        user_id: UserId.optional().meta({
          description:
            "Only the conversations with this user, the memories of the user with their earlier versions, and the receipts of recall of the user. Send it with every request of an export. Default: all.",
        }),
        after: id(
          "Continue the export after the last line that you received: the `id` of that conversation, memory or receipt. If the line was a message, send its `conversation_id`, and its `sequence` in `after_sequence`; if it was an earlier version, its `memory_id`, and its `version` in `after_version`.",
          "conv_06e3tqz8m1k4v9x2c7d0",
        ).optional(),
        after_sequence: integerQuery(
          0,
          SEQUENCE_MAX,
          "With the id of a conversation as `after`: `sequence` of the last message line that you received. Default 0: the last line was the conversation itself.",
        ).optional(),
        after_version: integerQuery(
          1,
          Number.MAX_SAFE_INTEGER,
          "With the id of a memory as `after`: `version` of the last `memory_version` line that you received. Default: the last line was the memory itself.",
        ).optional(),
      })
      .refine(
        ({ after, after_version }) => after_version === undefined || after?.startsWith("mem_") === true,
        { path: ["after_version"], message: "requires the id of a memory as `after`" },
      )
      .refine(
        ({ after, after_sequence }) => after_sequence === undefined || after?.startsWith("conv_") === true,
        {
          path: ["after_sequence"],
          message: "requires the id of a conversation as `after`",
        },
      ),
  },
  responses: {
    200: {
      description: "Lines of JSON, each of which has this schema.",
      headers: {
        "x-request-id": { schema: { type: "string" as const }, description: "Id of the request." },
      },
      content: { [NDJSON_TYPE]: { schema: ExportLine } },
    },
    ...problems("validation_failed", ...writeProblems),
  },
});
