import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  asNamed,
  ConversationId,
  Cursor,
  count,
  id,
  jsonAnswer,
  keyProblems,
  MessageId,
  mcpTools,
  PageLimit,
  page,
  requires,
  sdkExample,
  sdkMethod,
  timestamp,
  UserId,
} from "./common.ts";
import {
  ENTITY_CONVERSATIONS_RANKED_MAX,
  ENTITY_MENTIONS_RANKED_MAX,
  ENTITY_PREFIX_CHARACTERS_MAX,
  ENTITY_ROWS_COUNTED_MAX,
  MESSAGE_MENTIONS_MAX,
} from "./limits.ts";
import { problems } from "./problem.ts";

const COUNTED = ENTITY_ROWS_COUNTED_MAX.toLocaleString("en-US");
const RANKED_MENTIONS = ENTITY_MENTIONS_RANKED_MAX.toLocaleString("en-US");
const RANKED_CONVERSATIONS = ENTITY_CONVERSATIONS_RANKED_MAX.toLocaleString("en-US");
const UNCOUNTED = `Null if ${COUNTED} messages or more mention the entity, or ${COUNTED} conversations.`;

export const EntityId = id(
  "Id of an entity. It is computed from its kind and value: the same entity always has the same id in an organization.",
  "ent_5f0c1e7ab3d94c2688e1f6a07b52d913",
);

export const ENTITY_KINDS = [
  "file",
  "symbol",
  "error_code",
  "command",
  "url",
  "ticket",
  "version",
  "date",
  "amount",
  "email",
  "quoted_name",
] as const;
export const EntityKind = z
  .enum(ENTITY_KINDS)
  .meta({
    description:
      "Kind of an entity. `file`: a file name or path. `symbol`: a name in code that has several parts or is called. `error_code`: an error code or the name of an exception. `command`: a command line. `url`: a link. `ticket`: the number of an issue, ticket or pull request. `version`: a version number. `date`: a day or month. `amount`: an amount of money with its currency. `email`: an email address. `quoted_name`: a name or title in double quotes.",
  })
  .openapi("EntityKind");
export type EntityKind = z.infer<typeof EntityKind>;

export const Entity = z
  .strictObject({
    id: EntityId,
    kind: EntityKind,
    value: z.string().meta({
      description:
        "The entity as its newest mention writes it. For a date, the day (`2026-03-01`) or month (`2026-03`) that is meant.",
      examples: ["src/app.ts"],
    }),
    mention_count: count(`Number of mentions. ${UNCOUNTED}`).nullable(),
    conversation_count: count(`Number of conversations with a mention. ${UNCOUNTED}`).nullable(),
    first_seen_at: timestamp(
      `\`created_at\` of the first message with a mention. If the counts are null, of the first in the ${COUNTED} oldest messages with a mention, by conversation.`,
    ),
    last_seen_at: timestamp(
      "`created_at` of the last message with a mention. If the counts are null, of the last in the 100 newest messages with a mention, by conversation.",
    ),
  })
  .meta({
    description:
      "Something that messages mention, found by rules. Mentions of the same kind whose values differ only in case and accents are one entity.",
  })
  .openapi("Entity");
export type Entity = z.infer<typeof Entity>;

export const Mention = z
  .strictObject({
    conversation_id: ConversationId,
    message_id: MessageId,
    sequence: z.int().min(1).meta({ description: "Sequence number of the message." }),
    start: z
      .int()
      .min(0)
      .meta({ description: "Where the mention starts in the content of the message, in UTF-16 code units." }),
    end: z.int().min(1).meta({
      description: "Where the mention ends in the content of the message, in UTF-16 code units; exclusive.",
    }),
    text: z
      .string()
      .meta({ description: "The mention, exactly as the message has it.", examples: ["src/app.ts"] }),
    created_at: timestamp("`created_at` of the message."),
  })
  .meta({ description: "A place in a message where an entity is mentioned." })
  .openapi("Mention");
export type Mention = z.infer<typeof Mention>;

