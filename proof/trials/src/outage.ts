import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type CallOptions, type Engram } from "@engram/sdk";
import pMap from "p-map";
import { formatMs } from "../../support/statistics.ts";
import { awaitDescribed, type Captured, capture, expectStored } from "./support/captures.ts";
import { messagesIn } from "./support/found.ts";
import { endPoison } from "./support/poisoned.ts";
import { createSentences, type Sentence } from "./support/sentences.ts";
import { SHORT_TIMES } from "./support/served/times.ts";
import { type Switches, type TrialService, withService } from "./support/service.ts";
import { Findings, type Trial, type TrialInput } from "./support/trial.ts";
import { until } from "./support/until.ts";

const CONVERSATIONS = 20;
/** Pause between two appends, so that a conversation keeps a normal length over minutes. */
const PAUSE_MS = 50;
/** Number of appends per captured memory and search. */
const LOOK_EVERY = 5;
const SETTINGS = { cronIntervalMs: 1_000, switchable: true };
/** Time for the work that waits when an outage ends. */
const WORK_MS = 10_000;
/**
 * Upper bound on the time after an outage until semantic search finds everything from it: the longest wait for the
 * next attempt, and the work itself. With the times of the product, it is 60 s.
 */
const RECOVERY_MS = SHORT_TIMES.indexRetryMaxMs + SHORT_TIMES.indexPauseMs + WORK_MS;
/** Until then, the trial waits to report the actual time. */
const GIVE_UP_MS = 600_000;
/** Number of items from an outage to search for afterwards; all, if there are fewer. */
const SEARCHES_AFTERWARDS = 200;
const CONCURRENT_SEARCHES = 4;
/**
 * Generous for a busy machine, but less than the client's timeout. A capture that waits for a silent text
 * model would exceed it or fail.
 */
const CAPTURE_MS_MAX = 10_000;
const OUTAGES: [name: string, switches: Switches][] = [
  ["models down", { ai: "3040" }],
  ["vector store down, text model silent", { vectorize: "500", textModel: "hang" }],
  ["all down", { ai: "3040", vectorize: "500" }],
];
const BACK: Switches = { ai: null, vectorize: null, textModel: null };

interface StoredText extends Sentence {
  id: string;
  conversationId: string;
}

/** Runs a search. Returns the ids found, `degraded` and `pending`. */
type Find = (client: Engram, input: SearchInput, options?: CallOptions) => Promise<Found>;
interface SearchInput {
  query: string;
  mode: "keyword" | "hybrid" | "semantic";
  limit?: number;
}
interface Found {
  ids: string[];
  degraded: string[];
  pending: number;
}

export const outage: Trial = {
  name: "outage",
  promise:
    "While the models, the vector store or both are unavailable, every append and capture is stored, keyword search finds it at once, and semantic search returns 503. Soon after the outage, semantic search finds everything, and every memory has tags and a summary. A text that the embedder rejects delays no other text.",
  counts: { of: "seconds of each outage", long: 300, short: 5 },
  measures: true,
  run: (input) =>
    withService(SETTINGS, async (service) => {
      const findings = new Findings();
      const conversations: string[] = [];
      for (let i = 0; i < CONVERSATIONS; i++)
        conversations.push((await service.client.conversations.create()).id);
      const sentences = createSentences(input.seed);
      const calm = await append(service, conversations, sentences, Math.min(input.count, 10), async () => {});
      findings.figure("appends before", `${calm.stored.length}, ${formatMs(calm.ms)}`);
      for (const [name, switches] of OUTAGES)
        await endure(service, { ...input, name, switches, conversations, sentences }, findings);
      await endPoison(service, sentences, findings);
      input.progress("outage: waiting until all memories are described");
      await awaitDescribed(service.client, GIVE_UP_MS, findings);
      return findings;
    }),
};

/** Disable some services for a while, and wait until everything has recovered. */
async function endure(
  service: TrialService,
  input: TrialInput & {
    name: string;
    switches: Switches;
    conversations: string[];
    sentences: Iterator<Sentence, never>;
  },
  findings: Findings,
): Promise<void> {
  const { client } = service;
  const { name, count, conversations, sentences, progress } = input;
  await until(async () => (await client.index.status()).pending === 0, RECOVERY_MS);
  await service.set(input.switches);
  const captured: Captured[] = [];
  const { stored, ms } = await append(service, conversations, sentences, count, async (newest) => {
    progress(`outage: ${name}`);
    await searchDuring(client, name, newest, findMessages, findings);
    const memory = await capture(client, sentences.next().value, captured.length, name);
    captured.push(memory);
    await searchDuring(client, name, memory, findMemories, findings);
  });
  const { pending } = await client.index.status();
  const captureMs = captured.map((memory) => memory.ms);
  const slowest = Math.max(...captureMs);
  findings.figure(
    name,
    `${stored.length} appends, ${formatMs(ms)}; ${captured.length} captures, ${formatMs(captureMs)}; ${pending} pending`,
  );
  findings.expect(
    pending === stored.length + captured.length,
    () =>
      `${name}: ${pending} items wait for their vectors, although ${stored.length} appends and ${captured.length} captures were sent during the outage.`,
  );
  findings.expect(slowest <= CAPTURE_MS_MAX, () => `${name}: a capture took ${slowest} ms.`);
  await expectStored(client, captured, name, findings);
  await service.set(BACK);
  const tookMs = await until(async () => (await client.index.status()).pending === 0, GIVE_UP_MS);
  findings.figure(`${name}: seconds until all had vectors`, (tookMs / 1_000).toFixed(1));
  findings.expect(
    tookMs <= RECOVERY_MS,
    () => `${name}: not indexed ${RECOVERY_MS / 1_000} s after its end.`,
  );
  if (Number.isFinite(tookMs)) await askByMeaning(client, name, stored, captured, findings);
}

