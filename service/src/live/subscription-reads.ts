import { SOCKET_SUBSCRIPTIONS_MAX } from "@engram/spec";

/** A client that changes a subscription again and again makes the hub read the log once in this time. */
const READ_MS = 1_000;

/**
 * When the log may be read for subscriptions that their clients began or changed: once a second for each id, and as often
 * for a socket as it may have subscriptions.
 */
export class SubscriptionReads {
  /** The last read for each id, which may be due in future. */
  readonly #readMs = new WeakMap<WebSocket, Map<string, number>>();

  /** Plans the read for a change. */
  plan(socket: WebSocket, id: string, nowMs: number): void {
    const reads = this.#readMs.get(socket) ?? new Map<string, number>();
    this.#readMs.set(socket, reads);
    for (const [of, ms] of reads) if (ms + READ_MS <= nowMs) reads.delete(of);
    const last = reads.get(id);
    if (last !== undefined && last > nowMs) return;
    const before = last ?? (reads.size < SOCKET_SUBSCRIPTIONS_MAX ? undefined : Math.min(...reads.values()));
    reads.set(id, before === undefined ? nowMs : before + READ_MS);
  }

  /** From when on the log may be read for a subscription. */
  timeOf(socket: WebSocket, id: string): number {
    return this.#readMs.get(socket)?.get(id) ?? 0;
  }
}
