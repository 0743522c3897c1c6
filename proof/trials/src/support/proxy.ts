import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * The proxy's handling of a request. `pass`: forward it. `before`: disconnect the client before forwarding.
 * `answered`: disconnect after the service has responded, before any of the response is sent. `amid`:
 * disconnect in the middle of the response. `twice`: forward it twice, as a network may, and return the
 * second response.
 */
export type Fault = "pass" | "before" | "answered" | "amid" | "twice";

/** A proxy on loopback that breaks connections. */
export interface CuttingProxy {
  url: string;
  counts: Record<Fault, number>;
  close(): Promise<void>;
}

/** Serve the proxy for `target` on a free port. `decide` returns the fault of each request. */
export async function openProxy(target: string, decide: () => Fault): Promise<CuttingProxy> {
  const counts: CuttingProxy["counts"] = { pass: 0, before: 0, answered: 0, amid: 0, twice: 0 };
  const server = createServer((incoming, outgoing) => {
    const fault = decide();
    counts[fault] += 1;
    serve(target, fault, incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function serve(
  target: string,
  fault: Fault,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body = await buffer(incoming);
  if (fault === "before") return void incoming.socket.destroy();
  const { method, url = "/", headers } = incoming;
  const send = () => forward(new URL(url, target), { method, headers: headersFor(target, headers) }, body);
  if (fault === "twice") await send();
  const answer = await send();
  if (fault === "answered") return void incoming.socket.destroy();
  outgoing.writeHead(answer.status, answer.headers);
  if (fault !== "amid") return void outgoing.end(answer.body);
  const half = answer.body.subarray(0, answer.body.length >> 1);
  outgoing.write(half, () => incoming.socket.destroy());
}

/** Unchanged except for the host, which must be the service's. */
function headersFor(target: string, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return { ...headers, host: new URL(target).host };
}

interface Forwarded {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Resolves to the complete response, with its length instead of chunked encoding. */
async function forward(url: URL, options: RequestOptions, body: Buffer): Promise<Forwarded> {
  const sent = request(url, options);
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const { "transfer-encoding": _, ...headers } = response.headers;
  const answer = await buffer(response);
  return {
    status: response.statusCode ?? 502,
    headers: { ...headers, "content-length": String(answer.length) },
    body: answer,
  };
}
