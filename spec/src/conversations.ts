import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  bodyProblems,
  ConversationId,
  CountedWhole,
  Cursor,
  count,
  entityHeaders,
  filteredPage,
  IdempotencyHeaders,
  IfMatchHeaders,
  IncludeBoundedTotal,
  integerQuery,
  jsonAnswer,
  jsonBody,
  keyProblems,
  Metadata,
  MetadataQuery,
  MetadataValues,
  mcpTools,
  PAGE_BOUNDS,
  PageLimit,
  repeatedQuery,
  replayHeaders,
  requires,
  SCAN_BOUNDS,
  shortText,
  Tag,
  Tags,
  timestamp,
  UserId,
} from "./common.ts";
import { CONVERSATION_MESSAGES_MAX, SEQUENCE_MAX, TAGS_MAX, TITLE_CHARACTERS_MAX } from "./limits.ts";
import { MessagePage } from "./messages.ts";
import { Operation } from "./operations.ts";
import { problems } from "./problem.ts";

export const CONVERSATION_MESSAGES_DEFAULT = 100;

const Title = z
  .string()
  .max(TITLE_CHARACTERS_MAX)
  .meta({
    description: "What people call it; at most 1,000 characters.",
    examples: ["Refund for order 1029"],
  });
const ExternalId = shortText("Your own id for it, unique in the organization.", "ticket-1029");

export const Conversation = z
  .strictObject({
    id: ConversationId,
    external_id: ExternalId.nullable(),
    title: Title.nullable(),
    agent_id: AgentId.nullable(),
    user_id: UserId.nullable(),
    tags: Tags,
    metadata: Metadata,
    message_count: count("Messages it holds now."),
    last_sequence: count(
      "Highest sequence number ever given to a message of it; 0 before the first. Deleting does not lower it.",
    ),
    created_at: timestamp("When it was created."),
    updated_at: timestamp("When it or a message of it last changed."),
  })
  .openapi("Conversation");
export type Conversation = z.infer<typeof Conversation>;

export const CreateConversationBody = z
  .strictObject({
    external_id: ExternalId.optional().meta({
      description:
        "Your own id for it. When the organization has a conversation with it already, that one is answered with 200, unchanged.",
    }),
    title: Title.optional(),
    agent_id: AgentId.optional().meta({
      description: "The agent that it belongs to. A key bound to an agent sets its own; another is refused.",
    }),
    user_id: UserId.optional(),
    tags: Tags.optional(),
    metadata: Metadata.optional(),
  })
  .openapi("CreateConversationBody", {
    example: {
      title: "Refund for order 1029",
      agent_id: "support-bot",
      user_id: "user_4711",
      tags: ["billing"],
    },
  });

export const createConversation = createRoute({
  operationId: "createConversation",
  ...mcpTools({ set: "conversations" }),
  method: "post",
  path: "/v1/conversations",
  tags: ["Conversations"],
  summary: "Create a conversation",
  description: "Creates an empty conversation, or answers the one that has this `external_id` already.",
  security: requires("write"),
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateConversationBody) },
  responses: {
    200: jsonAnswer("The conversation that had this `external_id` already.", Conversation, {
      ...replayHeaders,
      ...entityHeaders,
    }),
    201: jsonAnswer("The new conversation.", Conversation, { ...replayHeaders, ...entityHeaders }),
    ...problems(...bodyProblems, "not_found", "external_id_conflict", "idempotency_mismatch", ...keyProblems),
  },
});

