import { createRoute, z } from "@hono/zod-openapi";
import {
  ActorId,
  AgentId,
  bodyProblems,
  ConversationId,
  count,
  isJsonObject,
  jsonAnswer,
  jsonBody,
  keyProblems,
  optionalOrNull,
  requires,
  sdkExample,
  sdkMethod,
  timestamp,
  UserId,
} from "./common.ts";
import { BROADCAST_CHARACTERS_MAX, ORIGIN_CHARACTERS_MAX, TICKET_SECONDS_MAX } from "./limits.ts";
import { problems } from "./problem.ts";

export const CreateTicketBody = z
  .strictObject({
    ttl_seconds: z.int().min(1).max(TICKET_SECONDS_MAX).default(TICKET_SECONDS_MAX).meta({
      description: "Number of seconds in which the ticket can be used, at most 60. Default 60.",
    }),
    conversation_id: optionalOrNull(ConversationId).meta({
      description: "The socket gets only events and broadcasts of this conversation.",
    }),
    agent_id: optionalOrNull(AgentId).meta({
      description: "The socket gets only what a key bound to this agent would get.",
    }),
    user_id: optionalOrNull(UserId).meta({
      description: "The socket gets only what a key bound to this user would get.",
    }),
    origin: z
      .string()
      .max(ORIGIN_CHARACTERS_MAX)
      .regex(
        /^https?:\/\/[a-z0-9.:[\]-]+$/,
        "must be an origin in lower case, such as `https://app.example.com`",
      )
      .optional()
      .meta({
        description:
          "The ticket opens a socket only for pages of this origin, in lower case and without a default port. Default: for any program.",
        examples: ["https://app.example.com"],
      }),
    include_key_events: z.boolean().default(false).meta({
      description:
        "Whether the socket also gets events of keys, if the key has the scope `admin`. Default `false`.",
    }),
  })
  .openapi("CreateTicketBody", {
    example: { ttl_seconds: 30, origin: "https://app.example.com" },
  });

export const Ticket = z
  .strictObject({
    ticket: z.string().meta({
      description:
        "The ticket. Open the socket with the subprotocols `engram.v1` and `engram.ticket.` followed by the ticket. It is shown only here.",
      examples: ["engram_tk_1m8a32ytxaa7dwta9dt2_a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py"],
    }),
    expires_at: timestamp("Time from which the ticket is refused."),
  })
  .meta({ description: "A ticket, which opens one socket." })
  .openapi("Ticket");
export type Ticket = z.infer<typeof Ticket>;

export const createTicket = createRoute({
  operationId: "createTicket",
  ...sdkMethod({ method: "tickets.create" }),
  ...sdkExample(`
    const { ticket } = await engram.tickets.create({ conversation_id: conversation.id });
    // In the browser: new WebSocket(url, ["engram.v1", \`engram.ticket.\${ticket}\`])
    console.log(ticket.startsWith("engram_tk_")); // true
  `),
  method: "post",
  path: "/v1/tickets",
  tags: ["Live"],
  summary: "Create a ticket",
  description:
    "Creates a ticket, with which a browser opens `GET /v1/events/socket` without knowing a key. A ticket opens one socket, within a minute. The socket gets the events that the key could list, and closes when the key is revoked. It gets events of keys only with `include_key_events`.",
  security: requires("read"),
  request: { body: jsonBody(CreateTicketBody) },
  responses: {
    201: jsonAnswer("The ticket.", Ticket),
    ...problems(...bodyProblems, "not_found", ...keyProblems),
  },
});

const BroadcastValue = z
  .custom<Record<string, unknown>>(isJsonObject, "must be an object")
  .refine((value) => JSON.stringify(value).length <= BROADCAST_CHARACTERS_MAX, {
    message: `must be at most ${BROADCAST_CHARACTERS_MAX.toLocaleString("en-US")} characters as JSON`,
  })
  .meta({
    description: "Any JSON object, at most 4,096 characters as JSON. It is not stored.",
    examples: [{ typing: true }],
  })
  .openapi("BroadcastValue", { type: "object", additionalProperties: {} });

export const BroadcastBody = z
  .strictObject({ value: BroadcastValue })
  .openapi("BroadcastBody", { example: { value: { typing: true } } });

export const Broadcast = z
  .strictObject({
    conversation_id: ConversationId,
    value: BroadcastValue,
    key_id: ActorId.meta({ description: "The key that sent it." }),
    agent_id: AgentId.nullable().meta({ description: "The agent that the key is bound to; otherwise null." }),
    user_id: UserId.nullable().meta({ description: "The user that the key is bound to; otherwise null." }),
    sent_at: timestamp("Time when it was sent."),
  })
  .meta({ description: "A value that was sent to the listeners of a conversation." });
export type Broadcast = z.infer<typeof Broadcast>;

export const broadcast = createRoute({
  operationId: "broadcast",
  ...sdkMethod({ method: "conversations.broadcast", takes: "value" }),
  ...sdkExample(`
    await engram.conversations.broadcast(conversation.id, { typing: true });
  `),
  method: "post",
  path: "/v1/conversations/{conversation_id}/broadcasts",
  tags: ["Live"],
  summary: "Send a value to the listeners of a conversation",
  description:
    "Sends a small JSON object to the sockets that are subscribed to the conversation by `filter.conversation_id`, and to the streams of its events, for example that a user is typing. It is not stored: a client that subscribes later does not get it, and one that reads too slowly may miss it. Append a message instead if it must not be lost.",
  security: requires("write"),
  request: { params: z.object({ conversation_id: ConversationId }), body: jsonBody(BroadcastBody) },
  responses: {
    200: jsonAnswer(
      "It was sent.",
      z
        .strictObject({ listeners: count("Number of subscriptions and streams that it was sent to.") })
        .openapi("BroadcastResult"),
    ),
    ...problems(...bodyProblems, "not_found", ...keyProblems),
  },
});
