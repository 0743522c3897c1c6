import { join } from "node:path";
import { ChromaClient } from "chromadb";
import { freePort, HOST, startServer } from "../server.mjs";

const COMMAND = join(import.meta.dirname, "node_modules/chromadb/dist/cli.mjs");

/** Collections of a Chroma server, started as `chroma run`, with cosine distance. */
export async function createStores(directory, embedder, found) {
  const client = await startChroma(directory);
  const embeddingFunction = {
    name: "engram",
    generate: async (texts) => texts.map((text) => [...embedder.embed(text)]),
    getConfig: () => ({}),
    defaultSpace: () => "cosine",
  };
  return async (name) => {
    const configuration = { hnsw: { space: "cosine" } };
    const collection = await client.createCollection({ name, embeddingFunction, configuration });
    return {
      append: (talk, lines) =>
        collection.add({
          ids: lines.map(({ place }) => String(place)),
          documents: lines.map(({ content }) => content),
          metadatas: lines.map(({ role, name, createdAtMs }) => ({ talk: talk.id, role, name, createdAtMs })),
        }),
      async settle() {},
      searches: {
        semantic: async (query) => {
          const { ids } = await collection.query({ queryTexts: [query], nResults: found });
          return ids[0].map(Number);
        },
      },
      async close() {},
    };
  };
}

/** @returns A client of a server that listens. */
async function startChroma(directory) {
  const port = await freePort();
  const client = new ChromaClient({ host: HOST, port });
  const args = [COMMAND, "run", "--path", join(directory, "chroma"), "--host", HOST, "--port", String(port)];
  await startServer(process.execPath, args, () => client.heartbeat());
  return client;
}
