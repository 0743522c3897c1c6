import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What an endpoint was sent. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  model: string;
  input: string[];
  /** All that was posted. */
  body: Record<string, unknown>;
}

/** How an endpoint answers a call; it may answer nothing. */
export type Answer = (received: Received, response: ServerResponse) => void;

/** An endpoint for tests, which serves `/v1/embeddings` unless a test sets another answer. */
export interface EndpointServer {
  /** Its address without a path. */
  url: string;
  /** Every call, the first one first. */
  received: Received[];
  /** Answers in this way from now on. */
  answer: Answer;
  /** Cuts every connection and frees the port; may be called twice. */
  close(): Promise<void>;
}

/** Listen on a free port, or on one that was free before. */
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

/** Answers every text with a vector that its words alone make: texts that share words are near each other. */
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

/** The vector that the endpoint makes of a text, not of length 1. */
export function embed(text: string, dimensions = 16): number[] {
  const sum = Array.from({ length: dimensions }, () => 0.01);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const place = createHash("sha256").update(word).digest().readUInt32LE() % dimensions;
    sum[place] = (sum[place] ?? 0) + 1;
  }
  return sum;
}
