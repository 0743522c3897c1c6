import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "../../../support/child.ts";
import { watchProportional } from "../../../support/memory.ts";
import { type InstallOptions, peerFolder } from "../command/packages.ts";
import type { AtOnce, AtOnceSizes } from "./at-once.ts";
import type { Round } from "./measure.ts";

const PROGRAM = join(peerFolder("."), "measure.mjs");
const MEASURE_TIMEOUT_MS = 1_800_000;
const IN_PROCESS = "in its caller's process";

export type PeerName = "mastra" | "mem0" | "lancedb" | "chroma" | "fts5" | "postgres";

export const PEERS: Record<PeerName, Peer> = {
  mastra: { title: "Mastra memory on libsql", job: "memory", called: IN_PROCESS },
  mem0: { title: "mem0 OSS, `infer: false`", builds: "better-sqlite3", job: "memory" },
  lancedb: { title: "LanceDB", job: "rows", called: IN_PROCESS },
  chroma: { title: "Chroma, `chroma run`", job: "rows", called: "over HTTP" },
  fts5: { title: "SQLite FTS5", job: "rows", called: `${IN_PROCESS}, synchronously` },
  postgres: {
    title: "Postgres with pgvector",
    withoutDependencies: true,
    job: "rows",
    called: "Postgres's protocol over TCP",
  },
};

export const isPeer = (name: string): name is PeerName => Object.hasOwn(PEERS, name);

interface Peer extends InstallOptions {
  title: string;
  /** Whether it is a memory like Engram or stores and finds rows only. */
  job: "memory" | "rows";
  /** How clients call it at once. Undefined for a system that is measured with one call at a time only. */
  called?: string;
}

export interface Sizes {
  messages: number;
  singles: number;
  queries: number;
  warmUps: number;
}

export interface MeasuredRound extends Round {
  memoryBytes: number;
}

interface RunOptions {
  onStart(stop: () => Promise<void>): void;
}

/** Measure one round of a peer, one call at a time. @throws {Error} with the reason when it cannot be measured. */
export async function measurePeer(
  name: PeerName,
  sizes: Sizes,
  options: RunOptions,
  progress: (text: string) => void,
): Promise<MeasuredRound> {
  const { round, memoryBytes } = await runPeer<Round>(
    [name, "one", JSON.stringify(sizes)],
    options,
    progress,
  );
  return { ...round, memoryBytes };
}

/** Measure a peer with several clients at once. @throws {Error} with the reason when it cannot be measured. */
export async function measurePeerAtOnce(
  name: PeerName,
  sizes: AtOnceSizes,
  options: RunOptions,
  progress: (text: string) => void,
): Promise<AtOnce> {
  return (await runPeer<AtOnce>([name, "at-once", JSON.stringify(sizes)], options, progress)).round;
}

/** Run the program that measures a peer, in a process and a directory of its own. */
async function runPeer<Figures>(
  args: string[],
  { onStart }: RunOptions,
  progress: (text: string) => void,
): Promise<{ round: Figures; memoryBytes: number }> {
  const directory = await mkdtemp(join(tmpdir(), "engram-speed-"));
  const child = startChild(PROGRAM, [directory, ...args]);
  const stop = async () => {
    await child.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  onStart(stop);
  const watch = watchProportional(child.pid);
  const timer = setTimeout(() => void child.stop(), MEASURE_TIMEOUT_MS);
  try {
    for (;;) {
      const message = (await child.receive()) as { progress: string } | { round: Figures };
      if ("round" in message) return { round: message.round, memoryBytes: watch.stop() };
      progress(message.progress);
    }
  } finally {
    clearTimeout(timer);
    watch.stop();
    await stop();
  }
}
