import { type ClientFrame, type Event, LIVE_PROTOCOL, LIVE_TICKET_PROTOCOL, ServerFrame } from "@engram/spec";
import { expect } from "vitest";
import { send } from "./client.ts";

/** The client's end of a socket. */
export class Reader {
  readonly frames: ServerFrame[] = [];
  /** Resolves when the service closes the socket. */
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  #arrived = Promise.withResolvers<void>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.accept();
    socket.addEventListener("message", ({ data }) => {
      this.frames.push(ServerFrame.parse(JSON.parse(String(data))));
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers();
    });
    this.closed = new Promise((resolve) => {
      socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason }));
    });
  }

  send(
    frame: ClientFrame | { type: "subscribe"; id: string; after?: number | "now"; filter?: object },
  ): void {
    this.#socket.send(JSON.stringify(frame));
  }

  sendRaw(data: string | ArrayBuffer): void {
    this.#socket.send(data);
  }

  close(): void {
    this.#socket.close(1000);
  }

  /** Waits until the received frames satisfy a condition. */
  async until(isEnough: (frames: ServerFrame[]) => boolean): Promise<void> {
    while (!isEnough(this.frames)) await this.#arrived.promise;
  }

  /** The events of a subscription, in the order of arrival. */
  eventsOf(id: string): Event[] {
    return this.frames.flatMap((frame) => (frame.type === "events" && frame.id === id ? frame.events : []));
  }

  /** Acknowledges every frame from now on, and those that have arrived. */
  acknowledgeAll(id: string): void {
    let done = 0;
    const acknowledge = async () => {
      for (;;) {
        for (const frame of this.frames.slice(done)) {
          if (frame.type === "events" && frame.id === id) this.send({ type: "ack", id, to: frame.to });
        }
        done = this.frames.length;
        await this.#arrived.promise;
      }
    };
    void acknowledge();
  }
}

export const requestSocket = (secret: string, more: Record<string, string> = {}): Promise<Response> =>
  send("/v1/events/socket", {
    headers: {
      authorization: `Bearer ${secret}`,
      upgrade: "websocket",
      "sec-websocket-protocol": LIVE_PROTOCOL,
      ...more,
    },
  });

/** Opens a socket as a browser does: with a ticket, without a header. */
export async function connectByTicket(ticket: string, origin?: string): Promise<Reader> {
  const protocols = `${LIVE_PROTOCOL}, ${LIVE_TICKET_PROTOCOL}${ticket}`;
  const headers = {
    upgrade: "websocket",
    "sec-websocket-protocol": protocols,
    ...(origin === undefined ? {} : { origin }),
  };
  return openReader(await send("/v1/events/socket", { headers }));
}

export const connect = async (secret: string): Promise<Reader> => openReader(await requestSocket(secret));

function openReader(response: Response): Reader {
  expect(response.status).toBe(101);
  expect(response.headers.get("sec-websocket-protocol")).toBe(LIVE_PROTOCOL);
  return new Reader(response.webSocket as WebSocket);
}
