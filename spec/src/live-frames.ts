import { z } from "@hono/zod-openapi";
import { AgentId, ConversationId, UserId } from "./common.ts";
import { EVENT_TYPES, Event, EventSequence, EventType } from "./events.ts";
import { SUBSCRIPTION_FRAMES_MAX } from "./limits.ts";
import { Broadcast } from "./live.ts";
import { Presence, PresenceState } from "./presence.ts";
import { Problem } from "./problem.ts";

/** Subprotocol of `GET /v1/events/socket`, which a client offers and the service selects. */
export const LIVE_PROTOCOL = "engram.v1";
/** Beginning of the subprotocol that carries a ticket, because a browser cannot send headers with a WebSocket. */
export const LIVE_TICKET_PROTOCOL = "engram.ticket.";
/** Codes with which the service closes a socket. */
export const LIVE_CLOSE = {
  /** The ticket was used before, has expired or is unknown. */
  badTicket: 4001,
  /** A frame of more characters than one may have. */
  tooLong: 1009,
  /** The service failed to write to the socket, or to read events for it. */
  failed: 1011,
  /** A frame that is not one of {@link ClientFrame}. */
  badFrame: 4004,
  /** The key was revoked or has expired, or its organization is deleted. */
  keyEnded: 4010,
  /** More frames than a socket, or all sockets of a key or an organization, may send. */
  tooManyFrames: 4029,
} as const;

const SubscriptionId = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: "Name of the subscription, which the client chooses." });

export const Subscribe = z
  .strictObject({
    type: z.literal("subscribe"),
    id: SubscriptionId,
    after: z
      .union([EventSequence, z.literal("now")])
      .optional()
      .meta({
        description:
          "Position after which events are sent: `to` of the last frame that was processed. `now`: the end of the log. Default: the oldest event in the log.",
      }),
    filter: z
      .strictObject({
        types: z.array(EventType).min(1).max(EVENT_TYPES.length).optional(),
        conversation_id: ConversationId.optional(),
        agent_id: AgentId.optional(),
        user_id: UserId.optional(),
      })
      .default({}),
  })
  .meta({
    description:
      "Begins a subscription, or moves the one with this id to another position. A subscription that is moved again within a second gets its first frame after that second.",
  });

export const Unsubscribe = z
  .strictObject({ type: z.literal("unsubscribe"), id: SubscriptionId })
  .meta({ description: "Ends a subscription." });

export const Acknowledge = z
  .strictObject({ type: z.literal("ack"), id: SubscriptionId, to: EventSequence })
  .meta({
    description: `Acknowledges all frames of a subscription up to this position. After ${SUBSCRIPTION_FRAMES_MAX} frames without an acknowledgement, the service sends no more.`,
  });

export type Acknowledge = z.infer<typeof Acknowledge>;

export const SetPresence = z
  .strictObject({
    type: z.literal("presence"),
    conversation_id: ConversationId,
    state: PresenceState.nullable().meta({
      description: "Null: the socket gets the presence of others, and has none itself.",
    }),
  })
  .meta({
    description:
      "Makes the socket present in a conversation, or changes its state there. A socket is present in one conversation at a time, and no longer than it is open. Of several such frames within 100 ms, the last one counts.",
  });
export type SetPresence = z.infer<typeof SetPresence>;

export const ClientFrame = z.discriminatedUnion("type", [Subscribe, Unsubscribe, Acknowledge, SetPresence]);
export type ClientFrame = z.infer<typeof ClientFrame>;

export const EventsFrame = z
  .strictObject({
    type: z.literal("events"),
    id: SubscriptionId,
    from: EventSequence.meta({
      description: "`to` of the frame before, or the position of the subscription.",
    }),
    to: EventSequence.meta({ description: "Position up to which the log was read, for `after` and `ack`." }),
    events: z.array(Event).meta({
      description:
        "The events between `from` and `to` that the filter matches and the key may read. May be empty.",
    }),
    caught_up: z.boolean().meta({ description: "Whether the log was read to its end." }),
  })
  .meta({ description: "Events of a subscription, in order." });
export type EventsFrame = z.infer<typeof EventsFrame>;

export const ErrorFrame = z
  .strictObject({
    type: z.literal("error"),
    id: SubscriptionId.optional().meta({ description: "The subscription that ended or was refused." }),
    conversation_id: ConversationId.optional().meta({
      description: "The conversation in which the socket cannot be present.",
    }),
    problem: Problem.omit({ request_id: true }),
  })
  .meta({
    description:
      "Why a subscription ended, such as `cursor_expired`, or was refused, such as `payload_too_large`, or why a presence was refused. The socket stays open.",
  });
export type ErrorFrame = z.infer<typeof ErrorFrame>;

export const BroadcastFrame = z
  .strictObject({ type: z.literal("broadcast"), id: SubscriptionId, ...Broadcast.shape })
  .meta({ description: "A value that was sent to the listeners of a conversation. It is not stored." });
export type BroadcastFrame = z.infer<typeof BroadcastFrame>;

export const PresenceFrame = z
  .strictObject({
    type: z.literal("presence"),
    conversation_id: ConversationId,
    joined: z.array(Presence).meta({ description: "Presences that are new, or whose state has changed." }),
    left: z.array(Presence.shape.id).meta({ description: "Ids of presences that have ended." }),
    all: z.array(Presence).optional().meta({
      description:
        "All presences, which replace what the client knows. Given to a client that was not in the conversation, that asks with the state null, or that has missed a frame.",
    }),
  })
  .meta({
    description:
      "Who is present in the conversation in which the socket is. All changes within 100 ms are in one frame. It is not stored.",
  });
export type PresenceFrame = z.infer<typeof PresenceFrame>;

export const ServerFrame = z.discriminatedUnion("type", [
  EventsFrame,
  ErrorFrame,
  BroadcastFrame,
  PresenceFrame,
]);
export type ServerFrame = z.infer<typeof ServerFrame>;
