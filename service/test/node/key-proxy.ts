import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A way into a service that asks for no key. */
export interface KeyProxy {
  url: string;
  stop(): Promise<void>;
}

/**
 * Serve, on a free port of this machine, what stands at `target`, with a key added to every request.
 *
 * A request to this proxy by its own name reaches the target by the target's; any other Host or Origin
 * stays what it is, so that the target can refuse it.
 */
export async function startKeyProxy(target: string, key: string): Promise<KeyProxy> {
  const { host: targetHost, hostname, port } = new URL(target);
  const server: Server = createServer((incoming, outgoing) => {
    const own = new RegExp(`\\b(?:127\\.0\\.0\\.1|localhost):${ownPort(server)}$`);
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) =>
        name === "host" || name === "origin" ? [name, String(value).replace(own, targetHost)] : [name, value],
      ),
    );
    const { method, url: path } = incoming as IncomingMessage;
    const options = { hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${key}` } };
    const onward = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${ownPort(server)}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

const ownPort = (server: Server): number => (server.address() as AddressInfo).port;
