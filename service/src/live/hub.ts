import {
  type Acknowledge,
  type Broadcast,
  ClientFrame,
  type EventPage,
  FRAME_CHARACTERS_MAX,
  FRAME_EVENTS_MAX,
  LIVE_CLOSE,
  LIVE_PROTOCOL,
  type Presence,
  type SetPresence,
  SOCKET_SUBSCRIPTIONS_MAX,
} from "@engram/spec";
import { conversationById } from "../conversations/queries.ts";
import { ApiError } from "../errors.ts";
import { readPage } from "../events/service.ts";
import type { Env, Invocation, Isolate } from "../invocation.ts";
import { createInvocation } from "../isolate.ts";
import { activeCredentials } from "../platform/batch.ts";
import { openKeyCaller } from "../platform/key-callers.ts";
import { createLog } from "../platform/log.ts";
import { isReadOnly, type Principal, roleCredentialOf } from "../platform/principal.ts";
import { batch } from "../platform/sql.ts";
import { WAKER_HEADER } from "../platform/waker.ts";
import { writeUsage } from "../usage/service.ts";
import { BroadcastBudget } from "./broadcast-budget.ts";
import { FrameCounts, type FrameRate, frameRates } from "./frame-rates.ts";
import type { BroadcastOf, Hub } from "./listeners.ts";
import { type Access, PresenceRooms, type Right } from "./presence-rooms.ts";
import type { KeyPresence } from "./presences.ts";
import {
  attach,
  attachIfFits,
  close,
  isOpen,
  LISTENER,
  listenerOf,
  send,
  toFrameProblem,
  tooLarge,
  WAKER,
  waitingOf,
} from "./sockets.ts";
import { SubscriptionReads } from "./subscription-reads.ts";
import {
  type Admission,
  hasRoom,
  type Listener,
  type Reading,
  type Subscription,
  takeFrame,
  type Waiting,
  type WaitingReader,
} from "./subscriptions.ts";
import { type StoredTicket, Tickets } from "./tickets.ts";
import { WaitingRequests } from "./waiting-requests.ts";

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
/** Reads of the log that run at once. Others that wait for the database get their turn between them. */
const READS_AT_ONCE = 20;
/** A socket that got no answer to its subscriptions for this time is closed. */
const UNSERVED_MS = 60_000;
/** Time after which the counts of frames are written: less than the 10 seconds after which the hub may hibernate. */
const USAGE_MS = 5_000;
/** What usage counts frames for. */
const FRAME_PLACE = { operation: "socketFrame", tool: null };

/** Sockets that read the same part of the log, each with what it does with the part. */
interface Readers {
  reading: Reading;
  takers: { socket: WebSocket; take: Take }[];
}

type Take = (page: EventPage | ApiError) => void;
type AddReader = (reading: Reading, socket: WebSocket, take: Take) => void;

/**
 * The sockets of one organization. Nothing else is kept here: events are read from the log in D1, so a lost message to
 * the hub, or a restart, loses no event.
 *
 * Between events the hub hibernates, which closes no socket. So it has no timers, and keeps the state of each socket in
 * the attachment of the socket.
 */
export class SocketHub implements Omit<Hub, "fetch"> {
  readonly #state: DurableObjectState;
  readonly #isolate: Isolate;
  readonly #context: () => Invocation;
  #delivery: Promise<void> | null = null;
  /** Sockets that the next delivery is for. */
  #due = new Set<WebSocket>();
  readonly #tickets: Tickets;
  readonly #broadcasts = new BroadcastBudget();
  readonly #presence: PresenceRooms;
  readonly #frames: FrameCounts;
  /** Sockets of which a frame was received. The first one is counted with the request that opened the socket. */
  readonly #begun = new WeakSet<WebSocket>();
  readonly #reads = new SubscriptionReads();
  readonly #requests = new WaitingRequests();
  /** Time of the next delivery to sockets whose subscriptions changed too often, and these sockets. */
  #laterMs = Number.POSITIVE_INFINITY;
  readonly #later = new Set<WebSocket>();
  /** Since when a socket waits for the log to be read. */
  readonly #unservedSinceMs = new WeakMap<WebSocket, number>();
  /** From then on, a frame plans the next write of the counts. */
  #usageMs = 0;

