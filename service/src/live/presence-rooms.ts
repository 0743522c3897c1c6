import { PRESENCES_MAX, type Presence, type SetPresence } from "@engram/spec";
import { ApiError, readOnly } from "../errors.ts";
import { SHARED_USER } from "../platform/batch.ts";
import { createId } from "../platform/ids.ts";
import { type Principal, roleCredentialOf } from "../platform/principal.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { BroadcastBudget } from "./broadcast-budget.ts";
import { type KeyPresence, KeyPresences, type SocketPresence } from "./presences.ts";
import { Rooms } from "./rooms.ts";
import { attachIfFits, isOpen, listenerOf, send, toFrameProblem, tooLarge } from "./sockets.ts";

/** Time in which only the last presence of each socket counts, and all changes are sent in one frame. */
const ROUND_MS = 100;
/** What one round sends, approximately. After one that sends more, the pause is longer in proportion. */
const ROUND_BYTES = 2_000_000;
/** Conversations that one round reads, each for the rights of one key. */
const ROUND_READS = 20;
/** Size of a presence in a frame, without its state. */
const PRESENCE_BYTES = 300;

/** What a principal may do with a conversation. */
export type Right = "none" | "read" | "write";

/** A principal, and the conversation that its right is asked for. */
export interface Access {
  principal: Principal;
  conversationId: string;
}

/** A frame of a client, with the rights of its socket. */
interface Wanted extends Access {
  socket: WebSocket;
  state: SetPresence["state"];
}

/** Those that joined or changed their state, and null for those that left, by id. */
type Changes = Map<string, Presence | null>;

/** What a round has read, and what it sends. */
interface Round {
  changes: Map<string, Changes>;
  /** All presences in each conversation of the round, by id. */
  present: Map<string, Map<string, Presence>>;
  /** Sockets that get a frame for their own, and whether it has all presences. */
  answers: Map<WebSocket, "changes" | "all">;
}

/** What the presence of sockets needs of their hub. */
export interface PresenceHub {
  state: DurableObjectState;
  runtime: Runtime;
  budget: BroadcastBudget;
  /** Open sockets of clients. */
  listeners(): WebSocket[];
  /** Which keys and grants are valid, and what principals may do with their conversation, in one transaction. */
  check(
    organizationId: string,
    ids: string[],
    accesses: Access[],
  ): Promise<{ valid: ReadonlySet<string>; rights: Right[] }>;
  /** Closes the socket if the work on it fails. */
  guard(socket: WebSocket, work: () => void): void;
  /** Closes a socket whose key is no longer valid. */
  endKey(socket: WebSocket): void;
  logError(event: string, error: unknown): void;
}

/**
 * Who is present in the conversations of one organization, by socket or by key. Changes are sent in rounds, at most ten a
 * second. A round reads the database once and sends each socket at most one frame. So each client gets changes in the
 * order in which they happened, and none between a list and the changes after it.
 */
