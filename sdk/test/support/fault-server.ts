import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { Engram, type EngramOptions } from "../../src/index.ts";

/** The server's handling of one request. */
export type Behaviour = (response: ServerResponse) => void;

/** A request as the server received it. */
export interface Attempt {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A response with a JSON body. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };

/** A problem as Engram returns it. */
export const problem = (status: number, code: string, headers: Record<string, string> = {}): Behaviour =>
  json(
    status,
    {
      type: `https://engram.dev/problems/${code}`,
      title: code,
      status,
      code,
      detail: code,
      request_id: "req_1",
    },
    { "content-type": "application/problem+json", ...headers },
  );

/** A response of a proxy or another program. */
export const html =
  (status: number): Behaviour =>
  (response) => {
    response.writeHead(status, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
  };

/** Closes the connection without a byte. */
export const reset: Behaviour = (response) => {
  response.socket?.resetAndDestroy();
};

/** Keeps the connection open without a byte. */
export const silence: Behaviour = () => {};

/** Half a response, then `after`. */
const half =
  (after: Behaviour): Behaviour =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write('{"id":', () => after(response));
  };
export const cutOff: Behaviour = half(reset);
export const stall: Behaviour = half(silence);

/** A loopback server that handles requests with these behaviours in turn, then with the last. */
export async function serve(...behaviours: [Behaviour, ...Behaviour[]]) {
  const attempts: Attempt[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const behaviour = behaviours[attempts.length] ?? behaviours.at(-1);
    const attempt = { method, url, headers, body: "" };
    attempts.push(attempt);
    attempt.body = await text(request);
    behaviour?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = (options: Partial<EngramOptions> = {}) =>
    new Engram({ apiKey: "engram_sk_live_test", baseUrl, ...options });
  return { attempts, baseUrl, client };
}

/** The error with which a promise rejects. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not reject");
}