export const listEntities = createRoute({
  operationId: "listEntities",
  ...sdkExample(`
    for await (const { value, mention_count } of engram.entities.list({ kind: "file", sort: "mentions" })) {
      console.log(value, mention_count);
    }
  `),
  ...mcpTools({
    set: "context",
    description:
      "Lists what messages mention, found by rules: files, symbols, error codes, commands, links, tickets, versions, dates, amounts, email addresses and quoted names.",
    defaults: { limit: 20 },
    omits: ["agent_id", "sort"],
    gives: {
      items: asNamed("id", "kind", "value", "mention_count", "last_seen_at"),
      ...asNamed("next_cursor"),
    },
  }),
  method: "get",
  path: "/v1/entities",
  tags: ["Entities"],
  summary: "List entities",
  description: `Returns a page of the entities that messages mention, ordered by kind and folded value (in lower case and without accents) unless \`sort\` says otherwise. All filters must match. Entities are found when a message is indexed, by rules and without a model: at most ${MESSAGE_MENTIONS_MAX} mentions in the first 100,000 characters of a message, the first ones. Messages that are edited or deleted lose their mentions at once. A key that is bound to an agent or a user sees and counts only mentions in its own conversations. A page may hold fewer items than \`limit\`, or none, without being the last, while conversations are being deleted: continue until \`next_cursor\` is null.`,
  security: requires("read"),
  request: {
    query: z.strictObject({
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
      sort: z
        .enum(["value", "mentions"])
        .default("value")
        .meta({
          description: `\`value\`: by kind and folded value. \`mentions\`: by number of mentions, most first. This order counts at most ${RANKED_MENTIONS} mentions, in the ${RANKED_CONVERSATIONS} conversations that changed last, and leaves out entities without one of these. An entity that is mentioned between two of your requests for pages may then be skipped or repeated.`,
        }),
      kind: z.enum(ENTITY_KINDS).optional().meta({ description: "Only entities of this kind." }),
      prefix: z
        .string()
        .min(1)
        .max(ENTITY_PREFIX_CHARACTERS_MAX)
        .optional()
        .meta({
          description: "Only entities whose value starts with this text, without regard to case and accents.",
          examples: ["src/"],
        }),
      conversation_id: ConversationId.optional().meta({
        description: "Only entities that this conversation mentions. Only its mentions are counted.",
      }),
      agent_id: AgentId.optional().meta({
        description:
          "Only entities that conversations of this agent mention. Only their mentions are counted.",
      }),
      user_id: UserId.optional().meta({
        description:
          "Only entities that conversations with this user mention. Only their mentions are counted.",
      }),
    }),
  },
  responses: {
    200: jsonAnswer("A page of entities.", page(Entity, "EntityPage")),
    ...problems("validation_failed", "invalid_cursor", "not_found", ...keyProblems),
  },
});

export const listMentions = createRoute({
  operationId: "listMentions",
  ...sdkMethod({ method: "entities.mentions" }),
  ...sdkExample(`
    const [entity] = await engram.entities.list({ kind: "error_code" }).toArray({ max: 1 });
    if (entity !== undefined) {
      for await (const { conversation_id, sequence, text } of engram.entities.mentions(entity.id)) {
        console.log(conversation_id, sequence, text);
      }
    }
  `),
  method: "get",
  path: "/v1/entities/{entity_id}/mentions",
  tags: ["Entities"],
  summary: "List the mentions of an entity",
  description:
    "Returns a page of the mentions of an entity, by conversation, the oldest first, and in the order of its messages. Each has the place in the message and the exact text there. A key that is bound to an agent sees only mentions in its own conversations, one bound to a user also those in shared ones. A page may hold fewer items than `limit`, or none, without being the last, while conversations are being deleted: continue until `next_cursor` is null. If the conversation of a cursor was removed meanwhile, the cursor is invalid.",
  security: requires("read"),
  request: {
    params: z.object({ entity_id: EntityId }),
    query: z.strictObject({
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
      conversation_id: ConversationId.optional().meta({ description: "Only mentions in this conversation." }),
      agent_id: AgentId.optional().meta({ description: "Only mentions in conversations of this agent." }),
      user_id: UserId.optional().meta({ description: "Only mentions in conversations with this user." }),
    }),
  },
  responses: {
    200: jsonAnswer("A page of mentions.", page(Mention, "MentionPage")),
    ...problems("validation_failed", "invalid_cursor", "not_found", ...keyProblems),
  },
});
