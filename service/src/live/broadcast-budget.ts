import { SOCKET_BROADCASTS_MAX } from "@engram/spec";

/**
 * Limits the broadcasts to a client that sends nothing. Broadcasts are not acknowledged, and those that a client does
 * not read stay in memory.
 */
export class BroadcastBudget {
  readonly #spent = new WeakMap<WebSocket, { count: number; sinceMs: number }>();

  /** @param pingedAt when the runtime last answered a `ping` of the socket. */
  isLeft(socket: WebSocket, pingedAt: Date | null): boolean {
    const spent = this.#spent.get(socket);
    if (spent === undefined || (pingedAt !== null && pingedAt.getTime() > spent.sinceMs)) {
      this.renew(socket);
      return true;
    }
    return spent.count < SOCKET_BROADCASTS_MAX;
  }

  spend(socket: WebSocket, nowMs: number): void {
    const { count, sinceMs } = this.#spent.get(socket) ?? { count: 0, sinceMs: nowMs };
    this.#spent.set(socket, { count: count + 1, sinceMs });
  }

  renew(socket: WebSocket): void {
    this.#spent.delete(socket);
  }
}
