import { setTimeout as sleep } from "node:timers/promises";
import { residentBytes } from "../../support/memory.ts";
import { createRandom } from "../../support/random.ts";
import { quantile } from "../../support/statistics.ts";
import { messagesIn } from "./support/found.ts";
import { makePayloads } from "./support/payloads.ts";
import { type RawAnswer, sendRaw } from "./support/raw-request.ts";
import { createSentences } from "./support/sentences.ts";
import { type TrialService, withService } from "./support/service.ts";
import { sendAtPeak, WARM_UP_REQUESTS } from "./support/soak/arrivals.ts";
import { Mix } from "./support/soak/mix.ts";
import { Findings, type Trial } from "./support/trial.ts";

const MEGABYTE = 1_000_000;
/** Target for the response time. Reported only, because machines differ. */
const ANSWER_GOAL_MS = 200;
/** Upper bound on the growth of a warmed-up service over all payloads. */
const GROWTH_MAX = 50 * MEGABYTE;
/** Upper bound on the growth of a new service, whose heaps still grow. */
const FRESH_GROWTH_MAX = 200 * MEGABYTE;
/** Gives the garbage collector time to run. */
const SETTLE_MS = 3_000;

export const bombs: Trial = {
  name: "bombs",
  promise:
    "Oversized, deeply nested or malformed requests get a 4xx status, store nothing, and leave the service working with bounded memory.",
  counts: { of: "rounds of all bombs", long: 20, short: 3 },
  measures: true,
  run: ({ count, short, seed, place, progress }) =>
    withService({ place }, async (service) => {
      const findings = new Findings();
      if (!short) {
        progress("bombs: warming up");
        await warmUp(service, seed);
      }
      const target = (await service.client.conversations.create()).id;
      const all = makePayloads(service.url, service.key, target);
      const fresh = residentBytes(service.pid);
      // The first payload of each kind causes permanent allocations: code and the initial heap.
      for (const payload of all) await sendRaw(service.url, payload.pieces(), payload);
      await work(service);
      await sleep(SETTLE_MS);
      const before = residentBytes(service.pid);
      const sent = all.map((payload) => ({ payload, answers: [] as RawAnswer[] }));
      const growths: number[] = [];
      for (let round = 1; round <= count; round++) {
        for (const { payload, answers } of sent) {
          progress(`bombs: round ${round} of ${count}, ${payload.name}`);
          answers.push(await sendRaw(service.url, payload.pieces(), payload));
          const { status } = await fetch(`${service.url}/health`);
          findings.expect(status === 200, () => `After ${payload.name}, the health check returns ${status}.`);
        }
        await sleep(SETTLE_MS);
        growths.push(residentBytes(service.pid) - before);
      }
      const slow: string[] = [];
      for (const { payload, answers } of sent) {
        const statuses = [...new Set(answers.map(({ status }) => status))];
        const median = quantile(
          answers.map(({ ms }) => ms),
          0.5,
        );
        if (median > ANSWER_GOAL_MS) slow.push(payload.name);
        const shown = statuses.map((status) => status ?? "closed").join(", ");
        findings.figure(payload.name, `${shown} after ${median.toFixed(0)} ms`);
        findings.expect(
          statuses.every((status) => payload.expected.includes(status)),
          () => `${payload.name}: status ${shown} instead of ${payload.expected.join(" or ")}.`,
        );
        const sent = Math.max(...answers.map(({ bytesSent }) => bytesSent));
        findings.expect(
          sent <= (payload.bytesMax ?? Number.POSITIVE_INFINITY),
          () => `${payload.name}: the service read ${sent} bytes.`,
        );
      }
      // Between two collections a heap varies by more than one payload leaves, so the median counts.
      const growth = quantile(growths, 0.5);
      const growthMax = short ? FRESH_GROWTH_MAX : GROWTH_MAX;
      findings.figure("memory", `${megabytes(fresh)} at first, ${megabytes(before)} after one round`);
      findings.figure("memory above that after each round", growths.map(megabytes).join(", "));
      findings.figure(`slower than ${ANSWER_GOAL_MS} ms at the median`, slow.join(", ") || "none");
      // NaN where process memory cannot be read.
      findings.expect(!(growth > growthMax), () => `The service grew by ${growth} bytes at the median.`);
      const { message_count } = await service.client.conversations.get(target);
      findings.expect(message_count === 0, () => `${message_count} bombs were stored.`);
      await work(service);
      return findings;
    }),
};

/** Use the service until its heaps stop growing. */
async function warmUp({ client }: TrialService, seed: string): Promise<void> {
  const mix = new Mix(client, createRandom(`${seed} mix`), createSentences(`${seed} bombs`));
  await mix.fill();
  await sendAtPeak(mix, (served) => served >= WARM_UP_REQUESTS);
}

const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(0)} MB`;

/** Store and find a message. @throws {Error} When that fails. */
async function work({ client }: TrialService): Promise<void> {
  const { id } = await client.conversations.create();
  const content = "The service still works, says the walrus.";
  await client.messages.append(id, { messages: [{ role: "user", content }] });
  const [stored] = (await client.conversations.get(id)).messages.items;
  const { results } = await client.search({ query: "walrus", conversation_id: id });
  if (stored?.content !== content || messagesIn(results)[0]?.content !== content)
    throw new Error("The service answers, but not what was stored");
}