export const listConversations = createRoute({
  operationId: "listConversations",
  ...mcpTools({
    set: "conversations",
    description: "Lists conversations page by page. All filters must hold.",
    defaults: { limit: 20 },
    omits: ["include_total", "total", "external_id", "sort", "order"],
  }),
  method: "get",
  path: "/v1/conversations",
  tags: ["Conversations"],
  summary: "List conversations",
  description: `Lists conversations page by page. All filters must hold. ${PAGE_BOUNDS} ${SCAN_BOUNDS} One that is created or changed meanwhile may be missed or met; no other is skipped or repeated.`,
  security: requires("read"),
  request: {
    query: z.strictObject({
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
      include_total: IncludeBoundedTotal.optional(),
      agent_id: AgentId.optional(),
      user_id: UserId.optional(),
      external_id: ExternalId.optional(),
      tags_any: repeatedQuery(
        Tag,
        TAGS_MAX,
        "Only conversations with at least one of these tags.",
      ).optional(),
      tags_all: repeatedQuery(Tag, TAGS_MAX, "Only conversations with all of these tags.").optional(),
      created_after: timestamp("Only conversations created at this moment or later.").optional(),
      created_before: timestamp("Only conversations created before this moment.").optional(),
      metadata: MetadataQuery.optional(),
      sort: z
        .enum(["created_at", "updated_at", "message_count"])
        .default("updated_at")
        .meta({ description: "What to order by." }),
      order: z.enum(["asc", "desc"]).default("desc").meta({ description: "Rising or falling." }),
    }),
  },
  responses: {
    200: jsonAnswer("A page of conversations.", filteredPage(Conversation, "ConversationPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

const params = z.object({ conversation_id: ConversationId });

export const getConversation = createRoute({
  operationId: "getConversation",
  ...mcpTools({ set: "conversations", defaults: { message_limit: 10 } }),
  method: "get",
  path: "/v1/conversations/{conversation_id}",
  tags: ["Conversations"],
  summary: "Get a conversation with its messages",
  description: "Answers a conversation and a page of its messages, oldest first.",
  security: requires("read"),
  request: {
    params,
    query: z.strictObject({
      message_limit: integerQuery(
        0,
        CONVERSATION_MESSAGES_MAX,
        "Most messages to answer; 0 for none. Fewer come when they are large, as `listMessages` says.",
      ).default(CONVERSATION_MESSAGES_DEFAULT),
      message_cursor: Cursor.optional(),
    }),
  },
  responses: {
    200: jsonAnswer(
      "The conversation and its messages.",
      z.strictObject({ ...Conversation.shape, messages: MessagePage }).openapi("ConversationWithMessages"),
      entityHeaders,
    ),
    ...problems("validation_failed", "invalid_cursor", "not_found", ...keyProblems),
  },
});

export const UpdateConversationBody = z
  .strictObject({
    title: Title.nullable().optional(),
    tags: Tags.optional().meta({ description: "All tags anew; they replace the old ones." }),
    metadata: Metadata.optional().meta({ description: "All metadata anew; it replaces the old." }),
  })
  .refine((body) => Object.keys(body).length > 0, "name at least one field to change")
  .openapi("UpdateConversationBody", {
    minProperties: 1,
    example: { title: "Refund, done", tags: ["billing", "done"] },
  });

export const updateConversation = createRoute({
  operationId: "updateConversation",
  method: "patch",
  path: "/v1/conversations/{conversation_id}",
  tags: ["Conversations"],
  summary: "Update a conversation",
  description:
    "Changes title, tags or metadata; what is not named stays. With `If-Match`, only if nothing changed since.",
  security: requires("write"),
  request: { params, headers: IfMatchHeaders, body: jsonBody(UpdateConversationBody) },
  responses: {
    200: jsonAnswer("The conversation as it is now.", Conversation, entityHeaders),
    ...problems(...bodyProblems, "not_found", "precondition_failed", ...keyProblems),
  },
});

export const deleteConversation = createRoute({
  operationId: "deleteConversation",
  ...mcpTools({ set: "conversations", omits: ["progress"] }),
  method: "delete",
  path: "/v1/conversations/{conversation_id}",
  tags: ["Conversations"],
  summary: "Delete a conversation",
  description:
    "Hides the conversation with all its messages at once, from every answer; rows, keyword index and vectors are then purged in steps. Cannot be undone.",
  security: requires("delete"),
  request: { params, headers: IfMatchHeaders },
  responses: {
    202: jsonAnswer("The receipt, filled in as the purge goes on.", Operation),
    ...problems("not_found", "precondition_failed", ...keyProblems),
  },
});

export const DeleteConversationsBody = z
  .strictObject({
    filter: z
      .strictObject({
        agent_id: AgentId.optional().meta({ description: "Only conversations of this agent." }),
        user_id: UserId.optional().meta({ description: "Only conversations with this person." }),
        tags_any: Tags.min(1).optional().meta({
          description: "Only conversations with at least one of these tags.",
        }),
        tags_all: Tags.min(1).optional().meta({
          description: "Only conversations with all of these tags.",
        }),
        created_after: timestamp("Only conversations created at this moment or later.").optional(),
        created_before: timestamp("Only conversations created before this moment.").optional(),
        metadata: MetadataValues.refine((value) => Object.keys(value).length > 0, "name at least one value")
          .openapi({ minProperties: 1 })
          .optional(),
      })
      .refine((filter) => Object.keys(filter).length > 0, "name at least one condition")
      .meta({ description: "Which conversations to delete. All conditions must hold; one at least." })
      .openapi({ minProperties: 1 }),
    dry_run: z
      .boolean()
      .default(false)
      .meta({ description: "Only count what would be deleted. Ask this first." }),
  })
  .openapi("DeleteConversationsBody", { example: { filter: { user_id: "user_4711" }, dry_run: true } });

export const ConversationsCounted = z
  .strictObject({
    conversations: count("Conversations that the filter finds now."),
    messages: count("Messages that they hold."),
    complete: CountedWhole,
  })
  .openapi("ConversationsCounted");
export type ConversationsCounted = z.infer<typeof ConversationsCounted>;

export const deleteConversations = createRoute({
  operationId: "deleteConversations",
  method: "post",
  path: "/v1/conversations/delete",
  tags: ["Conversations"],
  summary: "Delete conversations by a filter",
  description:
    "Hides every conversation that the filter finds, with all its messages: up to 1,000 with the answer, further ones up to 1,000 at a step soon after, oldest first. A step reads at most 4,000 conversations with a filter by tags or metadata, 50,000 otherwise. Those created later are spared. Rows, keyword index and vectors are then purged in steps. `cancelOperation` calls off what is not hidden yet; what is hidden cannot be brought back.",
  security: requires("delete"),
  request: { headers: IdempotencyHeaders, body: jsonBody(DeleteConversationsBody) },
  responses: {
    200: jsonAnswer("How much would be deleted, for a dry run. Nothing was.", ConversationsCounted),
    202: jsonAnswer("The receipt, filled in as the deletion goes on.", Operation, replayHeaders),
    ...problems(...bodyProblems, "idempotency_mismatch", ...keyProblems),
  },
});

export const ForkConversationBody = z
  .strictObject({
    sequence: z.int().min(0).max(SEQUENCE_MAX).optional().meta({
      description: "Last sequence number to copy; all messages by default, none for 0.",
    }),
    external_id: ExternalId.optional().meta({
      description: "Your own id for the fork, which no other conversation of the organization may have.",
    }),
    title: Title.optional().meta({ description: "Title of the fork; the original's by default." }),
  })
  .openapi("ForkConversationBody", { example: { sequence: 2 } });

export const forkConversation = createRoute({
  operationId: "forkConversation",
  method: "post",
  path: "/v1/conversations/{conversation_id}/fork",
  tags: ["Conversations"],
  summary: "Fork a conversation",
  description:
    "Creates a conversation that begins as another did: with its agent, person, tags and metadata, and copies of its messages up to a sequence number, under the same numbers and with new ids. From then on each goes its own way. At most 10,000 messages, with together 2,097,152 bytes of content, parts, metadata, names and ids, all or none; beyond the bytes, 413.",
  security: requires("write"),
  request: { params, headers: IdempotencyHeaders, body: jsonBody(ForkConversationBody) },
  responses: {
    201: jsonAnswer("The fork.", Conversation, { ...replayHeaders, ...entityHeaders }),
    ...problems(
      ...bodyProblems,
      "not_found",
      "external_id_conflict",
      "sequence_conflict",
      "too_many_messages",
      "idempotency_mismatch",
      ...keyProblems,
    ),
  },
});
