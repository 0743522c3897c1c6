import type { Runtime } from "./runtime.ts";

/**
 * Header of a request for a socket to the hub, over which the hub sends an empty message for every change. Its value is
 * JSON: null, or which events and broadcasts the hub sends too.
 */
export const WAKER_HEADER = "x-engram-waker";

/** Start of a message with events of the log. That of a broadcast starts in another way. */
export const PART_START = '{"from":';

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
  #message = Promise.withResolvers<void>();
  /** Whether something may have changed since the last look. */
  #isChanged: boolean;
  /** Whether the hub may answer with events now. */
  #isAsking = false;
  #part: string | null = null;
  #pauseMs = FIRST_LOOK_MS;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #broadcasts: string[] = [];

  /**
   * @param socket to the hub, which sends a message for every change. Null if there is none.
   * @param isChanged whether something may have changed before the socket was open.
   */
  constructor(runtime: Runtime, socket: WebSocket | null, isChanged: boolean) {
    this.#runtime = runtime;
    this.#socket = socket;
    this.#isChanged = isChanged;
    socket?.addEventListener("message", ({ data }) => this.#take(String(data)));
    socket?.addEventListener("close", () => {
      this.#socket = null;
      this.#take("");
    });
    socket?.accept();
  }

  #take(data: string): void {
    if (data === "") this.#isChanged = true;
    else if (!data.startsWith(PART_START)) this.#broadcasts.push(data);
    // Events that are read later could be older than the end of the key.
    else if (this.#isAsking) this.#part = data;
    else this.#isChanged = true;
    this.#message.resolve();
  }

  /**
   * Ends when something may have changed since the last pause, and after `mostMs` in any case.
   *
   * @param after the position up to which the request has read the log. The hub then reads on for all requests that read
   *   the same, once.
   * @returns what the hub read, as JSON; null if the request has to look itself.
   */
  async pause(mostMs: number, after: number | null = null): Promise<string | null> {
    const startMs = this.#runtime.nowMs();
    const earlyMs = Math.min(this.#lookedMs + SHORTEST_MS - startMs, mostMs);
    if (this.#socket !== null && earlyMs > 0) await this.#runtime.pause(earlyMs);
    this.#message = Promise.withResolvers();
    const isAsking = after !== null && this.#socket !== null;
    if (this.#broadcasts.length === 0 && (isAsking || !this.#isChanged)) {
      this.#isAsking = isAsking;
      if (isAsking) this.#socket?.send(JSON.stringify({ after, isDue: this.#isChanged }));
      this.#isChanged = false;
      const pauseMs = Math.min(this.#socket === null ? LOOK_MS : this.#pauseMs, mostMs);
      const leftMs = pauseMs - (this.#runtime.nowMs() - startMs);
      await Promise.race([this.#runtime.pause(leftMs), this.#message.promise]);
    }
    const part = this.#part;
    this.#part = null;
    this.#isAsking = false;
    // With a part, a change may have come after it.
    if (part === null) this.#isChanged = false;
    this.#pauseMs = LATER_LOOK_MS;
    this.#lookedMs = this.#runtime.nowMs();
    return part;
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
