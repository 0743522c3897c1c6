import {
  PROBLEMS,
  type ProblemCode,
  problemType,
  type ServerFrame,
  SOCKET_STATE_BYTES_MAX,
  SUBSCRIPTION_FRAMES_MAX,
} from "@engram/spec";
import { ApiError } from "../errors.ts";
import type { Listener, Waiting } from "./subscriptions.ts";

/** Tags of the two kinds of sockets: those of clients, and those of requests that wait. */
export const LISTENER = "listener";
export const WAKER = "waker";

export const listenerOf = (socket: WebSocket): Listener => socket.deserializeAttachment() as Listener;

/** Null for a request that waits for something else than events. */
export const waitingOf = (socket: WebSocket): Waiting | null =>
  socket.deserializeAttachment() as Waiting | null;

export const isOpen = (socket: WebSocket): boolean => socket.readyState === WebSocket.READY_STATE_OPEN;

export const send = (socket: WebSocket, frame: ServerFrame): void => socket.send(JSON.stringify(frame));

/** Stores the state of a socket. */
export const attach = (socket: WebSocket, state: Listener | Waiting): void =>
  socket.serializeAttachment(state);

/**
 * Stores the state of a socket, unless the runtime could not keep it once the positions of its subscriptions have grown.
 * Returns whether it is stored.
 */
export function attachIfFits(socket: WebSocket, listener: Listener): boolean {
  const position = Number.MAX_SAFE_INTEGER;
  const unacknowledged = Array<number>(SUBSCRIPTION_FRAMES_MAX).fill(position);
  const grown = listener.subscriptions.map((one) => ({
    ...one,
    read: position,
    sent: position,
    unacknowledged,
  }));
  try {
    // Only the runtime knows the size.
    attach(socket, { ...listener, subscriptions: grown });
  } catch {
    return false;
  }
  attach(socket, listener);
  return true;
}

export const tooLarge = () =>
  new ApiError(
    "payload_too_large",
    `The subscriptions and the presence of this socket exceed ${SOCKET_STATE_BYTES_MAX.toLocaleString("en-US")} bytes. Use shorter filters and names, or a second socket.`,
  );

export function close(socket: WebSocket, code: number, reason: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // It is closed already.
  }
}

/** The error as a problem without a request id, because a frame is no request. */
export function toFrameProblem({ code, message: detail }: ApiError & { code: ProblemCode }) {
  const { status, title } = PROBLEMS[code];
  return { type: problemType(code), title, status, code, detail };
}
