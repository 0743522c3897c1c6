import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Engram } from "@engram/sdk";
import { watchResident } from "../../support/memory.ts";
import { createRandom } from "../../support/random.ts";
import { whatIsCorrupt } from "./support/files.ts";
import { fillConversations, fillMemories } from "./support/filled.ts";
import {
  startTrialService,
  type TrialService,
  type TrialSettings,
  withDirectory,
  withService,
} from "./support/service.ts";
import { Findings, type Trial } from "./support/trial.ts";

const ENGRAM = join(import.meta.dirname, "../../../cli/src/engram.ts");
const MEGABYTE = 1_000_000;
/** Upper bound on the memory that an archive takes while it is written, whatever its size. */
const GROWTH_MAX = 60 * MEGABYTE;
/** A kill comes at most this long after a part was written: while the next one is read, compressed or stored. */
const KILL_WITHIN_MS = 1_500;
const POLL_MS = 20;
const WRITTEN_TIMEOUT_MS = 180_000;

export const archives: Trial = {
  name: "archives",
  promise:
    "An archive is complete however often the service is killed while it is written. It restores an empty service to an export with the same digest. Memory does not grow with its size.",
  counts: { of: "messages", long: 100_000, short: 20_000 },
  measures: true,
  run: ({ count, short, seed, place, progress }) =>
    withDirectory(async (directory) => {
      const findings = new Findings();
      const settings: TrialSettings = { switchable: true, cronIntervalMs: 500, place };
      const filling = { count, seed, progress: (text: string) => progress(`archives: ${text}`) };
      let service = await startWithoutVectors(join(directory, "data"), settings);
      try {
        await fillConversations(service, filling);
        await fillMemories(service, filling);
        const digest = await digestOf(service.client);

        progress("archives: writing one without kills");
        const memory = watchResident(service.pid);
        const startMs = performance.now();
        const { target_id: whole, id } = await service.client.archives.create();
        const before = memory.stop();
        const writing = watchResident(service.pid);
        await progressFrom(service, id, Number.POSITIVE_INFINITY);
        const growth = writing.stop() - before;
        findings.figure("archive written in, s", ((performance.now() - startMs) / 1_000).toFixed(1));
        findings.figure("memory that it took, MB", Math.round(growth / MEGABYTE));
        // The heap of a service that has served little grows to its size first.
        if (!short) findings.expect(!(growth > GROWTH_MAX), () => `Memory grew by ${growth} bytes.`);

        const random = createRandom(`${seed} kills`);
        const { target_id: killed, id: operationId } = await service.client.archives.create();
        let kills = 0;
        for (let done = 0; ; kills++) {
          progress(`archives: ${kills} kills, ${done} lines written`);
          const written = await progressFrom(service, operationId, done);
          if (written === null) break;
          done = written;
          await sleep(random.between(0, KILL_WITHIN_MS));
          await service.kill();
          const corrupt = await whatIsCorrupt(join(directory, "data"));
          findings.expect(corrupt.length === 0, () => `After kill ${kills}: ${corrupt.join("\n")}`);
          service = await startWithoutVectors(join(directory, "data"), settings);
        }
        findings.figure("kills", kills);
        findings.expect(kills > 1, () => "The archive was complete before it could be interrupted.");

        for (const archive of [whole, killed]) {
          progress(`archives: restoring ${archive}`);
          const files = join(directory, archive);
          findings.figure("downloaded", await engram(service, "archive", "get", archive, files));
          await engram(service, "archive", "verify", files);
          await withService({ ...settings }, async (empty) => {
            await empty.set({ ai: "3040" });
            const restoredMs = performance.now();
            await engram(empty, "archive", "restore", files);
            findings.figure("restored in, s", ((performance.now() - restoredMs) / 1_000).toFixed(1));
            const restored = await digestOf(empty.client);
            findings.expect(restored === digest, () => `${archive} restores other data.`);
          });
        }
        return findings;
      } finally {
        await service.stop();
      }
    }),
};

/** Vectors are not archived. Without them, time and memory are those of the archive alone. */
async function startWithoutVectors(dataDirectory: string, settings: TrialSettings): Promise<TrialService> {
  const service = await startTrialService(dataDirectory, settings);
  await service.set({ ai: "3040" });
  return service;
}

/** Resolves to the lines of a new archive once there are more than `done`, and to null when it is complete. */
async function progressFrom(
  { client }: TrialService,
  operationId: string,
  done: number,
): Promise<number | null> {
  const startMs = performance.now();
  for (;;) {
    const operation = await client.operations.get(operationId);
    if (operation.status === "succeeded") return null;
    if (operation.type !== "create_archive") throw new Error(`${operationId} is of type ${operation.type}`);
    if (operation.progress.done > done) return operation.progress.done;
    if (performance.now() - startMs > WRITTEN_TIMEOUT_MS)
      throw new Error(`The archive made no progress after ${done} lines: ${JSON.stringify(operation)}`);
    await sleep(POLL_MS);
  }
}

async function digestOf(client: Engram): Promise<string> {
  const hash = createHash("sha256");
  for await (const line of client.export()) hash.update(`${JSON.stringify(line)}\n`);
  return hash.digest("hex");
}

/** Runs the command line against a service, and returns its first line. @throws {Error} If it fails. */
async function engram({ url, key }: TrialService, ...args: string[]): Promise<string> {
  const env = { ...process.env, ENGRAM_URL: url, ENGRAM_API_KEY: key };
  const { stdout } = await promisify(execFile)(process.execPath, [ENGRAM, ...args], { env });
  return stdout.split("\n")[0] ?? "";
}
