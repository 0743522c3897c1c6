import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Passes the bytes of connections to a service that may be replaced by one on another port. */
export class Relay {
  /** Port of the service. */
  target: number;
  readonly #server = createServer((client) => this.#pass(client));
  readonly #clients = new Set<Socket>();

  private constructor(target: number) {
    this.target = target;
  }

  static async open(target: number): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen(0, "127.0.0.1");
    await once(relay.#server, "listening");
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts all connections, wherever their bytes are. */
  cut(): void {
    for (const client of this.#clients) client.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #pass(client: Socket): void {
    const service = connect(this.target, "127.0.0.1");
    this.#clients.add(client);
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      from.on("error", () => {});
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
    client.on("close", () => this.#clients.delete(client));
  }
}