export class PresenceRooms {
  readonly #hub: PresenceHub;
  readonly #keys: KeyPresences;
  /** The last frame of each socket that no round has taken yet. */
  readonly #wanted = new Map<WebSocket, Wanted>();
  /** Changes that are not sent yet, by conversation. */
  #changes = new Map<string, Changes>();
  #rooms: Rooms | null = null;
  readonly #closing = new WeakSet<WebSocket>();
  #isRunning = false;
  /** Time of the next round. */
  #nextMs = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(hub: PresenceHub) {
    this.#hub = hub;
    this.#keys = new KeyPresences(hub.state.storage);
  }

  /** Sets the presence of a socket in the next round, unless another frame of it comes before. */
  set(socket: WebSocket, { conversation_id: conversationId, state }: SetPresence): void {
    const { principal } = listenerOf(socket);
    this.#wanted.set(socket, { socket, principal, conversationId, state });
    this.#run();
  }

  /** Ends the presence of a socket that closes. */
  leave(socket: WebSocket): void {
    if (this.#closing.has(socket)) return;
    this.#closing.add(socket);
    this.#wanted.delete(socket);
    // The hub may have hibernated, and a socket that closes is in no room.
    const presence = this.#open().presenceOf(socket) ?? listenerOf(socket)?.presence ?? null;
    if (presence === null) return;
    this.#open().delete(socket);
    if (presence.state !== null) this.#change(presence.conversationId, presence.id, null);
  }

  /** Resolves to null if as many are present as may be. */
  put(present: KeyPresence): Promise<Presence | null> {
    return this.#inTurn(async () => {
      const { conversationId, organizationId } = present;
      const all = await this.#list(conversationId, organizationId);
      const before = all.find(({ id }) => id === present.presence.id);
      if (before === undefined && all.length >= PRESENCES_MAX) return null;
      const presence = { ...present.presence, since: before?.since ?? present.presence.since };
      await this.#keys.put({ ...present, presence });
      this.#change(conversationId, presence.id, presence);
      return presence;
    });
  }

  list(conversationId: string, organizationId: string): Promise<Presence[]> {
    return this.#inTurn(() => this.#list(conversationId, organizationId));
  }

  /** When the first presence of a key expires; null if there is none. */
  async nextExpiryMs(): Promise<number | null> {
    const presences = await this.#keys.listAll();
    return presences.length === 0 ? null : Math.min(...presences.map(({ expiresAtMs }) => expiresAtMs));
  }

  /** Ends the presences of keys that have expired, or whose key is no longer valid. */
  expire(): Promise<void> {
    return this.#inTurn(async () => {
      const presences = await this.#keys.listAll();
      const [first] = presences;
      if (first === undefined) return;
      const ids = presences.map(({ presence }) => setBy(presence));
      const { valid } = await this.#hub.check(first.organizationId, ids, []);
      const ended = presences.filter((one) => !this.#isValid(one, valid));
      await this.#keys.delete(ended);
      for (const { conversationId, presence } of ended) this.#change(conversationId, presence.id, null);
    });
  }

  async #list(conversationId: string, organizationId: string): Promise<Presence[]> {
    const { presentIn } = await this.#read(organizationId, [conversationId], []);
    return [...presentIn(conversationId).values()].sort(bySince);
  }

  #change(conversationId: string, id: string, presence: Presence | null): void {
    const changes: Changes = this.#changes.get(conversationId) ?? new Map();
    this.#changes.set(conversationId, changes.set(id, presence));
    this.#run();
  }

  /** Runs rounds until nothing is left to send. */
  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { runtime, state } = this.#hub;
    const rounds = async () => {
      try {
        while (this.#wanted.size > 0 || this.#changes.size > 0) {
          const waitMs = this.#nextMs - runtime.nowMs();
          if (waitMs > 0) await runtime.pause(waitMs);
          const bytes = await this.#inTurn(() => this.#round());
          this.#nextMs = runtime.nowMs() + ROUND_MS * Math.max(1, bytes / ROUND_BYTES);
        }
      } finally {
        this.#isRunning = false;
      }
    };
    state.waitUntil(rounds());
  }

  /** Resolves to the size of what it sent. */
  async #round(): Promise<number> {
    const wanted = this.#take();
    const round: Round = { changes: this.#changes, present: new Map(), answers: new Map() };
    this.#changes = new Map();
    const before = wanted.flatMap(({ socket }) => this.#open().presenceOf(socket)?.conversationId ?? []);
    const conversationIds = [
      ...new Set([...round.changes.keys(), ...wanted.map((one) => one.conversationId), ...before]),
    ];
    const members = conversationIds.flatMap((id) => [...this.#open().in(id)]);
    const [first] = [...wanted.map(({ socket }) => socket), ...members];
    if (first === undefined) return 0;
    try {
      const { organizationId } = listenerOf(first).principal;
      const { presentIn, valid, rightOf } = await this.#read(organizationId, conversationIds, wanted);
      for (const socket of new Set([...members, ...wanted.map((one) => one.socket)]))
        if (isOpen(socket) && !valid.has(roleCredentialOf(listenerOf(socket).principal)))
          this.#hub.endKey(socket);
      for (const guest of this.#guestsIn(conversationIds))
        if (rightOf(guest) === "none") this.#hub.guard(guest.socket, () => this.#open().remove(guest.socket));
      for (const id of conversationIds) round.present.set(id, presentIn(id));
      for (const one of wanted) this.#hub.guard(one.socket, () => this.#apply(one, rightOf(one), round));
      return conversationIds.reduce((bytes, id) => bytes + this.#sendTo(id, round), 0);
    } catch (error) {
      this.#hub.logError("presence not set", error);
      this.#miss(wanted, members);
      return 0;
    }
  }

  /** Takes the oldest frames, as many as one round can process. */
  #take(): Wanted[] {
    const taken: Wanted[] = [];
    const accesses = new Set<string>();
    let bytes = 0;
    for (const one of this.#wanted.values()) {
      const room = this.#open().in(one.conversationId);
      const size = PRESENCE_BYTES + JSON.stringify(one.state).length;
      const isListed = one.state === null || !room.has(one.socket);
      bytes += size * (room.size + (isListed ? Math.min(room.size, PRESENCES_MAX) : 1));
      accesses.add(accessName(one));
      if (taken.length > 0 && (bytes > ROUND_BYTES || accesses.size > ROUND_READS)) break;
      taken.push(one);
    }
    for (const { socket } of taken) this.#wanted.delete(socket);
    return taken;
  }

  /**
   * Sockets in conversations that are shared, or were, of keys that are bound to a user. What they may do depends on no
   * user.
   */
  #guestsIn(conversationIds: string[]): (Access & { socket: WebSocket })[] {
    return conversationIds.flatMap((conversationId) =>
      [...this.#open().in(conversationId)]
        .filter((socket) => isOpen(socket) && this.#open().presenceOf(socket)?.isGuest)
        .map((socket) => ({
          socket,
          conversationId,
          principal: { ...listenerOf(socket).principal, userId: SHARED_USER },
        })),
    );
  }

  /** Reads the keys of all that are present in the conversations, and the rights of the frames and of guests. */
  async #read(organizationId: string, conversationIds: string[], wanted: Wanted[]) {
    const { runtime } = this.#hub;
    const keys = new Map<string, KeyPresence[]>();
    for (const id of conversationIds) keys.set(id, await this.#keys.listIn(id, runtime.nowMs()));
    const sockets = [
      ...conversationIds.flatMap((id) => [...this.#open().in(id)]),
      ...wanted.map(({ socket }) => socket),
    ].filter(isOpen);
    const ids = [
      ...[...keys.values()].flat().map(({ presence }) => setBy(presence)),
      ...sockets.map((socket) => roleCredentialOf(listenerOf(socket).principal)),
    ];
    const accesses = new Map(
      [...wanted, ...this.#guestsIn(conversationIds)].map((one) => [accessName(one), one]),
    );
    const { valid, rights } = await this.#hub.check(organizationId, ids, [...accesses.values()]);
    const byName = new Map([...accesses.keys()].map((name, i) => [name, rights[i]]));
    const presentIn = (conversationId: string): Map<string, Presence> => {
      const byKey = (keys.get(conversationId) ?? []).filter((one) => this.#isValid(one, valid));
      const bySocket = [...this.#open().in(conversationId)]
        .filter((socket) => isOpen(socket) && valid.has(roleCredentialOf(listenerOf(socket).principal)))
        .flatMap((socket) => toPresences(socket, this.#open().presenceOf(socket)));
      const all = [...byKey.map(({ presence }) => presence), ...bySocket];
      return new Map(all.map((presence) => [presence.id, presence]));
    };
    return { presentIn, valid, rightOf: (one: Access): Right => byName.get(accessName(one)) ?? "none" };
  }

  #isValid({ presence, expiresAtMs }: KeyPresence, valid: ReadonlySet<string>): boolean {
    return expiresAtMs > this.#hub.runtime.nowMs() && valid.has(setBy(presence));
  }

  #apply(wanted: Wanted, right: Right, { changes, present, answers }: Round): void {
    const { socket, conversationId, state } = wanted;
    if (!isOpen(socket)) return;
    const refuse = (error: ApiError) =>
      send(socket, { type: "error", conversation_id: conversationId, problem: toFrameProblem(error) });
    if (right === "none") {
      refuse(new ApiError("not_found", "There is no such conversation."));
      return;
    }
    // Other users can read who is present.
    if (right === "read" && state !== null) {
      refuse(readOnly());
      return;
    }
    const was = this.#open().presenceOf(socket);
    const before = was?.conversationId === conversationId ? was : null;
    const all: Map<string, Presence> = present.get(conversationId) ?? new Map();
    const isNew = was === null || !all.has(was.id);
    if (state !== null && isNew && all.size >= PRESENCES_MAX) {
      refuse(tooMany());
      return;
    }
    const own: SocketPresence = {
      id: was?.id ?? createId(this.#hub.runtime, "sock"),
      conversationId,
      state: state === null ? null : JSON.stringify(state),
      since:
        before === null || before.state === null
          ? new Date(this.#hub.runtime.nowMs()).toISOString()
          : before.since,
      hasMissed: false,
      ...(right === "read" && { isGuest: true }),
    };
    if (!attachIfFits(socket, { ...listenerOf(socket), presence: own })) {
      refuse(tooLarge());
      return;
    }
    this.#open().set(socket, own);
    const change = (id: string, presence: Presence | null) => {
      const those: Changes = changes.get(id) ?? new Map();
      changes.set(id, those.set(own.id, presence));
    };
    if (was !== null && was.state !== null && (before === null || state === null)) {
      change(was.conversationId, null);
      present.get(was.conversationId)?.delete(own.id);
    }
    for (const presence of toPresences(socket, own)) {
      change(conversationId, presence);
      all.set(own.id, presence);
    }
    const isListed = before === null || before.hasMissed || state === null;
    answers.set(socket, isListed ? "all" : "changes");
  }

  /** Sends what a round has changed to the sockets in a conversation. Returns its size. */
  #sendTo(conversation_id: string, { changes, present, answers }: Round): number {
    const { budget, guard, runtime, state } = this.#hub;
    const changed = [...(changes.get(conversation_id) ?? [])];
    const joined = changed.flatMap(([, presence]) => presence ?? []);
    const left = changed.flatMap(([id, presence]) => (presence === null ? [id] : []));
    // All get the same text.
    const toChanges = once(() => JSON.stringify({ type: "presence", conversation_id, joined, left }));
    const toAll = once(() => {
      const all = [...(present.get(conversation_id)?.values() ?? [])].sort(bySince);
      return JSON.stringify({ type: "presence", conversation_id, joined: [], left: [], all });
    });
    let bytes = 0;
    for (const socket of [...this.#open().in(conversation_id)])
      guard(socket, () => {
        const presence = this.#open().presenceOf(socket);
        const answer = answers.get(socket);
        if (!isOpen(socket) || presence === null || (answer === undefined && changed.length === 0)) return;
        const hasMissed =
          answer === undefined && !budget.isLeft(socket, state.getWebSocketAutoResponseTimestamp(socket));
        if (hasMissed !== presence.hasMissed) this.#open().set(socket, { ...presence, hasMissed });
        if (hasMissed) return;
        const text = answer === "all" || presence.hasMissed ? toAll() : toChanges();
        socket.send(text);
        bytes += text.length;
        if (answer === undefined) budget.spend(socket, runtime.nowMs());
      });
    return bytes;
  }

  /** After a failure, the clients that asked get an error, and the others get all presences with their next frame. */
  #miss(wanted: Wanted[], members: WebSocket[]): void {
    const problem = toFrameProblem(new ApiError("unavailable", "The presence could not be set. Try again."));
    for (const { socket, conversationId } of wanted)
      this.#hub.guard(socket, () => {
        if (isOpen(socket)) send(socket, { type: "error", conversation_id: conversationId, problem });
      });
    for (const socket of members)
      this.#hub.guard(socket, () => {
        const presence = this.#open().presenceOf(socket);
        if (isOpen(socket) && presence !== null) this.#open().set(socket, { ...presence, hasMissed: true });
      });
  }

  #open(): Rooms {
    this.#rooms ??= new Rooms(this.#hub.listeners());
    return this.#rooms;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}

/** Equal for frames that need the same rights. */
const accessName = ({ principal, conversationId }: Access): string =>
  JSON.stringify([conversationId, principal.agentId, principal.userId]);

/** The grant that set a presence by request, or else the key. */
const setBy = ({ id, key_id }: Presence): string => (id.startsWith("grant_") ? id : key_id);

function once(make: () => string): () => string {
  let text: string | null = null;
  return () => {
    text ??= make();
    return text;
  };
}

/** @returns None for a socket that only sees the others. */
function toPresences(socket: WebSocket, presence: SocketPresence | null): Presence[] {
  if (presence === null || presence.state === null) return [];
  const { keyId, agentId, userId } = listenerOf(socket).principal;
  const { id, state, since } = presence;
  const owner = { key_id: keyId, agent_id: agentId, user_id: userId };
  return [{ id, ...owner, state: JSON.parse(state), since, expires_at: null }];
}

const bySince = (a: Presence, b: Presence): number =>
  Date.parse(a.since) - Date.parse(b.since) || (a.id < b.id ? -1 : 1);

export const tooMany = () =>
  new ApiError("unavailable", `At most ${PRESENCES_MAX} can be present in a conversation. Try again later.`, {
    retryAfterSeconds: 30,
  });
