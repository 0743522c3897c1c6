import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy that adds a key or an access token, so that clients need none. */
export interface KeyProxy {
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves, on a free port of this machine, the service at `target`, with a key or an access token added to every request.
 *
 * In a request with the proxy's own Host, the target's is used. Any other Host or Origin is unchanged, so that the
 * target can reject it.
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
