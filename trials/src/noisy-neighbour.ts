import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../../bench/src/chats/random.ts";
import { residentBytes, watchResident } from "../../bench/src/speed/resident.ts";
import { type Attacked, startAttacker } from "./support/neighbour/thread.ts";
import { createSentences } from "./support/sentences.ts";
import { withService } from "./support/service.ts";
import { sendAtPeak, WARM_UP_REQUESTS } from "./support/soak/arrivals.ts";
import { type Action, Mix } from "./support/soak/mix.ts";
import { quantile } from "./support/statistics.ts";
import { Findings, type Trial } from "./support/trial.ts";

const MEGABYTE = 1_000_000;
const WORST_MS_MAX = 1_000;
/** Relative to the victim's 99th percentile without the attacker. */
const WORST_FACTOR_MAX = 20;
const MEMORY_GROWTH_MAX = 250 * MEGABYTE;
/** Size of a body that is stored and indexed. One machine's embedder takes seconds for two megabytes. */
const BYTES = { short: 200_000, long: 1_700_000 };
const ATTACKS_AT_ONCE = 4;
/** Requests of ordinary use before anything is measured: heaps grow to their size with any load. */
const WARM_UP = { short: 800, long: WARM_UP_REQUESTS };
const PER_SECOND = 20;
/** Gives the garbage collector and the indexing time to run. */
const SETTLE_MS = 3_000;
const ACTIONS: Action[] = [
  "append 1",
  "search hybrid",
  "get",
  "list messages",
  "search keyword",
  "capture",
  "recall",
];

interface Served {
  action: Action;
  fromMs: number;
  ms: number;
  error: unknown;
}

export const noisyNeighbour: Trial = {
  name: "noisy-neighbour",
  promise:
    "Whatever one organization asks for within the limits, another is answered within a second, and the memory of the service stays bounded.",
  counts: { of: "rounds of all attacks", long: 5, short: 1 },
  measures: true,
  run: ({ count, short, seed, progress }) =>
    withService({}, async (service) => {
      const findings = new Findings();
      progress("noisy-neighbour: storing");
      const mix = new Mix(service.client, createRandom(`${seed} mix`), createSentences(`${seed} neighbour`));
      await mix.fill();
      const attacker = await startAttacker({
        url: service.url,
        adminToken: service.adminToken,
        rounds: count,
        concurrency: ATTACKS_AT_ONCE,
        hoards: short ? 1 : 10,
        bytes: short ? BYTES.short : BYTES.long,
      });
      try {
        progress("noisy-neighbour: warming up");
        await sendAtPeak(mix, (served) => served >= (short ? WARM_UP.short : WARM_UP.long));
        await sleep(SETTLE_MS);
        progress("noisy-neighbour: alone");
        const quiet = await serve(mix, after(short ? 8 : 60));
        const restBytes = residentBytes(service.pid);
        const memory = watchResident(service.pid);
        let isOver = false;
        let sent = 0;
        const attack = attacker
          .attack(({ name }) => {
            sent += 1;
            progress(`noisy-neighbour: ${sent} of ${count * attacker.attacks} attacks, ${name}`);
          })
          .finally(() => {
            isOver = true;
          });
        const [attacked, noisy] = await Promise.all([attack, serve(mix, () => isOver)]);
        judge(findings, { quiet, noisy, attacked, grownBytes: memory.stop() - restBytes });
        findings.figure("memory at rest", megabytes(restBytes));
        return findings;
      } finally {
        await attacker.stop();
      }
    }),
};

function judge(
  findings: Findings,
  found: { quiet: Served[]; noisy: Served[]; attacked: Attacked[]; grownBytes: number },
): void {
  const { quiet, noisy, attacked, grownBytes } = found;
  findings.figure("victim alone", describe(quiet));
  findings.figure("victim beside the attacker", describe(noisy));
  const slowest = noisy.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
  for (const served of slowest) {
    const beside = attacked
      .filter(({ fromMs, untilMs }) => fromMs < served.fromMs + served.ms && untilMs > served.fromMs)
      .map(({ name }) => name);
    findings.figure(`${served.action}, ${served.ms.toFixed(0)} ms`, beside.join(", ") || "beside nothing");
  }
  findings.figure("attacks", attacked.length);
  const longest = attacked.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, 5);
  findings.figure("longest attacks", longest.map((one) => `${one.name} ${lengthOf(one)} ms`).join(", "));
  findings.figure("memory above rest", megabytes(grownBytes));
  for (const { name, status, refusal } of attacked) {
    findings.expect(refusal === null, () => `${name} is not the request it should be: ${status} ${refusal}`);
  }
  for (const { action, error } of [...quiet, ...noisy]) {
    findings.expect(error === undefined, () => `The victim's ${action} failed: ${error}`);
  }
  const worst = Math.max(...noisy.map(({ ms }) => ms));
  const usual = quantile(
    quiet.map(({ ms }) => ms),
    0.99,
  );
  findings.expect(worst < WORST_MS_MAX, () => `The victim waited ${worst.toFixed(0)} ms.`);
  findings.expect(
    worst < WORST_FACTOR_MAX * usual,
    () => `The victim waited ${worst.toFixed(0)} ms, ${(worst / usual).toFixed(0)} times its quiet p99.`,
  );
  // NaN where process memory cannot be read.
  findings.expect(!(grownBytes > MEMORY_GROWTH_MAX), () => `Memory rose by ${megabytes(grownBytes)}.`);
}

const lengthOf = ({ fromMs, untilMs }: Attacked): number => untilMs - fromMs;
const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(0)} MB`;

function describe(served: Served[]): string {
  const times = served.map(({ ms }) => ms);
  const [p50, p99, worst] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(0));
  return `${served.length} requests, p50 ${p50} ms, p99 ${p99} ms, worst ${worst} ms`;
}

function after(seconds: number): () => boolean {
  const endMs = performance.now() + seconds * 1_000;
  return () => performance.now() >= endMs;
}

/** Send the victim's requests at a constant rate, without waiting for responses. */
async function serve(mix: Mix, isOver: () => boolean): Promise<Served[]> {
  const all: Promise<Served>[] = [];
  const startMs = performance.now();
  while (!isOver()) {
    const dueMs = startMs + (all.length * 1_000) / PER_SECOND;
    await sleep(Math.max(0, dueMs - performance.now()));
    const action = ACTIONS[all.length % ACTIONS.length] ?? "get";
    const fromMs = performance.timeOrigin + dueMs;
    const done = (error: unknown): Served => ({ action, fromMs, ms: performance.now() - dueMs, error });
    all.push(
      mix.run(action).then(
        () => done(undefined),
        (error: unknown) => done(error),
      ),
    );
  }
  return Promise.all(all);
}
