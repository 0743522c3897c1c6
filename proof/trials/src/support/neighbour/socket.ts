const WAIT_MS = 20_000;

interface Frame {
  type: string;
  id?: string;
  events?: object[];
}

/** A socket of events, and all frames that arrived. */
export class EventSocket {
  readonly frames: Frame[] = [];
  /** Code and reason of its end. */
  closed: string | null = null;
  readonly #socket: WebSocket;
  #arrived = Promise.withResolvers<void>();

  constructor(url: string, key: string) {
    // Node's WebSocket sends headers, which browsers do not.
    const options = { protocols: ["engram.v1"], headers: { authorization: `Bearer ${key}` } } as never;
    this.#socket = new WebSocket(`${url.replace("http", "ws")}/v1/events/socket`, options);
    this.#socket.onmessage = ({ data }) => this.#take(() => this.frames.push(JSON.parse(data)));
    this.#socket.onclose = ({ code, reason }) => this.#take(() => (this.closed = `${code} ${reason}`));
  }

  /** Sends frames when the socket is open. */
  async send(...frames: object[]): Promise<void> {
    if (this.#socket.readyState === WebSocket.CONNECTING)
      await new Promise((resolve) => {
        this.#socket.onopen = resolve;
      });
    for (const frame of frames) this.#socket.send(JSON.stringify(frame));
  }

  /** @throws {Error} When it does not become true in time. */
  async until(isSo: (socket: this) => boolean, what: string): Promise<void> {
    const timer = setTimeout(() => this.#arrived.reject(new Error(`No ${what} came.`)), WAIT_MS);
    while (!isSo(this)) await this.#arrived.promise;
    clearTimeout(timer);
  }

  eventsOf(id: string): object[] {
    return this.frames.flatMap((frame) => (frame.id === id ? (frame.events ?? []) : []));
  }

  close(): void {
    this.#socket.close();
  }

  #take(change: () => void): void {
    change();
    const arrived = this.#arrived;
    this.#arrived = Promise.withResolvers();
    arrived.resolve();
  }
}
