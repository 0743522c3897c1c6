import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRandom } from "../../../support/random.ts";
import { openEmbedder } from "../speed/embedder.ts";

export const OTHER_MODEL = "projected";
export const OTHER_DIMENSIONS = 128;

/** A model other than the built-in one, served as `/v1/embeddings` on this machine. */
export interface Endpoint {
  url: string;
  close(): Promise<void>;
}

export async function openEndpoint(): Promise<Endpoint> {
  const embed = otherEmbedder();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: embed(text) }));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ object: "list", model: OTHER_MODEL, data }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/**
 * A cheap model with different vectors: the built-in vectors in a random projection to half as many
 * dimensions, which keeps their angles with an error of about 0.1.
 */
export function otherEmbedder(): (text: string) => number[] {
  const { embed, dimensions } = openEmbedder();
  const { next } = createRandom("another model");
  // The Box-Muller transform from uniform to normal numbers.
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const rows = Array.from({ length: OTHER_DIMENSIONS }, () => Array.from({ length: dimensions }, normal));
  return (text) => {
    const vector = embed(text);
    return rows.map((row) => row.reduce((sum, weight, i) => sum + weight * (vector[i] ?? 0), 0));
  };
}
