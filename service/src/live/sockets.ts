import { PROBLEMS, type ProblemCode, problemType, type ServerFrame } from "@engram/spec";
import type { ApiError } from "../errors.ts";
import type { Listener, StreamListener } from "./subscriptions.ts";

/** Tags of the two kinds of sockets: those of clients, and those of requests that wait. */
export const LISTENER = "listener";
export const WAKER = "waker";

export const listenerOf = (socket: WebSocket): Listener => socket.deserializeAttachment() as Listener;

/** Null for a request that gets no broadcasts. */
export const streamListenerOf = (socket: WebSocket): StreamListener | null =>
  socket.deserializeAttachment() as StreamListener | null;

export const isOpen = (socket: WebSocket): boolean => socket.readyState === WebSocket.READY_STATE_OPEN;

export const send = (socket: WebSocket, frame: ServerFrame): void => socket.send(JSON.stringify(frame));

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
