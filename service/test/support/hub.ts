import type { ClientFrame, ServerFrame } from "@engram/spec";
import * as contracts from "@engram/spec";
import { createApp } from "../../src/app.ts";
import type { EventFilter } from "../../src/events/queries.ts";
import type { Env, Isolate } from "../../src/invocation.ts";
import { openIsolate } from "../../src/isolate.ts";
import { SERVICE_LIMITS } from "../../src/limits.ts";
import { SocketHub } from "../../src/live/hub.ts";
import { LISTENER, WAKER } from "../../src/live/sockets.ts";
import type { Principal } from "../../src/platform/principal.ts";
import { createOrganization } from "./client.ts";
import { env } from "./env.ts";
import { Clock } from "./invocations.ts";
import { placedEnv } from "./places.ts";
import { someTurns } from "./runtime.ts";

export type Call = "send" | "serializeAttachment";

/** The hub's end of a socket. A call of it fails once `failing` names it. */
export class HubSocket {
  readonly tag: string;
  readyState = WebSocket.READY_STATE_OPEN as number;
  readonly texts: string[] = [];
  closed: { code: number; reason: string } | null = null;
  failing: Call | null = null;
  /** Calls of `serializeAttachment` that succeed before it fails. */
  sparing = 0;
  /** Maximum size of the attachment. */
  charactersMax = Number.POSITIVE_INFINITY;
  #attachment: unknown = null;

  constructor(tag: string) {
    this.tag = tag;
  }

  /** What a client was sent. */
  get frames(): ServerFrame[] {
    return this.texts.map((text) => JSON.parse(text));
  }

  send(text: string): void {
    if (this.failing === "send") throw new TypeError("send failed");
    this.texts.push(text);
  }

  serializeAttachment(value: unknown): void {
    if (this.failing === "serializeAttachment" && this.sparing-- <= 0) throw new Error("too large");
    if (JSON.stringify(value).length > this.charactersMax) throw new Error("too large");
    this.#attachment = structuredClone(value);
  }

  deserializeAttachment(): unknown {
    return structuredClone(this.#attachment);
  }

  close(code: number, reason: string): void {
    if (reason.length > 123) throw new SyntaxError("The reason is too long.");
    this.closed ??= { code, reason };
    this.readyState = WebSocket.READY_STATE_CLOSING;
  }
}

/** A hub with a clock that the test moves, over the database of the tests. */
export async function openHub(limits: Partial<typeof SERVICE_LIMITS> = {}, bindings: Partial<Env> = {}) {
  const caller = await createOrganization();
  const { items } = await caller.call(contracts.listKeys);
  const clock = new PausedClock();
  const isolate: Isolate = openIsolate(clock, { ...SERVICE_LIMITS, ...limits });
  const sockets: HubSocket[] = [];
  const stored = new Map<string, unknown>();
  const alarms: number[] = [];
  const state = {
    id: { name: caller.organizationId },
    getWebSockets: (tag?: string) => sockets.filter((socket) => tag === undefined || tag === socket.tag),
    getTags: ({ tag }: HubSocket) => [tag],
    setWebSocketAutoResponse: () => {},
    getWebSocketAutoResponseTimestamp: () => null,
    waitUntil: () => {},
    storage: {
      list: async ({ prefix }: { prefix: string }) =>
        new Map([...stored].filter(([name]) => name.startsWith(prefix))),
      put: async (name: string, value: unknown) => void stored.set(name, value),
      delete: async (names: string[]) => {
        for (const name of names) stored.delete(name);
      },
      getAlarm: async () => alarms.at(-1) ?? null,
      setAlarm: async (ms: number) => void alarms.push(ms),
    },
  } as unknown as DurableObjectState;
  const { RATE_LIMIT_POLICY: _, ...others } = env;
  const placed = placedEnv(others as unknown as Env, bindings, {
    fetch: createApp(isolate).fetch,
    waitUntil: state.waitUntil,
  });
  const hub = new SocketHub(state, placed, isolate);
  const { secret, organizationId } = caller;
  const principalOf = (keyId: string): Principal =>
    ({ ...{ organizationId, keyId, agentId: null, userId: null }, scopes: ["read"] }) as unknown as Principal;
  const connect = (keyId = items[0]?.id ?? "") => {
    const socket = new HubSocket(LISTENER);
    const principal = principalOf(keyId);
    socket.serializeAttachment({ principal, conversationId: null, subscriptions: [], presence: null });
    sockets.push(socket);
    return socket;
  };
  /** The socket of a request that waits for events. */
  const wait = (keyId = items[0]?.id ?? "", filter: Partial<EventFilter> = {}) => {
    const socket = new HubSocket(WAKER);
    const none = { types: null, conversationId: null, agentId: null, userId: null };
    const reader = { principal: principalOf(keyId), limit: 10, getsBroadcasts: false, asked: null };
    socket.serializeAttachment({ ...reader, filter: { ...none, ...filter } });
    sockets.push(socket);
    return socket;
  };
  const receive = async (socket: HubSocket, frame: ClientFrame | object) => {
    await hub.receive(socket as unknown as WebSocket, JSON.stringify(frame));
    await someTurns();
  };
  return { caller, secret, clock, hub, isolate, connect, wait, receive };
}

/** Its pauses end when the test passes their time. */
class PausedClock extends Clock {
  override pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    void this.after(ms, async () => resolve());
    return promise;
  }
}