/** Search for the messages and memories of an outage after its end. */
async function askByMeaning(
  client: Engram,
  name: string,
  stored: StoredText[],
  captured: Captured[],
  findings: Findings,
): Promise<void> {
  const input = [
    // Thousands of sentences use the same words, so others may be equally similar. Each search is limited to
    // a part of them.
    ...sample(stored).map((one) => ({
      ...one,
      find: findMessages,
      within: { conversation_id: one.conversationId },
    })),
    ...sample(captured).map((one) => ({
      ...one,
      find: findMemories,
      within: { agent_id: one.agentId, source: name },
    })),
  ];
  let found = 0;
  await pMap(
    input,
    async ({ id, text, find, within }) => {
      const { ids, degraded } = await find(client, { query: text, mode: "semantic", limit: 50, ...within });
      if (ids.includes(id)) found += 1;
      findings.expect(
        ids.includes(id),
        () => `${name}: semantic search does not find ${id} after the outage.`,
      );
      findings.expect(
        !degraded.includes("semantic"),
        () => `${name}: a search after the outage still reports "degraded": [${degraded}].`,
      );
    },
    { concurrency: CONCURRENT_SEARCHES },
  );
  findings.figure(
    `${name}: found by semantic search after the outage`,
    `${found} of ${input.length} searched for`,
  );
}

/** An evenly spaced sample of at least `SEARCHES_AFTERWARDS` items; all, if there are fewer. */
function sample<Item>(items: Item[]): Item[] {
  const step = Math.max(1, Math.floor(items.length / SEARCHES_AFTERWARDS));
  return items.filter((_, i) => i % step === 0);
}

/** Append to the conversations in turn for this number of seconds, and call `look` at intervals. */
async function append(
  { client }: TrialService,
  conversations: string[],
  sentences: Iterator<Sentence, never>,
  seconds: number,
  look: (newest: StoredText) => Promise<void>,
): Promise<{ stored: StoredText[]; ms: number[] }> {
  const stored: StoredText[] = [];
  const ms: number[] = [];
  const endMs = performance.now() + seconds * 1_000;
  for (let i = 0; performance.now() < endMs; i++) {
    const sentence = sentences.next().value;
    const startMs = performance.now();
    const conversationId = conversations[i % conversations.length] ?? "";
    const { message_ids } = await client.messages.append(
      conversationId,
      { messages: [{ role: "user", content: sentence.text }] },
      // A retry would hide a failed append.
      { maxRetries: 0 },
    );
    ms.push(performance.now() - startMs);
    const newest = { ...sentence, id: message_ids[0] ?? "", conversationId };
    stored.push(newest);
    if (i % LOOK_EVERY === 0) await look(newest);
    await sleep(PAUSE_MS);
  }
  return { stored, ms };
}

const findMessages: Find = async (client, input, options) => {
  const { results, degraded, pending } = await client.search(input, options);
  return { ids: messagesIn(results).map(({ id }) => id), degraded, pending };
};

const findMemories: Find = async (client, input, options) => {
  const { results, degraded, pending } = await client.memories.search(input, options);
  return { ids: results.map(({ memory }) => memory.id), degraded, pending };
};

/** Search for the latest message or memory in every mode. */
async function searchDuring(
  client: Engram,
  name: string,
  { id, marker, text }: StoredText | Captured,
  find: Find,
  findings: Findings,
): Promise<void> {
  for (const mode of ["keyword", "hybrid"] as const) {
    const { ids, degraded, pending } = await find(client, { query: marker, mode }, { maxRetries: 0 });
    findings.expect(ids.includes(id), () => `${name}: ${mode} search does not find ${id} at once.`);
    findings.expect(
      pending > 0,
      () => `${name}: ${mode} search reports "pending": 0, although nothing can be indexed.`,
    );
    const stored = mode === "keyword" || degraded.includes("semantic");
    findings.expect(
      stored,
      () => `${name}: ${mode} search reports "degraded": [${degraded}] without "semantic".`,
    );
  }
  const refusal: unknown = await find(client, { query: text, mode: "semantic" }, { maxRetries: 0 }).catch(
    (error) => error,
  );
  const refused = refusal instanceof ApiError && refusal.status === 503 && refusal.retryAfterMs !== null;
  findings.expect(
    refused,
    () => `${name}: semantic search returned ${describe(refusal)} instead of 503 with Retry-After.`,
  );
}

function describe(answer: unknown): string {
  return answer instanceof ApiError
    ? `${answer.status}, Retry-After ${answer.retryAfterMs}`
    : JSON.stringify(answer);
}
