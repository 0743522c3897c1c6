import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ChromaClient } from "chromadb";

const HOST = "127.0.0.1";
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 100;
const COMMAND = join(import.meta.dirname, "node_modules/chromadb/dist/cli.mjs");

/** Collections of a Chroma server, started as `chroma run`, with cosine distance. */
export async function createStores(directory, embedder, found) {
  const client = new ChromaClient({ host: HOST, port: await startServer(directory) });
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

/** @returns The port that it listens on, once it does. */
async function startServer(directory) {
  const port = await freePort();
  const args = [COMMAND, "run", "--path", join(directory, "chroma"), "--host", HOST, "--port", String(port)];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  process.once("exit", () => server.kill());
  const client = new ChromaClient({ host: HOST, port });
  for (let waited = 0; waited < START_TIMEOUT_MS && server.exitCode === null; waited += POLL_MS) {
    try {
      await client.heartbeat();
      return port;
    } catch {
      await sleep(POLL_MS);
    }
  }
  throw new Error(`chroma run does not answer (exit code ${server.exitCode})`);
}

async function freePort() {
  const server = createServer().listen(0, HOST);
  await once(server, "listening");
  const { port } = server.address();
  await once(server.close(), "close");
  return port;
}
