import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@engram/sdk";
import { messagesIn } from "./support/found.ts";
import { endPoison } from "./support/poisoned.ts";
import { createSentences, type Sentence } from "./support/sentences.ts";
import { type Switches, type TrialService, withService } from "./support/service.ts";
import { formatMs } from "./support/statistics.ts";
import { Findings, type Trial, type TrialInput } from "./support/trial.ts";
import { until } from "./support/until.ts";

const CONVERSATIONS = 20;
/** A pause between two appends, so that minutes of them stay a conversation's length. */
const PAUSE_MS = 50;
/** Searches are tried with every so many appends. */
const SEARCH_EVERY = 5;
/** By then everything of the outage is found by meaning. */
const RECOVERY_MS = 60_000;
/** Until then it is at least told how long that took. */
const GIVE_UP_MS = 600_000;
/** Semantic searches for what was said during the outage, once that is over. */
const ASKED_AFTERWARDS = 20;
const OUTAGES: [name: string, switches: Switches][] = [
  ["embedder down", { ai: "3040" }],
  ["vector store down", { vectorize: "500" }],
  ["both down", { ai: "3040", vectorize: "500" }],
];
const BACK: Switches = { ai: null, vectorize: null };

interface Said extends Sentence {
  conversationId: string;
  messageId: string;
}

export const outage: Trial = {
  name: "outage",
  promise:
    "While the embedder, the vector store or both are down: every append is stored, words find it at once, meaning is refused and not feigned; soon after, meaning finds it all. One refused text holds up no other.",
  counts: { of: "seconds of each outage", long: 300, short: 5 },
  measures: true,
  run: (input) =>
    withService({ switchable: true }, async (service) => {
      const findings = new Findings();
      const conversations: string[] = [];
      for (let i = 0; i < CONVERSATIONS; i++)
        conversations.push((await service.client.conversations.create()).id);
      const sentences = createSentences(input.seed);
      const calm = await append(service, conversations, sentences, Math.min(input.count, 10), async () => {});
      findings.figure("appends before", `${calm.said.length}, ${formatMs(calm.ms)}`);
      for (const [name, switches] of OUTAGES)
        await endure(service, { ...input, name, switches, conversations, sentences }, findings);
      await endPoison(service, sentences, findings);
      return findings;
    }),
};

/** Take something away for a while, and wait until nothing is left of that. */
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
  const { said, ms } = await append(service, conversations, sentences, count, async (newest) => {
    progress(`outage: ${name}`);
    await searchDuring(service, name, newest, findings);
  });
  const { pending } = await client.index.status();
  findings.figure(name, `${said.length} appends, ${formatMs(ms)}; ${pending} messages pending`);
  findings.expect(pending === said.length, () => `${name}: ${pending} pending of ${said.length} said.`);
  await service.set(BACK);
  const tookMs = await until(async () => (await client.index.status()).pending === 0, GIVE_UP_MS);
  findings.figure(`${name}: seconds until all had vectors again`, (tookMs / 1_000).toFixed(1));
  findings.expect(
    tookMs <= RECOVERY_MS,
    () => `${name}: not indexed ${RECOVERY_MS / 1_000} s after its end.`,
  );
  if (!Number.isFinite(tookMs)) return;
  const step = Math.max(1, Math.floor(said.length / ASKED_AFTERWARDS));
  for (const { text, conversationId, messageId } of said.filter((_, i) => i % step === 0)) {
    // Thousands of sentences are made of the same words: among all of them others may be as near.
    const asked = { query: text, mode: "semantic", limit: 50, conversation_id: conversationId } as const;
    const { results, degraded } = await client.search(asked);
    const found = messagesIn(results).some(({ id }) => id === messageId);
    findings.expect(found, () => `${name}: meaning does not find ${messageId} afterwards.`);
    findings.expect(!degraded.includes("semantic"), () => `${name}: still ${degraded} afterwards.`);
  }
}

/** Append for so many seconds, to one conversation after the other, and look at every few. */
async function append(
  { client }: TrialService,
  conversations: string[],
  sentences: Iterator<Sentence, never>,
  seconds: number,
  look: (newest: Said) => Promise<void>,
): Promise<{ said: Said[]; ms: number[] }> {
  const said: Said[] = [];
  const ms: number[] = [];
  const endMs = performance.now() + seconds * 1_000;
  for (let i = 0; performance.now() < endMs; i++) {
    const sentence = sentences.next().value;
    const startMs = performance.now();
    const conversationId = conversations[i % conversations.length] ?? "";
    const { message_ids } = await client.messages.append(
      conversationId,
      { messages: [{ role: "user", content: sentence.text }] },
      // A retry would hide that an append failed.
      { maxRetries: 0 },
    );
    ms.push(performance.now() - startMs);
    const newest = { ...sentence, conversationId, messageId: message_ids[0] ?? "" };
    said.push(newest);
    if (i % SEARCH_EVERY === 0) await look(newest);
    await sleep(PAUSE_MS);
  }
  return { said, ms };
}

/** Search for what was said last, in every mode. */
async function searchDuring(
  { client }: TrialService,
  name: string,
  { marker, text, messageId }: Said,
  findings: Findings,
): Promise<void> {
  for (const mode of ["keyword", "hybrid"] as const) {
    const { results, degraded, pending } = await client.search({ query: marker, mode }, { maxRetries: 0 });
    const found = messagesIn(results).some(({ id }) => id === messageId);
    findings.expect(found, () => `${name}: ${mode} search does not find ${messageId} at once.`);
    findings.expect(pending > 0, () => `${name}: ${mode} search says that nothing is pending.`);
    const said = mode === "keyword" || degraded.includes("semantic");
    findings.expect(said, () => `${name}: ${mode} search does not say degraded, but ${degraded}.`);
  }
  const refusal: unknown = await client
    .search({ query: text, mode: "semantic" }, { maxRetries: 0 })
    .catch((error) => error);
  const refused = refusal instanceof ApiError && refusal.status === 503 && refusal.retryAfterMs !== null;
  findings.expect(refused, () => `${name}: semantic search answered ${describe(refusal)}.`);
}

function describe(answer: unknown): string {
  return answer instanceof ApiError
    ? `${answer.status}, Retry-After ${answer.retryAfterMs}`
    : JSON.stringify(answer);
}
