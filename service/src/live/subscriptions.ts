import {
  type ClientFrame,
  type SetPresence,
  SOCKET_SUBSCRIPTIONS_MAX,
  SUBSCRIPTION_FRAMES_MAX,
} from "@engram/spec";
import type { EventFilter, Position } from "../events/queries.ts";
import type { Principal } from "../platform/principal.ts";
import type { SocketPresence } from "./presences.ts";

/** What a socket may get. */
export interface Admission {
  principal: Principal;
  /** The only conversation whose events it gets; null for all that the principal may read. */
  conversationId: string | null;
}

/** A part of the log, and the principal that it is read for. Readings that are equal have one result. */
export interface Reading {
  principal: Principal;
  filter: EventFilter;
  after: Position;
  limit: number;
}

/** What a request that waits for events may get, and the parts of the log that it reads. */
export interface WaitingReader {
  principal: Principal;
  filter: EventFilter;
  /** Most events of a part. */
  limit: number;
  /** Whether it also gets the broadcasts of the conversation in its filter. */
  getsBroadcasts: boolean;
}

/** The state of the socket of a waiting request. */
export interface Waiting extends WaitingReader {
  /** Null unless the request waits for a part of the log. */
  asked: {
    /** Position up to which the request has read the log. */
    from: number;
    /** Position up to which the hub has read it for the request, without an event that matches. */
    read: number;
  } | null;
}

/** The state of a socket, which the runtime keeps while the hub hibernates. */
export interface Listener extends Admission {
  subscriptions: Subscription[];
  /** Null until the first presence frame. */
  presence: SocketPresence | null;
}

export interface Subscription {
  id: string;
  filter: EventFilter;
  /** Position up to which the log was read. */
  read: Position;
  /** `to` of the last frame; null before the first. */
  sent: number | null;
  /** `to` of the frames that the client has not acknowledged. */
  unacknowledged: number[];
  /** Whether a frame has said that the log was read to its end. */
  caughtUp: boolean;
}

/** A subscription gets further frames once the client has acknowledged some of these. */
export const hasRoom = ({ unacknowledged }: Subscription): boolean =>
  unacknowledged.length < SUBSCRIPTION_FRAMES_MAX;

/**
 * The subscriptions after a frame of the client. A frame about an unknown subscription changes nothing, because the
 * service may have ended it while the frame was on its way.
 *
 * @returns null if the frame asks for more subscriptions than a socket may have, or for another conversation than its
 *   ticket is for.
 */
export function takeFrame(
  { subscriptions, conversationId }: Listener,
  frame: Exclude<ClientFrame, SetPresence>,
): Subscription[] | null {
  const others = subscriptions.filter(({ id }) => id !== frame.id);
  if (frame.type === "unsubscribe") return others;
  if (frame.type === "ack") {
    return subscriptions.map((one) =>
      one.id === frame.id
        ? { ...one, unacknowledged: one.unacknowledged.filter((to) => to > frame.to) }
        : one,
    );
  }
  if (others.length >= SOCKET_SUBSCRIPTIONS_MAX) return null;
  const { types, conversation_id = conversationId, agent_id, user_id } = frame.filter;
  if (conversationId !== null && conversation_id !== conversationId) return null;
  return [
    ...others,
    {
      id: frame.id,
      filter: {
        types: types ?? null,
        conversationId: conversation_id,
        agentId: agent_id ?? null,
        userId: user_id ?? null,
      },
      read: frame.after ?? null,
      sent: null,
      unacknowledged: [],
      caughtUp: false,
    },
  ];
}
