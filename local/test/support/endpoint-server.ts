import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that an endpoint received. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  model: string;
  input: string[];
  /** The whole body. */
  body: Record<string, unknown>;
}

/** How an endpoint responds to a call. It may not respond at all. */
export type Answer = (received: Received, response: ServerResponse) => void;

/** An endpoint for tests, which serves `/v1/embeddings` unless a test sets another answer. */
export interface EndpointServer {
  /** Its URL without a path. */
  url: string;
  /** All calls in order. */
  received: Received[];
  /** Sets the response from now on. */
  answer: Answer;
  /** Closes every connection and frees the port. May be called twice. */
  close(): Promise<void>;
}

/** Listens on a free port, or on a port that was free before. */
export async function openEndpoint(answer: Answer = answerVectors(), port = 0): Promise<EndpointServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}");
    const { model, input } = body;
    const received = { path: request.url ?? "", headers: request.headers, model, input, body };
    endpoint.received.push(received);
    endpoint.answer(received, response);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const endpoint: EndpointServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer,
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return endpoint;
}

/** Returns vectors that depend only on the words of each text. Texts with the same words are near each other. */
export function answerVectors(dimensions = 16): Answer {
  return ({ model, input }, response) => {
    const data = input.map((text, index) => ({
      object: "embedding",
      index,
      embedding: embed(text, dimensions),
    }));
    answerJson(response, 200, { object: "list", data, model });
  };
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** The endpoint's vector of a text, not normalized. */
export function embed(text: string, dimensions = 16): number[] {
  const sum = Array.from({ length: dimensions }, () => 0.01);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const place = createHash("sha256").update(word).digest().readUInt32LE() % dimensions;
    sum[place] = (sum[place] ?? 0) + 1;
  }
  return sum;
}