  constructor(state: DurableObjectState, env: Env, isolate: Isolate) {
    this.#state = state;
    this.#isolate = isolate;
    this.#tickets = new Tickets(state.storage);
    this.#context = () =>
      createInvocation({
        isolate,
        env,
        ...(state.id.name === undefined ? {} : { organizationId: state.id.name }),
        log: createLog(isolate.runtime),
        waitUntil: (work) => state.waitUntil(work),
      });
    this.#frames = new FrameCounts(frameRates(isolate.limits, env.RATE_LIMIT_POLICY));
    this.#presence = new PresenceRooms({
      state,
      runtime: isolate.runtime,
      budget: this.#broadcasts,
      listeners: () => this.#listeners(),
      check: (organizationId, ids, accesses) => this.#check(organizationId, ids, accesses),
      guard: (socket, work) => this.#guard(socket, work),
      endKey: (socket) => this.#endKey(socket),
      logError: (event, error) => this.#context().log.error(event, error),
    });
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /** Accepts a socket, by the two headers of this module. Answers 403 for a ticket that is no longer valid. */
  async accept(request: Request): Promise<Response> {
    if (this.#state.getWebSockets().length >= this.#isolate.limits.hubSockets)
      return new Response(null, { status: 503 });
    const waker = request.headers.get(WAKER_HEADER);
    if (waker !== null) {
      const reader = JSON.parse(waker) as WaitingReader | null;
      return this.#open(WAKER, reader && { ...reader, asked: null });
    }
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

  #open(kind: string, attachment: Listener | Waiting | null, headers: HeadersInit = {}): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.#state.acceptWebSocket(server, [kind]);
    try {
      server.serializeAttachment(attachment);
    } catch (error) {
      close(server, LIVE_CLOSE.failed, "the socket could not be opened");
      throw error;
    }
    return new Response(null, { status: 101, webSocket: client, headers });
  }

  async poke(): Promise<boolean> {
    if (this.#state.getWebSockets().length === 0) return false;
    const wakers = this.#state.getWebSockets(WAKER).filter(isOpen);
    const alone = new Set(this.#requests.alone(wakers));
    for (const socket of alone) this.#guard(socket, () => socket.send(""));
    await this.#deliver([...wakers.filter((socket) => !alone.has(socket)), ...this.#listeners()]);
    return true;
  }

  async alarm(): Promise<void> {
    const hasTickets = await this.#tickets.prune(this.#nowMs());
    const expiryMs = await this.#presence.nextExpiryMs();
    const listeners = this.#listeners();
    for (const socket of listeners) if (this.#isUnserved(socket)) this.#endUnserved(socket);
    if (expiryMs !== null)
      await this.#lookIn(Math.min(LOOK_MS, Math.max(FIRST_LOOK_MS, expiryMs - this.#nowMs())));
    else if (hasTickets || listeners.length > 0) await this.#lookIn(LOOK_MS);
    const works = [
      () => this.#presence.expire(),
      // Deliveries check only the keys of subscriptions that they read for.
      () => this.#withKey(listeners),
      () => this.poke(),
      () => writeUsage(this.#context()),
    ];
    // A failed one is repeated by the next alarm.
    for (const work of works)
      await work().catch((error: unknown) => this.#context().log.error("sockets not checked", error));
  }

  async issueTicket(ticket: string, stored: StoredTicket): Promise<void> {
    await this.#tickets.issue(ticket, stored);
    if ((await this.#state.storage.getAlarm()) === null) await this.#lookIn(LOOK_MS);
  }

  async setPresence(present: KeyPresence): Promise<Presence | null> {
    const presence = await this.#presence.put(present);
    // Not sooner than the first look, which may be due.
    await this.#lookBy(Math.max(FIRST_LOOK_MS, present.expiresAtMs - this.#nowMs()));
    return presence;
  }

  listPresences(conversationId: string, organizationId: string): Promise<Presence[]> {
    return this.#presence.list(conversationId, organizationId);
  }

  async broadcast(broadcast: Broadcast, of: BroadcastOf): Promise<number> {
    const mayGet = ({ principal }: { principal: Principal }) =>
      (principal.agentId === null || principal.agentId === of.agentId) &&
      (principal.userId === null || principal.userId === of.userId || of.isShared);
    const sockets = this.#listeners().filter((socket) => mayGet(listenerOf(socket)));
    const streams = this.#state.getWebSockets(WAKER).filter((socket) => {
      const waiting = waitingOf(socket);
      const isOf = waiting?.getsBroadcasts && waiting.filter.conversationId === broadcast.conversation_id;
      return isOf && mayGet(waiting);
    });
    let count = 0;
    for (const socket of await this.#withKey(sockets)) {
      if (!this.#hasRoom(socket)) continue;
      for (const { id, filter } of listenerOf(socket).subscriptions) {
        if (filter.conversationId !== broadcast.conversation_id) continue;
        this.#guard(socket, () => {
          send(socket, { type: "broadcast", id, ...broadcast });
          this.#broadcasts.spend(socket, this.#nowMs());
          count++;
        });
      }
    }
    for (const socket of await this.#streamsWithKey(streams)) {
      if (!this.#hasRoom(socket)) continue;
      this.#guard(socket, () => {
        socket.send(JSON.stringify(broadcast));
        this.#broadcasts.spend(socket, this.#nowMs());
        count++;
      });
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
    const principalOf = (socket: WebSocket) => waitingOf(socket)?.principal;
    const organizationId = streams.map(principalOf)[0]?.organizationId ?? "";
    const idOf = (socket: WebSocket) => {
      const principal = principalOf(socket);
      return principal === undefined ? "" : roleCredentialOf(principal);
    };
    const { valid } = await this.#check(organizationId, streams.map(idOf), []);
    return streams.filter((socket) => valid.has(idOf(socket)));
  }

  async receive(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    if (this.#isWaker(socket)) return this.#receiveOfWaker(socket, String(data));
    // Frames that came before the client learned that the socket is closed.
    if (!isOpen(socket)) return;
    if ((typeof data === "string" ? data.length : data.byteLength) > FRAME_CHARACTERS_MAX) {
      const reason = `a frame has at most ${FRAME_CHARACTERS_MAX.toLocaleString("en-US")} characters`;
      return this.#end(socket, LIVE_CLOSE.tooLong, reason);
    }
    const exceeded = this.#frames.add("socket", socket, this.#nowMs());
    if (exceeded !== null) return this.#endTooMany(socket, exceeded);
    this.#broadcasts.renew(socket);
    const frame = readFrame(data);
    if (frame === null) return this.#end(socket, LIVE_CLOSE.badFrame, "not a frame of engram.v1");
    const listener = listenerOf(socket);
    const excess = this.#countFrame(socket, listener, frame);
    if (excess !== null) return this.#endTooMany(socket, excess);
    if (frame.type === "presence") {
      const { conversationId } = listener;
      if (conversationId === null || conversationId === frame.conversation_id)
        return this.#presence.set(socket, frame);
      return this.#end(socket, LIVE_CLOSE.badFrame, "another conversation than the ticket is for");
    }
    await this.#takeFrame(socket, listener, frame);
  }

  async #receiveOfWaker(socket: WebSocket, data: string): Promise<void> {
    // Its stream has taken the broadcasts.
    if (data === "") return this.#broadcasts.renew(socket);
    const { after, isDue } = JSON.parse(data) as { after: number; isDue: boolean };
    this.#guard(socket, () => this.#requests.ask(socket, after));
    if (isDue) await this.#deliver([socket]);
  }

  #isWaker(socket: WebSocket): boolean {
    return this.#state.getTags(socket).includes(WAKER);
  }

  async #takeFrame(
    socket: WebSocket,
    listener: Listener,
    frame: Exclude<ClientFrame, SetPresence>,
  ): Promise<void> {
    const subscriptions = takeFrame(listener, frame);
    if (subscriptions === null) {
      const reason = `at most ${SOCKET_SUBSCRIPTIONS_MAX} subscriptions, of what the ticket is for`;
      return this.#end(socket, LIVE_CLOSE.badFrame, reason);
    }
    const next: Listener = { ...listener, subscriptions };
    let isTaken = false;
    this.#guard(socket, () => {
      if (frame.type !== "subscribe") attach(socket, next);
      else if (!attachIfFits(socket, next))
        return this.#endSubscription(socket, listener, frame.id, tooLarge());
      isTaken = true;
    });
    if (!isTaken) return;
    if (frame.type === "subscribe") {
      this.#reads.plan(socket, frame.id, this.#nowMs());
      await this.#deliver([socket]);
    } else if (frame.type === "ack" && !hadRoom(listener, frame.id)) await this.#deliver([socket]);
  }

  /**
   * Counts a frame for its key and organization, in their limits and usage. An `ack` counts only if the hub then reads the
   * log: others are as many as the frames that it sends.
   */
  #countFrame(socket: WebSocket, listener: Listener, frame: ClientFrame): FrameRate | null {
    const isFirst = !this.#begun.has(socket);
    this.#begun.add(socket);
    if (isFirst || (frame.type === "ack" && isPlain(listener, frame))) return null;
    const { keyId, organizationId } = listener.principal;
    const nowMs = this.#nowMs();
    this.#isolate.usage.add({ organizationId, keyId, place: FRAME_PLACE }, { requests: 1 }, nowMs);
    if (this.#usageMs <= nowMs) {
      this.#usageMs = nowMs + USAGE_MS;
      this.#state.waitUntil(this.#lookBy(USAGE_MS));
    }
    // A frame that the key's limit rejects does not count for the organization.
    return this.#frames.add("key", keyId, nowMs) ?? this.#frames.add("organization", organizationId, nowMs);
  }

  /** Answers the end of a socket. Without that, the client's `close()` takes ten seconds. */
  ended(socket: WebSocket, code: number, reason: string): void {
    this.#presence.leave(socket);
    // 1006 and 1015 say that the connection is lost. 1005: the client gave no code.
    if (code !== 1006 && code !== 1015) close(socket, code === 1005 ? 1000 : code, reason);
  }

  /** Those of the sockets whose key and grant are valid. Closes the others. */
  async #withKey(sockets: WebSocket[]): Promise<WebSocket[]> {
    const [first] = sockets;
    if (first === undefined) return [];
    const { organizationId } = listenerOf(first).principal;
    const idOf = (socket: WebSocket) => roleCredentialOf(listenerOf(socket).principal);
    const { valid } = await this.#check(organizationId, sockets.map(idOf), []);
    const open = sockets.filter(isOpen);
    const own = open.filter((socket) => valid.has(idOf(socket)));
    for (const socket of open) if (!own.includes(socket)) this.#endKey(socket);
    return own;
  }

  /** Which of the keys and grants are valid, and what principals may do with their conversation, in one transaction. */
  async #check(
    organizationId: string,
    ids: string[],
    accesses: Access[],
  ): Promise<{ valid: Set<string>; rights: Right[] }> {
    if (ids.length === 0) return { valid: new Set(), rights: accesses.map(() => "none") };
    const { credentials, found } = await batch(this.#context().db, {
      credentials: activeCredentials({
        organizationId,
        credentials: [...new Set(ids)],
        nowMs: this.#nowMs(),
      }),
      found: accesses.map((one) => conversationById(one.principal, one.conversationId)),
    });
    const rightOf = (place: number): Right => {
      const conversation = found[place]?.conversation;
      if (conversation === undefined) return "none";
      return isReadOnly(accesses[place]?.principal, conversation) ? "read" : "write";
    };
    return { valid: new Set(credentials.flat()), rights: accesses.map((_, place) => rightOf(place)) };
  }

  #listeners(): WebSocket[] {
    // The runtime also lists sockets that close, without their attachments.
    return this.#state.getWebSockets(LISTENER).filter(isOpen);
  }

  /** Works on a socket. If that fails, the socket is closed, and the work on the others continues. */
  #guard(socket: WebSocket, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#context().log.error("socket failed", error);
      this.#end(socket, LIVE_CLOSE.failed, "the service could not write to this socket");
    }
  }

  /** Closes a socket. */
  #end(socket: WebSocket, code: number, reason: string): void {
    // First, because the runtime forgets the attachment when the socket closes.
    this.#presence.leave(socket);
    close(socket, code, reason);
  }

  #endKey(socket: WebSocket): void {
    this.#end(socket, LIVE_CLOSE.keyEnded, "the key was revoked or has expired");
  }

  #endTooMany(socket: WebSocket, { by, max, seconds }: FrameRate): void {
    const time = seconds === 1 ? "a second" : `in ${seconds} seconds`;
    const frames = `${max.toLocaleString("en-US")} frames ${time}`;
    this.#end(socket, LIVE_CLOSE.tooManyFrames, `at most ${frames} for each ${by}`);
  }

  #isUnserved(socket: WebSocket): boolean {
    const sinceMs = this.#unservedSinceMs.get(socket);
    return sinceMs !== undefined && this.#nowMs() - sinceMs >= UNSERVED_MS;
  }

  #endUnserved(socket: WebSocket): void {
    const seconds = UNSERVED_MS / 1_000;
    this.#end(socket, LIVE_CLOSE.failed, `the event log could not be read for ${seconds} seconds`);
  }

  #deliverAt(ms: number, socket: WebSocket): void {
    this.#later.add(socket);
    if (this.#laterMs <= ms) return;
    this.#laterMs = ms;
    const deliver = async () => {
      await this.#isolate.runtime.pause(ms - this.#nowMs());
      this.#laterMs = Number.POSITIVE_INFINITY;
      const sockets = [...this.#later];
      this.#later.clear();
      // Plans the rest anew.
      await this.#deliver(sockets);
    };
    this.#state.waitUntil(deliver());
  }

  /** One delivery runs at a time, so that no event reaches a subscription twice. */
  #deliver(sockets: Iterable<WebSocket>): Promise<void> {
    for (const socket of sockets) this.#due.add(socket);
    this.#delivery ??= (async () => {
      try {
        do await this.#deliverOnce();
        while (this.#due.size > 0);
      } finally {
        this.#delivery = null;
      }
    })();
    return this.#delivery;
  }

  /** Reads the log once for all due subscriptions and waiting requests that read the same. */
  async #deliverOnce(): Promise<void> {
    const sockets = [...this.#due].filter(isOpen);
    this.#due.clear();
    const reads = new Map<string, Readers>();
    const add: AddReader = (reading, socket, take) => {
      const name = JSON.stringify(reading);
      const readers = reads.get(name) ?? { reading, takers: [] };
      readers.takers.push({ socket, take });
      reads.set(name, readers);
    };
    for (const socket of sockets)
      if (this.#isWaker(socket)) this.#guard(socket, () => this.#addWaker(socket, add));
      else this.#addSubscriptions(socket, add);
    const all = [...reads.values()];
    for (let i = 0; i < all.length; i += READS_AT_ONCE) {
      const some = all.slice(i, i + READS_AT_ONCE);
      const pages = await Promise.all(some.map(({ reading }) => this.#read(reading)));
      for (const [j, page] of pages.entries())
        for (const { socket, take } of some[j]?.takers ?? []) this.#guard(socket, () => take(page));
    }
  }

  #addWaker(socket: WebSocket, add: AddReader): void {
    const reading = this.#requests.readingOf(socket);
    if (reading === null) {
      // It has got a part since, which may lack the last change.
      socket.send("");
      return;
    }
    add(reading, socket, (page) => {
      if (isOpen(socket) && this.#requests.answer(socket, reading, page)) this.#due.add(socket);
    });
  }

  #addSubscriptions(socket: WebSocket, add: AddReader): void {
    const nowMs = this.#nowMs();
    const { principal, subscriptions } = listenerOf(socket);
    for (const subscription of subscriptions.filter(hasRoom)) {
      const readMs = this.#reads.timeOf(socket, subscription.id);
      if (readMs > nowMs) {
        this.#deliverAt(readMs, socket);
        continue;
      }
      const { filter, read: after } = subscription;
      add({ principal, filter, after, limit: FRAME_EVENTS_MAX }, socket, (page) =>
        this.#send(socket, subscription, page),
      );
      if (!this.#unservedSinceMs.has(socket)) this.#unservedSinceMs.set(socket, nowMs);
    }
  }

  async #read({ principal, filter, after, limit }: Reading): Promise<EventPage | ApiError> {
    const caller = openKeyCaller(this.#context(), principal);
    const rowsMax = caller.limits.eventPageRows;
    try {
      return (await readPage(caller, { after, limit, rowsMax, filter })).answer;
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
    this.#unservedSinceMs.delete(socket);
    const { items, after: to, caught_up } = page;
    const from = subscription.sent ?? (typeof was.read === "number" ? was.read : page.oldest - 1);
    const begin = subscription.sent === null && was.read === "now" ? to : from;
    const isFirst = caught_up && !subscription.caughtUp;
    subscription.read = to;
    const isSent = items.length > 0 || isFirst || to - begin >= BOOKMARK_EVENTS;
    if (isSent) {
      subscription.sent = to;
      subscription.caughtUp ||= caught_up;
      subscription.unacknowledged.push(to);
    } else subscription.sent ??= begin;
    // Before it is sent, so that no event is sent twice.
    attach(socket, listener);
    if (isSent)
      send(socket, { type: "events", id: subscription.id, from: begin, to, events: items, caught_up });
    if (!caught_up) this.#due.add(socket);
  }

  #fail(socket: WebSocket, listener: Listener, subscription: Subscription, error: ApiError): void {
    if (error.code === "unauthenticated") {
      this.#end(socket, LIVE_CLOSE.keyEnded, error.message);
      return;
    }
    if (error.code === "unavailable") {
      if (this.#isUnserved(socket)) this.#endUnserved(socket);
      else this.#state.waitUntil(this.#lookIn(FIRST_LOOK_MS));
      return;
    }
    this.#unservedSinceMs.delete(socket);
    this.#endSubscription(socket, listener, subscription.id, error);
  }

  /** Ends a subscription, and tells the client why. */
  #endSubscription(socket: WebSocket, listener: Listener, id: string, error: ApiError): void {
    const subscriptions = listener.subscriptions.filter((one) => one.id !== id);
    attach(socket, { ...listener, subscriptions });
    send(socket, { type: "error", id, problem: toFrameProblem(error) });
  }

  /** Plans a look after this time, unless a sooner one is planned. */
  async #lookBy(ms: number): Promise<void> {
    const alarmMs = await this.#state.storage.getAlarm();
    if (alarmMs === null || alarmMs > this.#nowMs() + ms) await this.#lookIn(ms);
  }

  #lookIn(ms: number): Promise<void> {
    return this.#state.storage.setAlarm(this.#nowMs() + ms);
  }

  #nowMs(): number {
    return this.#isolate.runtime.nowMs();
  }
}

/** A subscription that had room before an `ack` has everything already. */
const hadRoom = ({ subscriptions }: Listener, id: string): boolean =>
  subscriptions.some((one) => one.id === id && hasRoom(one));

/** Whether a frame acknowledges events, and the subscription does not wait for that. */
const isPlain = ({ subscriptions }: Listener, { id, to }: Acknowledge): boolean =>
  subscriptions.some(
    (one) => one.id === id && hasRoom(one) && one.unacknowledged.some((position) => position <= to),
  );

/** Null if the data is no frame. */
function readFrame(data: string | ArrayBuffer): ClientFrame | null {
  if (typeof data !== "string") return null;
  try {
    return ClientFrame.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}
