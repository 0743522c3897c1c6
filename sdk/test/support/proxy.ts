import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A connection through the proxy, and the first request on it. */
export interface Connection {
  /** For example `/v1/events/stream`. */
  path: string;
  isSocket: boolean;
  isOpen(): boolean;
  /** How many times the service has sent bytes. */
  answers(): number;
  kill(): void;
}

/** A TCP proxy in front of a service, which can refuse and cut connections. */
export async function startProxy(
  target: string,
  {
    refuses = () => false,
    bytesUntilCut = () => Number.POSITIVE_INFINITY,
  }: {
    /** Whether a new connection is closed before the service sees it. */
    refuses?: (connection: Connection) => boolean;
    /** Bytes from the service after which a connection is cut. */
    bytesUntilCut?: (connection: Connection) => number;
  } = {},
) {
  const connections: Connection[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => {}).on("close", () => sockets.delete(client));
    client.once("data", (head) => {
      const text = head.toString("latin1");
      let answers = 0;
      const connection: Connection = {
        path: /^[A-Z]+ ([^? ]+)/.exec(text)?.[1] ?? "",
        isSocket: /^upgrade: websocket/im.test(text),
        isOpen: () => !client.destroyed,
        answers: () => answers,
        kill: () => client.resetAndDestroy(),
      };
      connections.push(connection);
      if (refuses(connection)) {
        client.destroy();
        return;
      }
      const service = connect(Number(new URL(target).port), "127.0.0.1");
      service.on("error", () => client.destroy()).on("close", () => client.destroy());
      client.on("close", () => service.destroy());
      service.write(head);
      client.on("data", (data) => service.write(data));
      let left = bytesUntilCut(connection);
      service.on("data", (data: Buffer) => {
        answers++;
        client.write(data.subarray(0, left));
        left -= data.length;
        if (left < 0) client.destroy();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections };
}
