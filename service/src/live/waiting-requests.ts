import type { EventPage } from "@engram/spec";
import { ApiError } from "../errors.ts";
import { PART_START } from "../platform/waker.ts";
import { attach, waitingOf } from "./sockets.ts";
import type { Reading, Waiting } from "./subscriptions.ts";

/**
 * Requests that wait for events, each over a socket of its own.
 *
 * The attachment of a socket holds the position that its request last asked from. What happens to it after that is kept
 * only here: once the hub has hibernated, a request may get a part again, of which it takes nothing twice.
 */
export class WaitingRequests {
  readonly #waiting = new WeakMap<WebSocket, Waiting>();
  /** The JSON of pages, which is the same for all their readers. */
  readonly #texts = new WeakMap<EventPage, string>();

  /** The request waits for the events after this position. */
  ask(socket: WebSocket, after: number): void {
    const waiting = this.#of(socket);
    if (waiting === null) return;
    const asking = { ...waiting, asked: { from: after, read: after } };
    this.#waiting.set(socket, asking);
    attach(socket, asking);
  }

  /** Null unless the request waits for events. */
  readingOf(socket: WebSocket): Reading | null {
    const waiting = this.#of(socket);
    if (waiting === null || waiting.asked === null) return null;
    const { principal, filter, limit, asked } = waiting;
    return { principal, filter, after: asked.read, limit };
  }

  /**
   * Those of the requests that share no reading with another one. They read the log themselves, so that the hub does not
   * become slow where each has a key or filter of its own.
   */
  alone(sockets: WebSocket[]): WebSocket[] {
    const names = sockets.map((socket) => JSON.stringify(this.readingOf(socket)));
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return sockets.filter((_, i) => names[i] === "null" || counts.get(names[i] ?? "") === 1);
  }

  /**
   * Sends what was read to a request that still waits for it. After an error, the request reads the log itself.
   *
   * @returns whether the log is to be read again for the request.
   */
  answer(socket: WebSocket, { after }: Reading, page: EventPage | ApiError): boolean {
    const waiting = this.#of(socket);
    if (waiting === null || waiting.asked === null) return false;
    const { asked } = waiting;
    if (page instanceof ApiError) {
      socket.send("");
      return false;
    }
    // The request has asked from another position while the log was read.
    if (asked.read !== after) return true;
    const isEmpty = page.items.length === 0;
    this.#waiting.set(socket, { ...waiting, asked: isEmpty ? { ...asked, read: page.after } : null });
    if (!isEmpty) socket.send(`${PART_START}${asked.from},"page":${this.#textOf(page)}}`);
    return isEmpty && !page.caught_up;
  }

  #of(socket: WebSocket): Waiting | null {
    const waiting = this.#waiting.get(socket) ?? waitingOf(socket);
    if (waiting !== null) this.#waiting.set(socket, waiting);
    return waiting;
  }

  #textOf(page: EventPage): string {
    const text = this.#texts.get(page) ?? JSON.stringify(page);
    this.#texts.set(page, text);
    return text;
  }
}
