import {
  type Broadcast,
  ClientFrame,
  FRAME_CHARACTERS_MAX,
  FRAME_EVENTS_MAX,
  LIVE_CLOSE,
  LIVE_PROTOCOL,
  type Presence,
  type SetPresence,
  SOCKET_SUBSCRIPTIONS_MAX,
} from "@engram/spec";
import { createServiceContext, type Env, type ServiceContext } from "../context.ts";
import { selectConversation } from "../conversations/queries.ts";
import { ApiError } from "../errors.ts";
import { readPage } from "../events/service.ts";
import type { Isolate } from "../isolate.ts";
import { activeKeys, type Owner } from "../platform/batch.ts";
import { openKeyCaller } from "../platform/key-callers.ts";
import { createLog } from "../platform/log.ts";
import type { Principal } from "../platform/principal.ts";
import { run } from "../platform/sql.ts";
import { WAKER_HEADER } from "../platform/waker.ts";
import { BroadcastBudget } from "./broadcast-budget.ts";
import { PresenceRooms } from "./presence-rooms.ts";
import type { KeyPresence } from "./presences.ts";
import {
  close,
  isOpen,
  LISTENER,
  listenerOf,
  send,
  streamListenerOf,
  toFrameProblem,
  WAKER,
} from "./sockets.ts";
import {
  type Admission,
  hasRoom,
  type Listener,
  type StreamListener,
  type Subscription,
  takeFrame,
} from "./subscriptions.ts";
import { type StoredTicket, Tickets } from "./tickets.ts";

/**
 * Headers in which the Worker passes the admission of a socket as JSON, or a ticket for one. Only the Worker can reach a
 * hub.
 */
export const ADMISSION_HEADER = "x-engram-admission";
export const TICKET_HEADER = "x-engram-ticket";
/** Header with the origin of the page that presents the ticket. */
export const ORIGIN_HEADER = "x-engram-origin";

/** Interval at which the hub reads the log although no write has woken it, and checks the keys of its sockets. */
const LOOK_MS = 60_000;
/** The first look: an isolate that writes may not know yet that the organization has a listener. Also after a failure. */
const FIRST_LOOK_MS = 2_000;
/** A filtered subscription gets a frame without events after this number of events that it does not match. */
const BOOKMARK_EVENTS = 1_000;

type EventPage = Awaited<ReturnType<typeof readPage>>["answer"];

/**
 * The sockets of one organization. Nothing else is kept here: events are read from the log in D1, so a lost message to
 * the hub, or a restart, loses no event.
 *
 * Between events the hub hibernates, which closes no socket. So it has no timers, and keeps the state of each socket in
 * the attachment of the socket.
 */
export class SocketHub {
  readonly #state: DurableObjectState;
  readonly #isolate: Isolate;
  readonly #context: () => ServiceContext;
  /** The delivery that runs, and whether another is to follow. */
  #delivery: Promise<void> | null = null;
  #again = false;
  readonly #tickets: Tickets;
  readonly #broadcasts = new BroadcastBudget();
  readonly #presence: PresenceRooms;
  /** Frames that a socket has sent in the current second. */
  readonly #frames = new WeakMap<WebSocket, { second: number; count: number }>();

  constructor(state: DurableObjectState, env: Env, isolate: Isolate) {
    this.#state = state;
    this.#isolate = isolate;
    this.#tickets = new Tickets(state.storage);
    this.#context = () =>
      createServiceContext({
        isolate,
        env,
        log: createLog(isolate.runtime),
        waitUntil: (work) => state.waitUntil(work),
      });
    this.#presence = new PresenceRooms({
      state,
      runtime: isolate.runtime,
      budget: this.#broadcasts,
      validKeys: (organizationId, keyIds) => this.#validKeys(organizationId, keyIds),
      withKey: (sockets) => this.#withKey(sockets),
      mayRead: async (principal, conversationId) => {
        const { db } = openKeyCaller(this.#context(), principal);
        return (await selectConversation(db, principal, conversationId)) !== null;
      },
    });
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /** Accepts a socket, by the two headers of this module. Answers 403 for a ticket that is no longer valid. */
  async accept(request: Request): Promise<Response> {
    if (this.#state.getWebSockets().length >= this.#isolate.limits.hubSockets)
      return new Response(null, { status: 503 });
    const waker = request.headers.get(WAKER_HEADER);
    if (waker !== null) return this.#open(WAKER, JSON.parse(waker) as StreamListener | null);
    const ticket = request.headers.get(TICKET_HEADER);
    const admission =
      ticket === null
        ? (JSON.parse(request.headers.get(ADMISSION_HEADER) ?? "null") as Admission | null)
        : await this.#tickets.redeem(ticket, request.headers.get(ORIGIN_HEADER), this.#nowMs());
    if (admission === null) return new Response(null, { status: 403 });
    await this.#lookIn(FIRST_LOOK_MS);
    const listener: Listener = { ...admission, subscriptions: [], presence: null };
    return this.#open(LISTENER, listener, { "sec-websocket-protocol": LIVE_PROTOCOL });
  }

  #open(kind: string, attachment: Listener | StreamListener | null, headers: HeadersInit = {}): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.#state.acceptWebSocket(server, [kind]);
    server.serializeAttachment(attachment);
    return new Response(null, { status: 101, webSocket: client, headers });
  }

