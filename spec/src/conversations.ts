import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  AsOf,
  asNamed,
  bodyProblems,
  booleanQuery,
  ConversationId,
  CountedWhole,
  Cursor,
  count,
  countedPage,
  EditedSince,
  ExactOwner,
  ExpiresAt,
  entityHeaders,
  Forget,
  ForgetQuery,
  HeldCount,
  hasOneReader,
  IdempotencyHeaders,
  IfMatchHeaders,
  IncludeTotal,
  integerQuery,
  jsonAnswer,
  jsonBody,
  keyProblems,
  MessageId,
  Metadata,
  MetadataQuery,
  MetadataValues,
  mcpTools,
  NewShared,
  optionalOrNull,
  PAGE_BOUNDS,
  PageLimit,
  repeatedQuery,
  replayHeaders,
  requires,
  SCAN_BOUNDS,
  SHARED_OF_USER,
  Shared,
  SORT_AS_OF,
  sdkExample,
  sdkMethod,
  shortText,
  Tag,
  Tags,
  timestamp,
  UserId,
  visibilityQuery,
  writeProblems,
} from "./common.ts";
import {
  CONVERSATION_MESSAGES_MAX,
  EXCERPT_CHARACTERS,
  SEQUENCE_MAX,
  TAGS_MAX,
  TITLE_CHARACTERS_MAX,
} from "./limits.ts";
import { Message, MessagePage } from "./messages.ts";
import { DeleteConversationOperation, DeleteConversationsOperation } from "./operations.ts";
import { problems } from "./problem.ts";

export const CONVERSATION_MESSAGES_DEFAULT = 100;

const Title = z
  .string()
  .max(TITLE_CHARACTERS_MAX)
  .meta({
    description: "Title of the conversation. At most 1,000 characters.",
    examples: ["Refund for order 1029"],
  });
export const ExternalId = shortText(
  "Your own id for the conversation, unique within the organization.",
  "ticket-1029",
);

export const Conversation = z
  .strictObject({
    id: ConversationId,
    external_id: ExternalId.nullable(),
    title: Title.nullable(),
    agent_id: AgentId.nullable(),
    user_id: UserId.nullable(),
    shared: Shared,
    tags: Tags,
    metadata: Metadata,
    message_count: count("Number of messages in the conversation."),
    last_sequence: count(
      "Highest sequence number (position) that a message of the conversation has ever had; 0 if there never was a message. Deleting messages does not lower it.",
    ),
    last_message_at: timestamp(
      "`created_at` of the last message, the one with the highest sequence number; null without messages.",
    ).nullable(),
    created_at: timestamp("Time when the conversation was created."),
    updated_at: timestamp("Time of the last change to the conversation or to one of its messages."),
    expires_at: ExpiresAt.nullable(),
    edited_since: EditedSince,
  })
  .openapi("Conversation");
export type Conversation = z.infer<typeof Conversation>;

const { id, sequence, role, name } = Message.shape;
export const LastMessage = z
  .strictObject({
    ...{ id, sequence, role, name },
    excerpt: z.string().meta({
      description: `The first ${EXCERPT_CHARACTERS} characters of the content. Fewer if the content is shorter, or takes more bytes compressed.`,
    }),
  })
  .meta({ description: "The last message of a conversation, for a list." })
  .openapi("LastMessage");
export type LastMessage = z.infer<typeof LastMessage>;

export const ListedConversation = z
  .strictObject({
    ...Conversation.shape,
    last_message: LastMessage.nullable().optional().meta({
      description:
        "The message with the highest sequence number; null without messages. Present only with `include_last_message=true`.",
    }),
  })
  .openapi("ListedConversation");
export type ListedConversation = z.infer<typeof ListedConversation>;

export const CreateConversationBody = z
  .strictObject({
    external_id: optionalOrNull(ExternalId).meta({
      description:
        "Your own id for the conversation. If its agent and user have one with this external id, that one is returned with 200, unchanged.",
    }),
    title: optionalOrNull(Title),
    agent_id: optionalOrNull(AgentId).meta({
      description:
        "Your own id for the agent that the conversation belongs to. A key bound to an agent sets that agent, and rejects any other with 403.",
    }),
    user_id: optionalOrNull(UserId),
    shared: NewShared,
    tags: Tags.optional(),
    metadata: Metadata.optional(),
    expires_at: optionalOrNull(ExpiresAt),
  })
  .refine(hasOneReader, SHARED_OF_USER)
  .openapi("CreateConversationBody", {
    example: {
      title: "Refund for order 1029",
      agent_id: "support-bot",
      user_id: "user_4711",
      tags: ["billing"],
    },
  });

export type CreateConversationBody = z.infer<typeof CreateConversationBody>;

