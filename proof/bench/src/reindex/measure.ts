import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engram } from "@engram/sdk";
import type { Progress } from "../../../support/progress.ts";
import type { ServiceProcess } from "../../../support/service-process.ts";
import { type AskedQuestion, askQuestions } from "../recall/ask.ts";
import type { DialogueSet } from "../recall/dialogues.ts";
import { type Library, loadLibraries, toConversation } from "../recall/load.ts";
import { type Access, accessService, toMemory } from "../recall/memory.ts";
import { whenIndexed } from "../speed/engram.ts";
import { type Endpoint, openEndpoint } from "./endpoint.ts";
import { runReindex, startReindexService } from "./service.ts";

export const MODES = ["hybrid", "semantic"] as const;

/** In the order of measurement. */
export const PHASES = ["before", "changed", "half", "after", "fresh"] as const;
export type Phase = (typeof PHASES)[number];

/** Results of every question in a phase, by mode. */
export type Asked = Record<(typeof MODES)[number], AskedQuestion[]>;

export interface Measurement {
  phases: Record<Phase, Asked>;
  messages: number;
  conversations: number;
  /** Seconds that the command took for the second half. */
  reindexS: number;
}

/** Undoes one step. Runs even after a failure. */
type Cleanup = () => Promise<unknown>;

/**
 * Measure recall before, during and after a change of the model.
 *
 * Fills an organization with the built-in model and restarts the service with another one. Then it re-embeds
 * the first half of the conversations, and then all of them. Finally it fills an organization with that model
 * from the start. The questions run in every phase.
 *
 * @param signal Stops the measurement; everything that it started and stored is still cleaned up.
 */
export async function measureReindex(
  set: DialogueSet,
  progress: Progress,
  signal: AbortSignal,
): Promise<Measurement> {
  const cleanups: Cleanup[] = [];
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([measure(set, progress, cleanups), stopped]);
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

async function measure(set: DialogueSet, progress: Progress, cleanups: Cleanup[]): Promise<Measurement> {
  const endpoint = await openEndpoint();
  cleanups.push(endpoint.close);
  const directory = await mkdtemp(join(tmpdir(), "engram-reindex-"));
  cleanups.push(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const start = async (name: string, other?: Endpoint): Promise<ServiceProcess> => {
    progress("starting the service");
    const starting = startReindexService(join(directory, name), other);
    cleanups.push(async () => (await starting.catch(() => undefined))?.stop());
    return starting;
  };
  const questions = set.dialogues.flatMap((dialogue) => dialogue.questions);
  const ask = async (libraries: Map<string, Library>): Promise<Asked> => ({
    hybrid: await askQuestions(questions, libraries, "hybrid", progress),
    semantic: await askQuestions(questions, libraries, "semantic", progress),
  });

  const old = await start("changed");
  const stored = await load(old, set, progress);
  const before = await ask(stored);
  await old.stop();

  const service = await start("changed", endpoint);
  const client = clientOf(service);
  const memory = toMemory(service.url, service.key);
  const libraries = new Map([...stored].map(([id, library]) => [id, { ...library, memory }]));
  const changed = await ask(libraries);
  const ids = [...new Set([...stored.values()].flatMap(({ turns }) => [...turns.keys()]))];
  for (const conversation_id of ids.slice(0, ids.length / 2)) await client.index.repair({ conversation_id });
  await whenIndexed(client, (pending) => progress(`embedding one half again, ${pending} messages to go`));
  const half = await ask(libraries);
  progress("embedding everything again");
  const startedAtMs = performance.now();
  await runReindex(service);
  const reindexS = (performance.now() - startedAtMs) / 1_000;
  const after = await ask(libraries);
  const { messages } = await client.index.status();
  await service.stop();

  const fresh = await ask(await load(await start("fresh", endpoint), set, progress));
  return { phases: { before, changed, half, after, fresh }, messages, conversations: ids.length, reindexS };
}

const clientOf = ({ url, key }: ServiceProcess) => new Engram({ baseUrl: url, apiKey: key });

/** Store the set in one organization, with its conversations always in the same order, which breaks ties. */
async function load(
  { url, key }: ServiceProcess,
  set: DialogueSet,
  progress: Progress,
): Promise<Map<string, Library>> {
  const access = accessService({ url, key, adminToken: undefined });
  const ordered: Access = {
    ...access,
    async open(name) {
      const memory = await access.open(name);
      for (const session of set.dialogues.flatMap(({ sessions }) => sessions)) {
        await memory.conversations.create(toConversation(session));
      }
      return memory;
    },
  };
  return loadLibraries(ordered, "shared", set, progress);
}
