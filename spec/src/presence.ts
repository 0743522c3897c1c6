import { createRoute, z } from "@hono/zod-openapi";
import {
  ActorId,
  AgentId,
  bodyProblems,
  ConversationId,
  isJsonObject,
  jsonAnswer,
  jsonBody,
  keyProblems,
  requires,
  sdkExample,
  sdkMethod,
  timestamp,
  UserId,
  utf8Bytes,
} from "./common.ts";
import { PRESENCE_SECONDS_MAX, PRESENCE_STATE_BYTES_MAX } from "./limits.ts";
import { problems } from "./problem.ts";

export const PresenceState = z
  .custom<Record<string, unknown>>(isJsonObject, "must be an object")
  .refine((value) => utf8Bytes(JSON.stringify(value)) <= PRESENCE_STATE_BYTES_MAX, {
    message: `must be at most ${PRESENCE_STATE_BYTES_MAX.toLocaleString("en-US")} bytes as JSON`,
  })
  .meta({
    description: "Any JSON object, at most 1,024 bytes as JSON, such as what the agent does now.",
    examples: [{ status: "reading" }],
  })
  .openapi("PresenceState", { type: "object", additionalProperties: {} });

export const Presence = z
  .strictObject({
    id: z.string().meta({
      description:
        "Id of this presence: that of the key, or of the grant, if it was set with this API, otherwise one that the socket has until it closes.",
      examples: ["key_06e3tqz8m1k4v9x2c7d0"],
    }),
    key_id: ActorId.meta({ description: "The key that set it, or that created the ticket of the socket." }),
    agent_id: AgentId.nullable().meta({
      description: "The agent that the key or ticket is bound to; otherwise null.",
    }),
    user_id: UserId.nullable().meta({
      description: "The user that the key or ticket is bound to; otherwise null.",
    }),
    state: PresenceState,
    since: timestamp("Time when it was first set. A later change of `state` keeps it."),
    expires_at: timestamp(
      "Time when it ends. Null for a socket, where it ends when the socket closes.",
    ).nullable(),
  })
  .meta({ description: "A key or socket that is present in a conversation. It is not stored durably." })
  .openapi("Presence");
export type Presence = z.infer<typeof Presence>;

export const PresenceList = z
  .strictObject({
    items: z.array(Presence).meta({ description: "All presences, at most 100, in the order of `since`." }),
  })
  .openapi("PresenceList");

export const SetPresenceBody = z
  .strictObject({
    state: PresenceState,
    ttl_seconds: z.int().min(1).max(PRESENCE_SECONDS_MAX).default(PRESENCE_SECONDS_MAX).meta({
      description:
        "Number of seconds after which the presence ends unless it is set again, at most 60. Default 60.",
    }),
  })
  .openapi("SetPresenceBody", { example: { state: { status: "reading" }, ttl_seconds: 30 } });

const params = z.object({ conversation_id: ConversationId });

export const listPresences = createRoute({
  operationId: "listPresences",
  ...sdkMethod({ method: "conversations.listPresences" }),
  ...sdkExample(`
    const { items } = await engram.conversations.listPresences(conversation.id);
    for (const { key_id, state } of items) console.log(key_id, state);
  `),
  method: "get",
  path: "/v1/conversations/{conversation_id}/presence",
  tags: ["Live"],
  summary: "List who is present in a conversation",
  description:
    "Returns the sockets and keys that are present in a conversation now. Presence is a hint and is not stored durably: it may be lost, and clients then set it again.",
  security: requires("read"),
  request: { params },
  responses: {
    200: jsonAnswer("The presences.", PresenceList),
    ...problems("not_found", ...keyProblems),
  },
});

export const setPresence = createRoute({
  operationId: "setPresence",
  ...sdkMethod({ method: "conversations.setPresence" }),
  ...sdkExample(`
    await engram.conversations.setPresence(conversation.id, { state: { status: "reading" } });
  `),
  method: "put",
  path: "/v1/conversations/{conversation_id}/presence",
  tags: ["Live"],
  summary: "Set the presence of the key in a conversation",
  description:
    "Makes the key present in a conversation for `ttl_seconds`, for an agent without a socket. Set it again before it ends; `ttl_seconds: 1` ends it soon. A key has one presence in a conversation, and each call replaces its `state`. The presence also ends with the key.",
  security: requires("read"),
  request: { params, body: jsonBody(SetPresenceBody) },
  responses: {
    200: jsonAnswer("The presence.", Presence),
    ...problems(...bodyProblems, "not_found", ...keyProblems),
  },
});
