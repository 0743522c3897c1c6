import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { startChild } from "../../../support/child.ts";
import { watchProportional } from "../../../support/memory.ts";
import { runProgram } from "../command/programs.ts";
import type { Round } from "./measure.ts";

const FOLDER = resolve(import.meta.dirname, "../../peers");
const PROGRAM = join(FOLDER, "measure.mjs");
const MEASURE_TIMEOUT_MS = 1_800_000;

export const PEERS = {
  mastra: { title: "Mastra memory on libsql", packages: ["@mastra/memory", "@mastra/libsql"], job: "memory" },
  mem0: { title: "mem0 OSS, `infer: false`", packages: ["mem0ai"], builds: "better-sqlite3", job: "memory" },
  lancedb: { title: "LanceDB", packages: ["@lancedb/lancedb"], job: "vectors" },
  chroma: { title: "Chroma, `chroma run`", packages: ["chromadb"], job: "vectors" },
} as const satisfies Record<string, Peer>;
export type PeerName = keyof typeof PEERS;

export const isPeer = (name: string): name is PeerName => Object.hasOwn(PEERS, name);

interface Peer {
  title: string;
  packages: readonly string[];
  /** A package that has to be compiled or downloaded as a binary. */
  builds?: string;
  /** Whether it is a memory like Engram or stores and finds vectors only. */
  job: "memory" | "vectors";
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

/** Versions of a peer's packages, as `name version`. */
export function peerVersions(name: PeerName): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(FOLDER, name, "package.json"), "utf8"));
  return PEERS[name].packages.map((dependency) => `${dependency} ${dependencies[dependency]}`);
}

/** Install a peer's packages, unless they are installed. @throws {Error} with the reason. */
export async function installPeer(name: PeerName): Promise<void> {
  const { builds }: Peer = PEERS[name];
  await installPackages(join(FOLDER, name), builds);
}

/**
 * Install what a folder's `package.json` lists, unless it is installed. @throws {Error} with the reason.
 *
 * @param builds A package whose own install script has to run.
 */
export async function installPackages(folder: string, builds?: string): Promise<void> {
  const stamp = join(folder, "node_modules/.engram-installed");
  const wanted = createHash("sha256")
    .update(readFileSync(join(folder, "package.json")))
    .update(process.version)
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  // Only the script of the named package runs.
  await npm(folder, "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund");
  if (builds !== undefined) await npm(folder, "rebuild", builds);
  writeFileSync(stamp, wanted);
}

/**
 * Measure one round of a peer in a separate process. @throws {Error} with the reason when it cannot be
 * measured.
 */
export async function measurePeer(
  name: PeerName,
  { messages, singles, queries, warmUps }: Sizes,
  { onStart }: { onStart(stop: () => Promise<void>): void },
  progress: (text: string) => void,
): Promise<MeasuredRound> {
  const directory = await mkdtemp(join(tmpdir(), "engram-speed-"));
  const sizes = [messages, singles, queries, warmUps].map(String);
  const child = startChild(PROGRAM, [directory, name, ...sizes]);
  const stop = async () => {
    await child.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  onStart(stop);
  const watch = watchProportional(child.pid);
  const timer = setTimeout(() => void child.stop(), MEASURE_TIMEOUT_MS);
  try {
    for (;;) {
      const message = (await child.receive()) as { progress: string } | { round: Round };
      if ("round" in message) return { ...message.round, memoryBytes: watch.stop() };
      progress(message.progress);
    }
  } finally {
    clearTimeout(timer);
    watch.stop();
    await stop();
  }
}

/** Run npm under this Node version. @throws {Error} with the end of its output. */
async function npm(folder: string, ...args: string[]): Promise<void> {
  const { npm_execpath: path = "" } = process.env;
  const isNpm = basename(path) === "npm-cli.js";
  const headers = resolve(dirname(process.execPath), "..");
  await runProgram(isNpm ? process.execPath : "npm", isNpm ? [path, ...args] : args, {
    cwd: folder,
    shell: !isNpm && process.platform === "win32",
    env: {
      ...process.env,
      // The pinned Node comes with the headers for compiling.
      ...(existsSync(join(headers, "include/node")) ? { npm_config_nodedir: headers } : {}),
    },
  });
}