  /** Sends new events to all sockets. Resolves to whether there are any. */
  async poke(): Promise<boolean> {
    if (this.#state.getWebSockets().length === 0) return false;
    for (const socket of this.#state.getWebSockets(WAKER)) wake(socket);
    await this.#deliver();
    return true;
  }

  async alarm(): Promise<void> {
    const hasTickets = await this.#tickets.prune(this.#nowMs());
    const expiryMs = await this.#presence.nextExpiryMs();
    const listeners = this.#state.getWebSockets(LISTENER);
    if (expiryMs !== null)
      await this.#lookIn(Math.min(LOOK_MS, Math.max(FIRST_LOOK_MS, expiryMs - this.#nowMs())));
    else if (hasTickets || listeners.length > 0) await this.#lookIn(LOOK_MS);
    await this.#presence.expire();
    // Deliveries check only the keys of subscriptions that they read for.
    await this.#withKey(listeners);
    await this.poke();
  }

  async issueTicket(ticket: string, stored: StoredTicket): Promise<void> {
    await this.#tickets.issue(ticket, stored);
    if ((await this.#state.storage.getAlarm()) === null) await this.#lookIn(LOOK_MS);
  }

  /** Makes a key present. Resolves to null if too many are present already. */
  async setPresence(present: KeyPresence): Promise<Presence | null> {
    const presence = await this.#presence.put(present);
    const alarmMs = await this.#state.storage.getAlarm();
    // Not sooner than the first look, which may be due.
    const ms = Math.max(FIRST_LOOK_MS, present.expiresAtMs - this.#nowMs());
    if (alarmMs === null || alarmMs > this.#nowMs() + ms) await this.#lookIn(ms);
    return presence;
  }

  listPresences(conversationId: string, organizationId: string): Promise<Presence[]> {
    return this.#presence.list(conversationId, organizationId);
  }

  /**
   * Sends a value to the subscriptions to its conversation, and to the streams of it, that may get it. Resolves to their
   * number.
   */
  async broadcast(broadcast: Broadcast, owner: Pick<Owner, "agentId" | "userId">): Promise<number> {
    const mayGet = ({ principal }: { principal: Principal }) =>
      (principal.agentId === null || principal.agentId === owner.agentId) &&
      (principal.userId === null || principal.userId === owner.userId);
    const sockets = this.#state.getWebSockets(LISTENER).filter((socket) => mayGet(listenerOf(socket)));
    const streams = this.#state.getWebSockets(WAKER).filter((socket) => {
      const listener = streamListenerOf(socket);
      return listener?.conversationId === broadcast.conversation_id && mayGet(listener);
    });
    let count = 0;
    for (const socket of await this.#withKey(sockets)) {
      if (!this.#hasRoom(socket)) continue;
      for (const { id, filter } of listenerOf(socket).subscriptions) {
        if (filter.conversationId !== broadcast.conversation_id) continue;
        send(socket, { type: "broadcast", id, ...broadcast });
        this.#broadcasts.spend(socket, this.#nowMs());
        count++;
      }
    }
    for (const socket of await this.#streamsWithKey(streams)) {
      if (!this.#hasRoom(socket)) continue;
      socket.send(JSON.stringify(broadcast));
      this.#broadcasts.spend(socket, this.#nowMs());
      count++;
    }
    return count;
  }

  /** Whether it may be sent a further broadcast. Others may have been sent since the last `await`. */
  #hasRoom(socket: WebSocket): boolean {
    const pingedAt = this.#state.getWebSocketAutoResponseTimestamp(socket);
    return isOpen(socket) && this.#broadcasts.isLeft(socket, pingedAt);
  }

  /** Those of the streams whose key is valid. The others end by themselves. */
  async #streamsWithKey(streams: WebSocket[]): Promise<WebSocket[]> {
    const principalOf = (socket: WebSocket) => streamListenerOf(socket)?.principal;
    const organizationId = streams.map(principalOf)[0]?.organizationId ?? "";
    const keyIds = streams.map((socket) => principalOf(socket)?.keyId ?? "");
    const valid = await this.#validKeys(organizationId, keyIds);
    return streams.filter((socket) => valid.has(principalOf(socket)?.keyId ?? ""));
  }

  async receive(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    // Its stream has taken the broadcasts.
    if (this.#state.getTags(socket).includes(WAKER)) return this.#broadcasts.renew(socket);
    if (this.#isTooFast(socket)) {
      const { socketFramesPerSecond } = this.#isolate.limits;
      this.#end(socket, LIVE_CLOSE.tooManyFrames, `at most ${socketFramesPerSecond} frames a second`);
      return;
    }
    this.#broadcasts.renew(socket);
    const frame = readFrame(data);
    if (frame === null) {
      this.#end(socket, LIVE_CLOSE.badFrame, "not a frame of engram.v1");
      return;
    }
    const listener = listenerOf(socket);
    if (frame.type === "presence") {
      await this.#setPresence(socket, listener, frame);
      return;
    }
    const subscriptions = takeFrame(listener, frame);
    if (subscriptions === null) {
      this.#end(
        socket,
        LIVE_CLOSE.badFrame,
        `at most ${SOCKET_SUBSCRIPTIONS_MAX} subscriptions, of what the ticket is for`,
      );
      return;
    }
    socket.serializeAttachment({ ...listener, subscriptions } satisfies Listener);
    // A subscription that had room before has everything already.
    const hadRoom = listener.subscriptions.some((one) => one.id === frame.id && hasRoom(one));
    if (frame.type === "subscribe" || (frame.type === "ack" && !hadRoom)) await this.#deliver();
  }

  async #setPresence(socket: WebSocket, { conversationId }: Listener, frame: SetPresence): Promise<void> {
    if (conversationId !== null && conversationId !== frame.conversation_id) {
      this.#end(socket, LIVE_CLOSE.badFrame, "another conversation than the ticket is for");
      return;
    }
    try {
      await this.#presence.set(socket, frame);
    } catch (error) {
      if (error instanceof ApiError && error.code === "unauthenticated") {
        this.#end(socket, LIVE_CLOSE.keyEnded, error.message);
        return;
      }
      this.#context().log.error("presence not set", error);
      const problem = toFrameProblem(
        new ApiError("unavailable", "The presence could not be set. Try again."),
      );
      if (isOpen(socket)) send(socket, { type: "error", conversation_id: frame.conversation_id, problem });
    }
  }

  /** Answers the end of a socket. Without that, the client's `close()` takes ten seconds. */
  ended(socket: WebSocket, code: number, reason: string): void {
    if (this.#state.getTags(socket).includes(LISTENER)) this.#state.waitUntil(this.#presence.leave(socket));
    // 1006 and 1015 say that the connection is lost. 1005: the client gave no code.
    if (code !== 1006 && code !== 1015) close(socket, code === 1005 ? 1000 : code, reason);
  }

  /** Those of the sockets whose key is valid. Closes sockets whose key was revoked or has expired. */
  async #withKey(sockets: WebSocket[]): Promise<WebSocket[]> {
    const [first] = sockets;
    if (first === undefined) return [];
    const { organizationId } = listenerOf(first).principal;
    const keyIds = sockets.map((socket) => listenerOf(socket).principal.keyId);
    const valid = await this.#validKeys(organizationId, keyIds);
    const [own = [], ended = []] = [true, false].map((isValid) =>
      sockets.filter((socket) => valid.has(listenerOf(socket).principal.keyId) === isValid),
    );
    for (const socket of ended) this.#end(socket, LIVE_CLOSE.keyEnded, "the key was revoked or has expired");
    return own;
  }

  async #validKeys(organizationId: string, keyIds: string[]): Promise<Set<string>> {
    if (keyIds.length === 0) return new Set();
    const unique = [...new Set(keyIds)];
    const at = { organizationId, keyIds: unique, nowMs: this.#nowMs() };
    return new Set(await run(this.#context().db, activeKeys(at)));
  }

  /** Closes a socket. */
  #end(socket: WebSocket, code: number, reason: string): void {
    // The runtime forgets the attachment when the socket closes.
    this.#state.waitUntil(this.#presence.leave(socket));
    close(socket, code, reason);
  }

  /** One delivery runs at a time, so that no event reaches a subscription twice. */
  #deliver(): Promise<void> {
    this.#again = true;
    this.#delivery ??= (async () => {
      try {
        while (this.#again) {
          this.#again = false;
          await this.#deliverOnce();
        }
      } finally {
        this.#delivery = null;
      }
    })();
    return this.#delivery;
  }

  /** Reads the log once for all subscriptions that read the same. */
  async #deliverOnce(): Promise<void> {
    const pages = new Map<string, Promise<EventPage | ApiError>>();
    const due = this.#state.getWebSockets(LISTENER).flatMap((socket) => {
      const { principal, subscriptions } = listenerOf(socket);
      return subscriptions.filter(hasRoom).map((subscription) => {
        const { filter, read } = subscription;
        const key = JSON.stringify([principal, filter, read]);
        const page = pages.get(key) ?? this.#read(principal, filter, read);
        pages.set(key, page);
        return { socket, subscription, page };
      });
    });
    for (const { socket, subscription, page } of due) this.#send(socket, subscription, await page);
  }

  async #read(
    principal: Principal,
    filter: Subscription["filter"],
    after: Subscription["read"],
  ): Promise<EventPage | ApiError> {
    const caller = openKeyCaller(this.#context(), principal);
    const rowsMax = caller.limits.eventPageRows;
    try {
      return (await readPage(caller, { after, limit: FRAME_EVENTS_MAX, rowsMax, filter })).answer;
    } catch (error) {
      if (error instanceof ApiError) return error;
      caller.log.error("events not read", error);
      return new ApiError("unavailable", "The event log could not be read.", { cause: error });
    }
  }

  #send(socket: WebSocket, was: Subscription, page: EventPage | ApiError): void {
    if (!isOpen(socket)) return;
    const listener = listenerOf(socket);
    // The client may have ended or moved the subscription while the log was read.
    const subscription = listener.subscriptions.find(
      ({ id, read, filter }) =>
        id === was.id && read === was.read && JSON.stringify(filter) === JSON.stringify(was.filter),
    );
    if (subscription === undefined) return;
    if (page instanceof ApiError) {
      this.#fail(socket, listener, subscription, page);
      return;
    }
    const { items, after: to, caught_up } = page;
    const from = subscription.sent ?? (typeof was.read === "number" ? was.read : page.oldest - 1);
    const begin = subscription.sent === null && was.read === "now" ? to : from;
    const isFirst = caught_up && !subscription.caughtUp;
    subscription.read = to;
    if (items.length > 0 || isFirst || to - begin >= BOOKMARK_EVENTS) {
      subscription.sent = to;
      subscription.caughtUp ||= caught_up;
      subscription.unacknowledged.push(to);
      send(socket, { type: "events", id: subscription.id, from: begin, to, events: items, caught_up });
    } else subscription.sent ??= begin;
    socket.serializeAttachment(listener);
    if (!caught_up) this.#again = true;
  }

  #fail(socket: WebSocket, listener: Listener, subscription: Subscription, error: ApiError): void {
    if (error.code === "unauthenticated") {
      this.#end(socket, LIVE_CLOSE.keyEnded, error.message);
      return;
    }
    if (error.code === "unavailable") {
      this.#state.waitUntil(this.#lookIn(FIRST_LOOK_MS));
      return;
    }
    send(socket, { type: "error", id: subscription.id, problem: toFrameProblem(error) });
    const subscriptions = listener.subscriptions.filter((one) => one !== subscription);
    socket.serializeAttachment({ ...listener, subscriptions } satisfies Listener);
  }

  #isTooFast(socket: WebSocket): boolean {
    const second = Math.floor(this.#nowMs() / 1_000);
    const known = this.#frames.get(socket);
    const count = known?.second === second ? known.count + 1 : 1;
    this.#frames.set(socket, { second, count });
    return count > this.#isolate.limits.socketFramesPerSecond;
  }

  #lookIn(ms: number): Promise<void> {
    return this.#state.storage.setAlarm(this.#nowMs() + ms);
  }

  #nowMs(): number {
    return this.#isolate.runtime.nowMs();
  }
}

function wake(socket: WebSocket): void {
  if (isOpen(socket)) socket.send("");
}

/** Null if the data is no frame. */
function readFrame(data: string | ArrayBuffer): ClientFrame | null {
  if (typeof data !== "string" || data.length > FRAME_CHARACTERS_MAX) return null;
  try {
    return ClientFrame.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}
