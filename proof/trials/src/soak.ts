import { createRandom } from "../../support/random.ts";
import { quantile } from "../../support/statistics.ts";
import { createSentences } from "./support/sentences.ts";
import { type TrialService, withService } from "./support/service.ts";
import { type Served, sendAtPeak, sendOpenly, WARM_UP_REQUESTS } from "./support/soak/arrivals.ts";
import { growth, type Sample, watchMemory } from "./support/soak/memory.ts";
import { ACTIONS, Mix } from "./support/soak/mix.ts";
import { Findings, type Trial } from "./support/trial.ts";
import { until } from "./support/until.ts";

const MEGABYTE = 1_000_000;
/** Share of the peak throughput that the load requests. */
const LOAD_SHARE = 0.7;
/** Time for measuring the peak throughput, as a share of the total. */
const PEAK_TIME = 1 / 10;
const SAMPLES = 60;
/**
 * Upper bound on the growth per minute, as a share of the memory in use. A heap varies by less between two
 * collections.
 */
const GROWTH_MAX = 0.01;
/** Growth over a shorter time is only reported. */
const GROWTH_SECONDS_MIN = 200;
const ERRORS_MAX = 0.0001;
const INDEXED_MS = 60_000;

export const soak: Trial = {
  name: "soak",
  promise:
    "Under a mixed load at 70% of the highest rate that the service sustains, at most 0.01% of requests fail, memory does not grow, and indexing keeps up.",
  counts: { of: "seconds", long: 600, short: 20 },
  measures: true,
  run: ({ count, seed, place, progress }) =>
    withService({ place }, async (service) => {
      const findings = new Findings();
      const mix = new Mix(service.client, createRandom(`${seed} mix`), createSentences(`${seed} soak`));
      progress("soak: filling");
      await mix.fill();
      await awaitIndex(service);
      progress("soak: looking for the peak");
      const peakSeconds = count * PEAK_TIME;
      const peakEndMs = performance.now() + peakSeconds * 1_000;
      const first = await sendAtPeak(mix, () => performance.now() >= peakEndMs);
      const peak = first / peakSeconds;
      const perSecond = peak * LOAD_SHARE;
      findings.figure("requests a second", `${perSecond.toFixed(1)} of at most ${peak.toFixed(1)}`);
      let requests = first;
      const memory = watchMemory(service.pid, count / SAMPLES, () => requests);
      const served = await sendOpenly(mix, {
        perSecond,
        seconds: count,
        random: createRandom(`${seed} arrivals`),
        onSent: (sent) => {
          requests = first + sent;
          progress(`soak: ${sent} of about ${Math.round(perSecond * count)} requests`);
        },
      });
      memory.stop();
      const { pending } = await service.client.index.status();
      judgeServed(served, findings);
      judgeMemory(memory.samples, findings);
      const tookMs = await awaitIndex(service);
      findings.figure(
        "index",
        `${pending} messages pending at the end, none ${(tookMs / 1_000).toFixed(1)} s later`,
      );
      findings.expect(
        tookMs <= INDEXED_MS,
        () => `Not indexed ${INDEXED_MS / 1_000} s after the last request.`,
      );
      return findings;
    }),
};

/** @returns Milliseconds until nothing was pending, or Infinity on a timeout. */
const awaitIndex = ({ client }: TrialService): Promise<number> =>
  until(async () => (await client.index.status()).pending === 0, INDEXED_MS);

function judgeServed(served: readonly Served[], findings: Findings): void {
  for (const action of ACTIONS) {
    const ms = served.filter((one) => one.action === action).map((one) => one.ms);
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(ms, share).toFixed(0));
    findings.figure(action, `${ms.length}, p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`);
  }
  const failed = served.filter(({ error }) => error !== undefined);
  findings.figure("errors", `${failed.length} of ${served.length.toLocaleString("en")}`);
  findings.expect(
    failed.length <= served.length * ERRORS_MAX,
    () =>
      `${failed.length} requests failed: ${failed.map(({ action, error }) => `${action}: ${error}`).slice(0, 5)}`,
  );
}

function judgeMemory(samples: readonly Sample[], findings: Findings): void {
  const every = samples.filter((_, i) => i % Math.ceil(samples.length / 10) === 0);
  findings.figure("memory in MB", every.map(({ bytes }) => (bytes / MEGABYTE).toFixed(0)).join(", "));
  const warm = samples.filter(({ requests }) => requests >= WARM_UP_REQUESTS);
  const seconds = (warm.at(-1)?.seconds ?? 0) - (warm[0]?.seconds ?? 0);
  if (seconds < GROWTH_SECONDS_MIN) {
    findings.figure("memory grows", "not judged: too few requests for the heap to reach its normal size");
    return;
  }
  const mean = warm.reduce((sum, { bytes }) => sum + bytes, 0) / warm.length;
  const perMinute = growth(warm) * 60;
  findings.figure(
    "memory grows",
    `${(perMinute / MEGABYTE).toFixed(2)} MB a minute, ${((100 * perMinute) / mean).toFixed(2)}% of it`,
  );
  // NaN where process memory cannot be read.
  findings.expect(!(perMinute > mean * GROWTH_MAX), () => `Memory grows by ${perMinute} bytes a minute.`);
}
