import { PRESENCES_MAX, type Presence, type SetPresence } from "@engram/spec";
import { ApiError } from "../errors.ts";
import { createId } from "../platform/ids.ts";
import type { Principal } from "../platform/principal.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { BroadcastBudget } from "./broadcast-budget.ts";
import { type KeyPresence, KeyPresences, type SocketPresence } from "./presences.ts";
import { isOpen, LISTENER, listenerOf, send, toFrameProblem } from "./sockets.ts";

interface Change {
  joined?: Presence[];
  left?: string[];
}

/** What the presence of sockets needs of their hub. */
export interface PresenceHub {
  state: DurableObjectState;
  runtime: Runtime;
  budget: BroadcastBudget;
  validKeys(organizationId: string, keyIds: string[]): Promise<ReadonlySet<string>>;
  /** Those of the sockets whose key is valid. Closes the others. */
  withKey(sockets: WebSocket[]): Promise<WebSocket[]>;
  /** Fails if the key is no longer valid. */
  mayRead(principal: Principal, conversationId: string): Promise<boolean>;
}

/**
 * Who is present in the conversations of one organization, by socket or by key. Changes run one at a time, so that each
 * client gets them in the order in which they happened, and none between a list and the changes after it.
 */
export class PresenceRooms {
  readonly #hub: PresenceHub;
  readonly #keys: KeyPresences;
  /** Sockets that close. The runtime still lists them. */
  readonly #closing = new WeakSet<WebSocket>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(hub: PresenceHub) {
    this.#hub = hub;
    this.#keys = new KeyPresences(hub.state.storage);
  }

  /** @throws {ApiError} `unauthenticated` if the key is no longer valid. */
  set(socket: WebSocket, frame: SetPresence): Promise<void> {
    return this.#inTurn(async () => {
      if (!isOpen(socket)) return;
      const { principal } = listenerOf(socket);
      const { conversation_id: conversationId } = frame;
      const others = await this.#listReadable(principal, frame, socket);
      if (!isOpen(socket)) return;
      if (others instanceof ApiError) {
        const problem = toFrameProblem(others);
        send(socket, { type: "error", conversation_id: conversationId, problem });
        return;
      }
      const was = listenerOf(socket).presence;
      const before = was?.conversationId === conversationId ? was : null;
      const own: SocketPresence = {
        id: was?.id ?? createId(this.#hub.runtime, "sock"),
        conversationId,
        state: frame.state === null ? null : JSON.stringify(frame.state),
        since:
          before === null || before.state === null
            ? new Date(this.#hub.runtime.nowMs()).toISOString()
            : before.since,
        hasMissed: false,
      };
      socket.serializeAttachment({ ...listenerOf(socket), presence: own });
      const joined = toPresences(socket, own);
      if (before === null || before.hasMissed || own.state === null) {
        const all = [...others, ...joined].sort(bySince);
        send(socket, { type: "presence", conversation_id: conversationId, joined: [], left: [], all });
      } else send(socket, { type: "presence", conversation_id: conversationId, joined, left: [] });
      if (was !== null && (before === null || own.state === null)) await this.#announceLeft(socket, was);
      if (joined.length > 0) await this.#announce(conversationId, { joined }, socket);
    });
  }

  /** Ends the presence of a socket that closes. */
  leave(socket: WebSocket): Promise<void> {
    if (this.#closing.has(socket)) return Promise.resolve();
    this.#closing.add(socket);
    const { presence } = listenerOf(socket);
    if (presence === null) return Promise.resolve();
    // The others learn it from their next list, if this fails.
    return this.#inTurn(() => this.#announceLeft(socket, presence)).catch(() => {});
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
      await this.#announce(conversationId, { joined: [presence] });
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
      const valid = new Set(await this.#valid(presences));
      const ended = presences.filter((one) => !valid.has(one));
      await this.#keys.delete(ended);
      for (const [conversationId, those] of Map.groupBy(ended, (one) => one.conversationId))
        await this.#announce(conversationId, { left: those.map(({ presence }) => presence.id) });
    });
  }

  /** Those that are present besides the socket, or why it cannot be. */
  async #listReadable(
    principal: Principal,
    { conversation_id: conversationId, state }: SetPresence,
    socket: WebSocket,
  ): Promise<Presence[] | ApiError> {
    if (!(await this.#hub.mayRead(principal, conversationId)))
      return new ApiError("not_found", "There is no such conversation.");
    const others = await this.#list(conversationId, principal.organizationId, socket);
    return state === null || others.length < PRESENCES_MAX ? others : tooMany();
  }

  async #list(conversationId: string, organizationId: string, except?: WebSocket): Promise<Presence[]> {
    const keys = await this.#valid(await this.#keys.listIn(conversationId, this.#hub.runtime.nowMs()));
    const sockets = this.#socketsIn(conversationId).filter((socket) => socket !== except);
    const valid = await this.#hub.validKeys(
      organizationId,
      sockets.map((socket) => listenerOf(socket).principal.keyId),
    );
    const present = sockets
      .filter((socket) => isOpen(socket) && valid.has(listenerOf(socket).principal.keyId))
      .flatMap((socket) => toPresences(socket, listenerOf(socket).presence));
    return [...keys.map(({ presence }) => presence), ...present].sort(bySince);
  }

  /** Those that have not expired and whose key is valid. */
  async #valid(presences: KeyPresence[]): Promise<KeyPresence[]> {
    const [first] = presences;
    if (first === undefined) return [];
    const keyIds = presences.map(({ presence }) => presence.key_id);
    const valid = await this.#hub.validKeys(first.organizationId, keyIds);
    const nowMs = this.#hub.runtime.nowMs();
    return presences.filter(({ presence, expiresAtMs }) => expiresAtMs > nowMs && valid.has(presence.key_id));
  }

  async #announceLeft(socket: WebSocket, { id, conversationId, state }: SocketPresence): Promise<void> {
    if (state !== null) await this.#announce(conversationId, { left: [id] }, socket);
  }

  async #announce(
    conversationId: string,
    { joined = [], left = [] }: Change,
    except?: WebSocket,
  ): Promise<void> {
    const { budget, runtime, state } = this.#hub;
    const sockets = this.#socketsIn(conversationId).filter((socket) => socket !== except);
    for (const socket of await this.#hub.withKey(sockets)) {
      const { presence, principal, ...listener } = listenerOf(socket);
      if (!isOpen(socket) || presence === null) continue;
      const hasMissed = !budget.isLeft(socket, state.getWebSocketAutoResponseTimestamp(socket));
      if (hasMissed !== presence.hasMissed)
        socket.serializeAttachment({ ...listener, principal, presence: { ...presence, hasMissed } });
      if (hasMissed) continue;
      const all = presence.hasMissed ? await this.#list(conversationId, principal.organizationId) : undefined;
      if (!isOpen(socket)) continue;
      send(socket, {
        type: "presence",
        conversation_id: conversationId,
        joined,
        left,
        ...(all && { all }),
      });
      budget.spend(socket, runtime.nowMs());
    }
  }

  #socketsIn(conversationId: string): WebSocket[] {
    return this.#hub.state
      .getWebSockets(LISTENER)
      .filter(
        (socket) =>
          isOpen(socket) &&
          !this.#closing.has(socket) &&
          listenerOf(socket).presence?.conversationId === conversationId,
      );
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
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

export const tooMany = (): ApiError =>
  new ApiError("unavailable", `At most ${PRESENCES_MAX} can be present in a conversation. Try again later.`, {
    retryAfterSeconds: 30,
  });
