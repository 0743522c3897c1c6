import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import { createRandom } from "../../support/random.ts";
import { checkConversation, checkMemories } from "./support/checks.ts";
import { compareVectors, whatIsCorrupt } from "./support/files.ts";
import type { Ledger } from "./support/ledger.ts";
import { startLoad } from "./support/load.ts";
import type { MemoryLedger } from "./support/memory-ledger.ts";
import { SHORT_TIMES } from "./support/served/times.ts";
import { startTrialService, type TrialService, withDirectory } from "./support/service.ts";
import { Findings, type Trial } from "./support/trial.ts";
import { until } from "./support/until.ts";

/** When the kill comes after the load has begun: during its first requests, or with many in progress. */
const KILL_FROM_MS = 20;
const KILL_TO_MS = 2_500;
/** More frequent than the sweeps of `npm start`, so that a kill often interrupts a sweep. */
const SETTINGS = { cronIntervalMs: 500, shortTimes: true };
/**
 * A killed indexing run keeps its lease on a conversation, and only then the deletions of its vectors are sent and
 * confirmed. The rest is for the work itself: hundreds of conversations may wait.
 */
const INDEXED_TIMEOUT_MS = SHORT_TIMES.indexLeaseMs + SHORT_TIMES.deleteConfirmMs + 60_000;
/** A cell sweeps once a minute: one sweep indexes, the next ones send deletions and see them confirmed. */
const CELL_SWEEPS_MS = 240_000;

export const crash: Trial = {
  name: "crash",
  promise:
    "After a SIGKILL at any moment, every acknowledged write is stored once, batches are complete or absent, deleted items stay deleted, the database passes its integrity check, and everything is indexed again.",
  counts: { of: "kills", long: 100, short: 5 },
  run: ({ count, seed, place, progress, idle }) =>
    withDirectory(async (directory) => {
      const dataDirectory = join(directory, "data");
      const findings = new Findings();
      const random = createRandom(`${seed} kills`);
      const ledgers: Ledger[] = [];
      const memoryLedgers: MemoryLedger[] = [];
      const sums = { messages: 0, memories: 0, deletions: 0, unanswered: 0, kept: 0 };
      const settings = { ...SETTINGS, place };
      let service = await startTrialService(dataDirectory, settings);
      try {
        for (let round = 1; round <= count; round++) {
          progress(`crash: ${round} of ${count} kills`);
          const load = await killUnderLoad(
            service,
            `round ${round}`,
            random.between(KILL_FROM_MS, KILL_TO_MS),
          );
          sums.messages += load.acknowledged.messages;
          sums.memories += load.acknowledged.memories;
          sums.deletions += load.acknowledged.deletions;
          const corrupt = await whatIsCorrupt(dataDirectory);
          findings.expect(corrupt.length === 0, () => `After kill ${round}: ${corrupt.join("\n")}`);
          service = await startTrialService(dataDirectory, settings);
          for (const ledger of load.ledgers) {
            const { broken, unanswered, kept } = await checkConversation(service.client, ledger);
            sums.unanswered += unanswered;
            sums.kept += kept;
            findings.expect(broken.length === 0, () => `After kill ${round}: ${broken.join("\n")}`);
          }
          const broken = await checkMemories(service.client, load.memories);
          findings.expect(broken.length === 0, () => `After kill ${round}: ${broken.join("\n")}`);
          ledgers.push(...load.ledgers);
          memoryLedgers.push(load.memories);
        }
        findings.figure("messages acknowledged", sums.messages);
        findings.figure("memories acknowledged", sums.memories);
        findings.figure("deletions acknowledged", sums.deletions);
        findings.figure(
          "appends without a response",
          `${sums.unanswered}, of which ${sums.kept} were committed`,
        );
        progress("crash: waiting until everything is indexed");
        await idle(() =>
          awaitIndex(service, INDEXED_TIMEOUT_MS + (place === "cell" ? CELL_SWEEPS_MS : 0), findings),
        );
        // Checked again, after sweeps and later kills.
        for (const ledger of ledgers) {
          const { broken } = await checkConversation(service.client, ledger);
          findings.expect(broken.length === 0, () => `In the end: ${broken.join("\n")}`);
        }
        for (const ledger of memoryLedgers) {
          const broken = await checkMemories(service.client, ledger);
          findings.expect(broken.length === 0, () => `In the end: ${broken.join("\n")}`);
        }
      } finally {
        await service.stop();
      }
      const { same, onlyChunks, onlyVectors } = compareVectors(dataDirectory);
      findings.figure("chunks with their vector", same);
      findings.expect(same > 0, () => "There are no vectors.");
      findings.expect(onlyChunks.length === 0, () => `Chunks without vector: ${onlyChunks.join(", ")}`);
      findings.expect(onlyVectors.length === 0, () => `Vectors without chunk: ${onlyVectors.join(", ")}`);
      return findings;
    }),
};

/** Kill the service this long after the writers have started. Resolves to the responses they had received. */
async function killUnderLoad(service: TrialService, name: string, afterMs: number) {
  let killed = false;
  const client = new Engram({ baseUrl: service.url, apiKey: service.key, maxRetries: 0 });
  const load = startLoad(client, name, () => killed);
  // A writer that fails before the kill ends the trial at once.
  await Promise.race([sleep(afterMs), load.ended]);
  killed = true;
  await service.kill();
  await load.ended;
  return load;
}

async function awaitIndex({ client }: TrialService, timeoutMs: number, findings: Findings): Promise<void> {
  const tookMs = await until(async () => {
    const { pending, deletions_pending } = await client.index.status();
    return pending === 0 && deletions_pending === 0;
  }, timeoutMs);
  const status = await client.index.status();
  findings.figure("seconds until everything was indexed", (tookMs / 1_000).toFixed(1));
  findings.expect(Number.isFinite(tookMs), () => `Not indexed in time: ${JSON.stringify(status)}`);
  findings.expect(status.failed === 0, () => `${status.failed} messages could not be indexed.`);
}
