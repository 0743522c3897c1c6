import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  bodyProblems,
  ConversationId,
  Cursor,
  entityHeaders,
  IdempotencyHeaders,
  IfMatchHeaders,
  IncludeTotal,
  integerQuery,
  jsonAnswer,
  jsonBody,
  keyProblems,
  Metadata,
  mcpTool,
  PageLimit,
  page,
  repeatedQuery,
  replayHeaders,
  requires,
  shortText,
  TAGS_MAX,
  Tag,
  Tags,
  timestamp,
  UserId,
} from "./common.ts";
import { MessagePage } from "./messages.ts";
import { Operation } from "./operations.ts";
import { problems } from "./problem.ts";

export const TITLE_CHARACTERS_MAX = 1_000;
export const CONVERSATION_MESSAGES_DEFAULT = 100;
export const CONVERSATION_MESSAGES_MAX = 500;

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
    message_count: z.int().meta({ description: "Messages it holds now." }),
    last_sequence: z.int().meta({
      description:
        "Highest sequence number ever given to a message of it; 0 before the first. Deleting does not lower it.",
    }),
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
  ...mcpTool(),
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

const MetadataFilter = z
  .string()
  .max(4_096)
  .transform((text, ctx) => {
    try {
      const value: unknown = JSON.parse(text);
      const scalars = typeof value === "object" && value !== null && !Array.isArray(value);
      if (
        scalars &&
        Object.values(value).every((item) => ["string", "number", "boolean"].includes(typeof item))
      ) {
        return value as Record<string, string | number | boolean>;
      }
    } catch {
      // Answered below like every other text that is no such object.
    }
    ctx.addIssue({ code: "custom", message: "must be a JSON object of strings, numbers and booleans" });
    return z.NEVER;
  })
  .openapi({
    type: "string",
    maxLength: 4_096,
    description:
      'Only conversations whose metadata has all these values at the top level, as JSON: `{"ticket":"T-1029"}`.',
    example: '{"ticket":"T-1029"}',
  });

export const listConversations = createRoute({
  operationId: "listConversations",
  ...mcpTool({ defaults: { limit: 20 } }),
  method: "get",
  path: "/v1/conversations",
  tags: ["Conversations"],
  summary: "List conversations",
  description:
    "Lists conversations page by page. All filters must hold. A conversation that is created or changed while you page may be missed or met, but none that stays as it is is skipped or repeated.",
  security: requires("read"),
  request: {
    query: z.strictObject({
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
      include_total: IncludeTotal.optional(),
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
      metadata: MetadataFilter.optional(),
      sort: z
        .enum(["created_at", "updated_at", "message_count"])
        .default("updated_at")
        .meta({ description: "What to order by." }),
      order: z.enum(["asc", "desc"]).default("desc").meta({ description: "Rising or falling." }),
    }),
  },
  responses: {
    200: jsonAnswer("A page of conversations.", page(Conversation, "ConversationPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

const params = z.object({ conversation_id: ConversationId });

export const getConversation = createRoute({
  operationId: "getConversation",
  ...mcpTool({ defaults: { message_limit: 20 } }),
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
        "Most messages to answer; 0 for none. Fewer come when they are large.",
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
  .openapi("UpdateConversationBody", { example: { title: "Refund, done", tags: ["billing", "done"] } });

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
  ...mcpTool(),
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
