const WAIT_MS = 20_000;
const PROTOCOL = "engram.v1";

export interface Frame {
  type: string;
  id?: string;
  conversation_id?: string;
  events?: { id: string; type: string; conversation_id: string | null }[];
  problem?: object;
  joined?: object[];
  all?: object[];
}

/** A socket of a tenant, and all frames that came. */
export class TenantSocket {
  readonly frames: Frame[] = [];
  /** Code and reason of its end. */
  closed: string | null = null;
  readonly #socket: WebSocket;
  #arrived = Promise.withResolvers<void>();

  /** Node's WebSocket sends headers, which browsers do not. */
  static byKey = (url: string, secret: string): TenantSocket =>
    new TenantSocket(url, { protocols: [PROTOCOL], headers: { authorization: `Bearer ${secret}` } } as never);

  static byTicket = (url: string, ticket: string): TenantSocket =>
    new TenantSocket(url, [PROTOCOL, `engram.ticket.${ticket}`]);

  private constructor(url: string, protocols: string[]) {
    this.#socket = new WebSocket(`${url.replace("http", "ws")}/v1/events/socket`, protocols);
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

  eventsOf(id: string) {
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
