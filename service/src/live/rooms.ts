import type { SocketPresence } from "./presences.ts";
import { attach, listenerOf } from "./sockets.ts";

/** The sockets in each conversation, kept in memory so that a change need not read the attachments of all sockets. */
export class Rooms {
  readonly #rooms = new Map<string, Set<WebSocket>>();
  readonly #presences = new Map<WebSocket, SocketPresence>();

  /** @param sockets the open sockets, whose attachments are read. */
  constructor(sockets: readonly WebSocket[]) {
    for (const socket of sockets) {
      const { presence } = listenerOf(socket);
      if (presence !== null) this.#add(socket, presence);
    }
  }

  in(conversationId: string): ReadonlySet<WebSocket> {
    return this.#rooms.get(conversationId) ?? new Set();
  }

  presenceOf(socket: WebSocket): SocketPresence | null {
    return this.#presences.get(socket) ?? null;
  }

  /** Stores the presence of a socket, also in its attachment. */
  set(socket: WebSocket, presence: SocketPresence): void {
    attach(socket, { ...listenerOf(socket), presence });
    this.delete(socket);
    this.#add(socket, presence);
  }

  /** Removes the presence of an open socket, also from its attachment. */
  remove(socket: WebSocket): void {
    attach(socket, { ...listenerOf(socket), presence: null });
    this.delete(socket);
  }

  delete(socket: WebSocket): void {
    const { conversationId = "" } = this.#presences.get(socket) ?? {};
    const room = this.#rooms.get(conversationId);
    room?.delete(socket);
    if (room?.size === 0) this.#rooms.delete(conversationId);
    this.#presences.delete(socket);
  }

  #add(socket: WebSocket, presence: SocketPresence): void {
    const room = this.#rooms.get(presence.conversationId) ?? new Set<WebSocket>();
    this.#rooms.set(presence.conversationId, room.add(socket));
    this.#presences.set(socket, presence);
  }
}
