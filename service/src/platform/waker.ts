import type { Runtime } from "./runtime.ts";

/**
 * Header of a request for a socket to the hub, over which the hub sends an empty message for every change. Its value is
 * JSON: null, or which broadcasts the hub sends too.
 */
export const WAKER_HEADER = "x-engram-waker";

/** Pause between two looks at the log without a socket to the hub. */
const LOOK_MS = 1_000;
/** The first pause with one: an isolate that writes may not know yet that the organization has a listener. */
const FIRST_LOOK_MS = 2_000;
/** Later pauses with one. A change ends a pause early, so this is only for a message of the hub that was lost. */
const LATER_LOOK_MS = 10_000;
/** Shortest time between two looks, so that frequent changes do not mean as many reads. */
const SHORTEST_MS = 200;

/** The pauses of one request that waits for changes of an organization. */
export class Waker {
  readonly #runtime: Runtime;
  #socket: WebSocket | null;
  #changed = Promise.withResolvers<void>();
  #pauseMs = FIRST_LOOK_MS;
  #lookedMs: number;
  #broadcasts: string[] = [];

  /** @param socket to the hub, which sends a message for every change. Null if there is none. */
  constructor(runtime: Runtime, socket: WebSocket | null) {
    this.#runtime = runtime;
    this.#socket = socket;
    this.#lookedMs = runtime.nowMs();
    socket?.addEventListener("message", ({ data }) => {
      if (typeof data === "string" && data !== "") this.#broadcasts.push(data);
      this.#changed.resolve();
    });
    socket?.addEventListener("close", () => {
      this.#socket = null;
      this.#changed.resolve();
    });
    socket?.accept();
  }

  /** Ends when something may have changed since the last pause, and after `mostMs` in any case. */
  async pause(mostMs: number): Promise<void> {
    const untilMs = this.#lookedMs + SHORTEST_MS;
    const pauseMs = this.#socket === null ? LOOK_MS : this.#pauseMs;
    await Promise.race([this.#runtime.pause(Math.min(pauseMs, mostMs)), this.#changed.promise]);
    this.#changed = Promise.withResolvers();
    const nowMs = this.#runtime.nowMs();
    if (nowMs < untilMs) await this.#runtime.pause(untilMs - nowMs);
    this.#lookedMs = this.#runtime.nowMs();
    this.#pauseMs = LATER_LOOK_MS;
  }

  /** The broadcasts since the last call, as JSON texts. The hub sends a limited number until the next call. */
  takeBroadcasts(): string[] {
    const taken = this.#broadcasts;
    this.#broadcasts = [];
    if (taken.length > 0) this.#socket?.send("");
    return taken;
  }

  close(): void {
    this.#socket?.close(1000);
    this.#socket = null;
  }
}
