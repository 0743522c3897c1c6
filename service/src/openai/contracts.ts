import {
  AgentId,
  ConversationId,
  IdempotencyHeaders,
  id,
  integerQuery,
  isJsonObject,
  jsonAnswer,
  jsonBody,
  NewMessage,
  optionalOrNull,
  repeatedQuery,
  requires,
  UserId,
} from "@engram/spec";
import { createRoute, z } from "@hono/zod-openapi";
import { type Item, toMessage } from "./items.ts";

// These operations are OpenAI's, who documents them, so they are not in the OpenAPI document of Engram.

/** OpenAI's own limits. */
const ITEMS_MAX = 20;
const METADATA_KEYS_MAX = 16;
const METADATA_KEY_CHARACTERS_MAX = 64;
const METADATA_VALUE_CHARACTERS_MAX = 512;
const PAGE_MAX = 100;
const PAGE_DEFAULT = 20;

const ROLES = ["user", "assistant", "system", "developer", "tool", "unknown", "critic", "discriminator"];

/** What is wrong with an item, and where; null if it can be stored. */
function misfitOf(item: Item): { path: string[]; message: string } | null {
  const { type, id, role, content } = item;
  if (type != null && typeof type !== "string") return { path: ["type"], message: "must be a string" };
  if (type === "item_reference" || (type == null && role === undefined && id != null))
    return { path: [], message: "must be the item itself, not a reference to it" };
  if (id != null && !NewMessage.shape.external_id.safeParse(id).success)
    return { path: ["id"], message: "must be 1 to 256 characters, without control characters" };
  if (type != null && type !== "message") return null;
  if (!ROLES.includes(String(role))) return { path: ["role"], message: `must be one of ${ROLES.join(", ")}` };
  if (typeof content === "string" || Array.isArray(content)) return null;
  return { path: ["content"], message: "must be a text or an array" };
}

/** The message that stores the item. */
const ItemMessage = z.custom<Item>(isJsonObject, "must be an object").transform((item, ctx) => {
  const misfit = misfitOf(item);
  if (misfit !== null) {
    ctx.addIssue({ code: "custom", ...misfit });
    return z.NEVER;
  }
  const message = toMessage(item);
  const { error } = NewMessage.safeParse(message);
  if (error === undefined) return message;
  ctx.addIssue({ code: "custom", message: error.issues[0]?.message });
  return z.NEVER;
});
const Items = z.array(ItemMessage).max(ITEMS_MAX);

const Metadata = z
  .custom<Record<string, string>>(
    (value) => isJsonObject(value) && Object.values(value).every((one) => typeof one === "string"),
    "must be an object of strings",
  )
  .refine((value) => Object.keys(value).length <= METADATA_KEYS_MAX, "must have at most 16 keys")
  .refine(
    (value) => Object.keys(value).every(({ length }) => length <= METADATA_KEY_CHARACTERS_MAX),
    "must have keys of at most 64 characters",
  )
  .refine(
    (value) => Object.values(value).every(({ length }) => length <= METADATA_VALUE_CHARACTERS_MAX),
    "must have values of at most 512 characters",
  );

const Conversation = z.object({
  id: z.string(),
  object: z.literal("conversation"),
  created_at: z.int(),
  metadata: z.record(z.string(), z.unknown()),
});
const AnsweredItem = z.looseObject({ id: z.string() });
const ItemList = z.object({
  object: z.literal("list"),
  data: z.array(AnsweredItem),
  first_id: z.string(),
  last_id: z.string(),
  has_more: z.boolean(),
});

const params = z.object({ conversation_id: ConversationId });
const itemParams = params.extend({ item_id: id("Id of an item.", "msg_06e3tqz8m1k4v9x2c7d0") });

/** Accepted without effect, because every item is returned with all of its fields. */
const include = repeatedQuery(z.string(), 20, "Fields to add.").optional();
const included = { include, "include[]": include };

const PATH = "/v1/openai/conversations";
const ONE = `${PATH}/{conversation_id}` as const;
const ITEMS = `${ONE}/items` as const;
const ITEM = `${ITEMS}/{item_id}` as const;

export const createConversation = createRoute({
  operationId: "openai.createConversation",
  hide: true,
  method: "post",
  path: PATH,
  security: requires("write"),
  request: {
    headers: IdempotencyHeaders,
    body: jsonBody(
      z.strictObject({
        items: Items.nullable().optional(),
        metadata: optionalOrNull(Metadata),
        // OpenAI does not have these two.
        agent_id: optionalOrNull(AgentId),
        user_id: optionalOrNull(UserId),
      }),
    ),
  },
  responses: { 200: jsonAnswer("The new conversation.", Conversation) },
});

export const getConversation = createRoute({
  operationId: "openai.getConversation",
  hide: true,
  method: "get",
  path: ONE,
  security: requires("read"),
  request: { params },
  responses: { 200: jsonAnswer("The conversation.", Conversation) },
});

export const updateConversation = createRoute({
  operationId: "openai.updateConversation",
  hide: true,
  method: "post",
  path: ONE,
  security: requires("write"),
  request: { params, body: jsonBody(z.strictObject({ metadata: Metadata.nullable() })) },
  responses: { 200: jsonAnswer("The updated conversation.", Conversation) },
});

export const deleteConversation = createRoute({
  operationId: "openai.deleteConversation",
  hide: true,
  method: "delete",
  path: ONE,
  security: requires("delete"),
  request: { params },
  responses: {
    200: jsonAnswer(
      "The deleted conversation.",
      z.object({ id: z.string(), object: z.literal("conversation.deleted"), deleted: z.literal(true) }),
    ),
  },
});

export const createItems = createRoute({
  operationId: "openai.createItems",
  hide: true,
  method: "post",
  path: ITEMS,
  security: requires("write"),
  request: {
    params,
    headers: IdempotencyHeaders,
    query: z.strictObject(included),
    body: jsonBody(z.strictObject({ items: Items.min(1) })),
  },
  responses: { 200: jsonAnswer("The new items.", ItemList) },
});

export const listItems = createRoute({
  operationId: "openai.listItems",
  hide: true,
  method: "get",
  path: ITEMS,
  security: requires("read"),
  request: {
    params,
    query: z.strictObject({
      ...included,
      after: itemParams.shape.item_id.optional(),
      limit: integerQuery(1, PAGE_MAX, "Maximum number of items.").default(PAGE_DEFAULT),
      order: z.enum(["asc", "desc"]).default("desc"),
    }),
  },
  responses: { 200: jsonAnswer("A page of items.", ItemList) },
});

export const getItem = createRoute({
  operationId: "openai.getItem",
  hide: true,
  method: "get",
  path: ITEM,
  security: requires("read"),
  request: { params: itemParams, query: z.strictObject(included) },
  responses: { 200: jsonAnswer("The item.", AnsweredItem) },
});

export const deleteItem = createRoute({
  operationId: "openai.deleteItem",
  hide: true,
  method: "delete",
  path: ITEM,
  // It returns the conversation.
  security: [{ apiKey: ["delete", "read"] }],
  request: { params: itemParams },
  responses: { 200: jsonAnswer("The conversation that had the item.", Conversation) },
});