export const createConversation = createRoute({
  operationId: "createConversation",
  ...sdkExample(`
    const { id } = await engram.conversations.create({ title: "Refund", user_id: "user_4711", tags: ["billing"] });
  `),
  ...mcpTools({
    set: "conversations",
    description:
      "Creates an empty conversation, or returns the one with this `external_id` unchanged if there is one.",
    omits: ["shared", "expires_at"],
  }),
  method: "post",
  path: "/v1/conversations",
  tags: ["Conversations"],
  summary: "Create a conversation",
  description:
    "Creates an empty conversation. If the agent and the user have a conversation with this `external_id`, returns that one with 200, unchanged. Those of other agents and users are separate, even with the same `external_id`.",
  security: requires("write"),
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateConversationBody) },
  responses: {
    200: jsonAnswer("The existing conversation with this `external_id`.", Conversation, {
      ...replayHeaders,
      ...entityHeaders,
    }),
    201: jsonAnswer("The new conversation.", Conversation, { ...replayHeaders, ...entityHeaders }),
    ...problems(...bodyProblems, "not_found", "forgotten", "idempotency_mismatch", ...writeProblems),
  },
});

export const listConversations = createRoute({
  operationId: "listConversations",
  ...sdkExample(`
    const open = engram.conversations.list({ user_id: "user_4711", metadata: { status: "open" } });
    for await (const { title, message_count } of open) console.log(title, message_count);
  `),
  ...mcpTools({
    set: "conversations",
    description: "Lists conversations in pages. All filters must match.",
    defaults: { limit: 20 },
    omits: [
      "include_total",
      "include_last_message",
      "last_message",
      "last_message_at",
      "total",
      "external_id",
      "message_id",
      "exact_owner",
      "as_of",
      "edited_since",
      "sort",
      "order",
      "shared",
      "visibility",
      "expires_at",
    ],
  }),
  method: "get",
  path: "/v1/conversations",
  tags: ["Conversations"],
  summary: "List conversations",
  description: `Returns a page of conversations, most recently changed first unless \`sort\` and \`order\` say otherwise. All filters must match. ${PAGE_BOUNDS} ${SCAN_BOUNDS} A conversation that is created or updated between two of your requests for pages may be skipped or repeated. All others are returned exactly once.`,
  security: requires("read"),
  request: {
    query: z
      .strictObject({
        limit: PageLimit.optional(),
        cursor: Cursor.optional(),
        include_total: IncludeTotal.optional(),
        include_last_message: booleanQuery(
          "Whether to return `last_message`, with the start of its content. Default `false`.",
        ).optional(),
        agent_id: AgentId.optional().meta({ description: "Only conversations of this agent." }),
        user_id: UserId.optional().meta({
          description: "Only conversations with this user. Shared ones do not match.",
        }),
        visibility: visibilityQuery("conversations").optional(),
        external_id: ExternalId.optional().meta({
          description: "Only conversations with this external id.",
        }),
        message_id: MessageId.optional().meta({
          description: "Only the conversation that contains this message.",
        }),
        exact_owner: ExactOwner.optional(),
        tags_any: repeatedQuery(
          Tag,
          TAGS_MAX,
          "Only conversations with at least one of these tags.",
        ).optional(),
        tags_all: repeatedQuery(Tag, TAGS_MAX, "Only conversations with all of these tags.").optional(),
        created_after: timestamp("Only conversations created at or after this time.").optional(),
        created_before: timestamp("Only conversations created before this time.").optional(),
        metadata: MetadataQuery.optional(),
        sort: z.enum(["created_at", "updated_at", "last_message_at"]).optional().meta({
          description:
            "Field to sort by. By `last_message_at`, a conversation without messages has the place of its `created_at`. Default `updated_at`. With `as_of`: `created_at`, and no other.",
        }),
        order: z.enum(["asc", "desc"]).default("desc").meta({ description: "Sort order." }),
        as_of: AsOf.optional(),
      })
      .refine(({ as_of, sort = "created_at" }) => as_of === undefined || sort === "created_at", {
        path: ["sort"],
        message: SORT_AS_OF,
      }),
  },
  responses: {
    200: jsonAnswer("A page of conversations.", countedPage(ListedConversation, "ConversationPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

const params = z.object({ conversation_id: ConversationId });

export const getConversation = createRoute({
  operationId: "getConversation",
  ...sdkExample(`
    const { title, messages } = await engram.conversations.get(conversation.id, { message_limit: 20 });
    for (const { role, content } of messages.items) console.log(role, content);
  `),
  ...mcpTools({
    set: "conversations",
    description:
      "Returns a conversation with messages from `from_sequence` on, oldest first. `last_sequence` is the number of its last message.",
    defaults: { message_limit: 10 },
    omits: ["next_cursor", "as_of", "edited_since", "shared", "expires_at"],
  }),
  method: "get",
  path: "/v1/conversations/{conversation_id}",
  tags: ["Conversations"],
  summary: "Get a conversation with its messages",
  description:
    "Returns a conversation with its first messages, oldest first. To read on, pass `next_cursor` of `messages` to `listMessages` as `cursor`, with the same `as_of`.",
  security: requires("read"),
  request: {
    params,
    query: z.strictObject({
      message_limit: integerQuery(
        0,
        CONVERSATION_MESSAGES_MAX,
        "Maximum number of messages to return; 0 for none. Default 100. Fewer are returned if their JSON would exceed 2 MB.",
      ).default(CONVERSATION_MESSAGES_DEFAULT),
      from_sequence: integerQuery(
        1,
        SEQUENCE_MAX,
        "Sequence number of the first message to return.",
      ).optional(),
      as_of: AsOf.optional(),
    }),
  },
  responses: {
    200: jsonAnswer(
      "The conversation and a page of its messages.",
      z.strictObject({ ...Conversation.shape, messages: MessagePage }).openapi("ConversationWithMessages"),
      entityHeaders,
    ),
    ...problems("validation_failed", "not_found", ...keyProblems),
  },
});

export const UpdateConversationBody = z
  .strictObject({
    title: Title.nullable().optional(),
    shared: Shared.optional().meta({
      description:
        "Whether every user of the organization can read the conversation. Only a key that is bound to no user can share; any other gets 403. A conversation with a user cannot be shared: the request fails with 409.",
    }),
    tags: Tags.optional().meta({ description: "New tags, which replace all of the old." }),
    metadata: Metadata.optional().meta({ description: "New metadata, which replaces all of the old." }),
    expires_at: ExpiresAt.nullable().optional(),
  })
  .refine((body) => Object.keys(body).length > 0, "must have at least one field to change")
  .openapi("UpdateConversationBody", {
    minProperties: 1,
    example: { title: "Refund, done", tags: ["billing", "done"] },
  });

export const updateConversation = createRoute({
  operationId: "updateConversation",
  ...sdkExample(`
    const { etag } = await engram.conversations.get(conversation.id).withResponse();
    await engram.conversations.update(conversation.id, { title: "Refund, done" }, { ifMatch: etag });
  `),
  ...mcpTools({
    set: "conversations",
    description: "Changes the title or the tags of a conversation.",
    takes: asNamed("conversation_id", "title", "tags"),
    gives: asNamed("id", "title", "tags", "updated_at"),
  }),
  method: "patch",
  path: "/v1/conversations/{conversation_id}",
  tags: ["Conversations"],
  summary: "Update a conversation",
  description:
    "Changes title, tags, metadata, `shared` or `expires_at`; omitted fields stay unchanged. With `If-Match`, nothing is changed if the conversation has a newer version than that `ETag`.",
  security: requires("write"),
  request: { params, headers: IfMatchHeaders, body: jsonBody(UpdateConversationBody) },
  responses: {
    200: jsonAnswer("The updated conversation.", Conversation, entityHeaders),
    ...problems(
      ...bodyProblems,
      "not_found",
      "held",
      "user_conflict",
      "precondition_failed",
      ...writeProblems,
    ),
  },
});

export const deleteConversation = createRoute({
  operationId: "deleteConversation",
  ...sdkExample(`
    const receipt = await engram.conversations.delete(conversation.id);
    console.log((await engram.operations.get(receipt.id)).status); // "running", then "succeeded"
  `),
  ...mcpTools({
    set: "conversations",
    description: "Deletes a conversation with all its messages at once. A deletion cannot be undone.",
    omits: ["forget"],
  }),
  method: "delete",
  path: "/v1/conversations/{conversation_id}",
  tags: ["Conversations"],
  summary: "Delete a conversation",
  description:
    "Deletes a conversation with all its messages. They are excluded from every response at once. Their database rows, keyword index entries and vectors are then removed for good, in the background. A deletion cannot be undone. With `forget`, neither the conversation nor its messages are imported again, and its external id is not used again for the agent and the user: `listTombstones` says how. Forks are conversations of their own and stay.",
  security: requires("delete"),
  request: { params, query: ForgetQuery, headers: IfMatchHeaders },
  responses: {
    202: jsonAnswer(
      "The operation that tracks the deletion. Get it again with `getOperation` to see when rows and vectors are removed.",
      DeleteConversationOperation,
    ),
    ...problems("validation_failed", "not_found", "held", "precondition_failed", ...writeProblems),
  },
});

export const DeleteConversationsBody = z
  .strictObject({
    filter: z
      .strictObject({
        agent_id: AgentId.optional().meta({ description: "Only conversations of this agent." }),
        user_id: UserId.optional().meta({ description: "Only conversations with this user." }),
        tags_any: Tags.min(1).optional().meta({
          description: "Only conversations with at least one of these tags.",
        }),
        tags_all: Tags.min(1).optional().meta({
          description: "Only conversations with all of these tags.",
        }),
        created_after: timestamp("Only conversations created at or after this time.").optional(),
        created_before: timestamp("Only conversations created before this time.").optional(),
        metadata: MetadataValues.refine(
          (value) => Object.keys(value).length > 0,
          "must have at least one value",
        )
          .openapi({ minProperties: 1 })
          .optional(),
      })
      .refine((filter) => Object.keys(filter).length > 0, "must have at least one condition")
      .meta({ description: "Conversations to delete. All conditions must match; at least one is required." })
      .openapi({ minProperties: 1 }),
    dry_run: z.boolean().default(false).meta({
      description:
        "`true`: delete nothing, and return the number of items that would be deleted. Recommended before every deletion. Default `false`.",
    }),
    forget: Forget,
  })
  .openapi("DeleteConversationsBody", { example: { filter: { user_id: "user_4711" }, dry_run: true } });
export type DeleteConversationsBody = z.infer<typeof DeleteConversationsBody>;

export const ConversationsCounted = z
  .strictObject({
    conversations: count("Number of conversations that would be deleted now."),
    messages: count("Number of messages in these conversations."),
    held: HeldCount,
    complete: CountedWhole,
  })
  .openapi("ConversationsCounted");
export type ConversationsCounted = z.infer<typeof ConversationsCounted>;

export const deleteConversations = createRoute({
  operationId: "deleteConversations",
  ...sdkMethod({ method: "conversations.deleteMany" }),
  ...sdkExample(`
    const receipt = await engram.conversations.deleteMany({ user_id: "user_4711" });
  `),
  method: "post",
  path: "/v1/conversations/delete",
  tags: ["Conversations"],
  summary: "Delete conversations by filter",
  description:
    "Deletes every conversation that matches the filter, with all its messages. A deleted conversation is excluded from every response. Up to 1,000 conversations are deleted before the request returns. The others follow in the background, oldest first, in steps of up to 1,000. One step reads at most 4,000 conversations with a filter by tags or metadata, or 50,000 otherwise. Conversations created after the request are not deleted. Rows, keyword index entries and vectors are removed for good afterwards. `cancelOperation` stops the steps that have not begun; it cannot restore conversations that are already deleted.",
  security: requires("delete"),
  request: { headers: IdempotencyHeaders, body: jsonBody(DeleteConversationsBody) },
  responses: {
    200: jsonAnswer("Counts of a dry run. Nothing was deleted.", ConversationsCounted),
    202: jsonAnswer(
      "The operation that tracks the deletion. Get it again with `getOperation` to see its progress, and when rows and vectors are removed.",
      DeleteConversationsOperation,
      replayHeaders,
    ),
    ...problems(...bodyProblems, "idempotency_mismatch", ...writeProblems),
  },
});

export const ForkConversationBody = z
  .strictObject({
    sequence: z.int().min(0).max(SEQUENCE_MAX).optional().meta({
      description: "Sequence number of the last message to copy; 0 for no messages. Default: all messages.",
    }),
    external_id: optionalOrNull(ExternalId).meta({
      description: "Your own id for the fork. No other conversation of its agent and user may have it.",
    }),
    title: optionalOrNull(Title).meta({
      description: "Title of the fork. Default: the title of the original.",
    }),
  })
  .openapi("ForkConversationBody", { example: { sequence: 2 } });

export const forkConversation = createRoute({
  operationId: "forkConversation",
  ...sdkExample(`
    const { id } = await engram.conversations.fork(conversation.id, { sequence: 1, title: "What if" });
  `),
  method: "post",
  path: "/v1/conversations/{conversation_id}/fork",
  tags: ["Conversations"],
  summary: "Fork a conversation",
  description:
    "Copies a conversation: its agent, user, tags and metadata, whether it is shared, and its messages up to a sequence number. The copied messages keep their sequence numbers and get new ids. The fork does not expire, even if the original does. Later changes to one of the two conversations do not affect the other. All messages are copied, or none. At most 10,000 messages can be copied; with more, the request fails with 409. Their content, parts, metadata, names and ids may have 2,097,152 bytes in total; with more, it fails with 413.",
  security: requires("write"),
  request: { params, headers: IdempotencyHeaders, body: jsonBody(ForkConversationBody) },
  responses: {
    201: jsonAnswer("The new conversation.", Conversation, { ...replayHeaders, ...entityHeaders }),
    ...problems(
      ...bodyProblems,
      "not_found",
      "external_id_conflict",
      "forgotten",
      "sequence_conflict",
      "too_many_messages",
      "idempotency_mismatch",
      ...writeProblems,
    ),
  },
});
