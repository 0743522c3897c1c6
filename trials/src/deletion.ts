import { DatabaseSync } from "node:sqlite";
import { ApiError, type Operation } from "@engram/sdk";
import { findDatabase } from "./support/files.ts";
import { inLanes } from "./support/lanes.ts";
import { countMarkers } from "./support/residue.ts";
import { createSentences, markerEnd, type Sentence } from "./support/sentences.ts";
import { startTrialService, type TrialService, withDirectory } from "./support/service.ts";
import { Findings, type Trial } from "./support/trial.ts";
import { until } from "./support/until.ts";

/** Vectorize shows a change after seconds to minutes; a deleted vector is offered to searches for so long. */
const LAG_MS = 30_000;
const LANES = 6;
/** Conversations filled, indexed and then deleted from, so that the lag is never over meanwhile. */
const BLOCK = 50;
/** Messages of a conversation; those at odd places are deleted, or the whole of every fifth conversation. */
const MESSAGES = 10;
const WHOLE_EVERY = 5;
const SWEEPS = { cronIntervalMs: 1_000, switchable: true };
const SETTLED_TIMEOUT_MS = 600_000;
const MODES = ["hybrid", "semantic", "keyword"] as const;

interface Said extends Sentence {
  id: string;
}
interface Filled {
  id: string;
  said: Said[];
}
/** Counted over all checks. */
interface Sums {
  checks: number;
  deleted: Sentence[];
  kept: Sentence[];
  receipts: Operation[];
  foundByMeaning: number;
}

export const deletion: Trial = {
  name: "deletion",
  promise:
    "What is deleted is never answered again, from the next request on, though the vector store still offers it; after the sweeps no byte of it is left.",
  counts: { of: "deletions", long: 10_000, short: 300 },
  run: ({ count, seed, progress, idle }) =>
    withDirectory(async (dataDirectory) => {
      const findings = new Findings();
      const sentences = createSentences(seed);
      const sums: Sums = { checks: 0, deleted: [], kept: [], receipts: [], foundByMeaning: 0 };
      const service = await startTrialService(dataDirectory, SWEEPS);
      try {
        while (sums.checks < count) {
          await service.set({ visibilityDelayMs: 0, flush: true });
          const block = await fill(service, sentences);
          await service.set({ visibilityDelayMs: LAG_MS });
          await inLanes(block.entries(), LANES, async ([i, conversation]) => {
            await deleteFrom(service, conversation, i % WHOLE_EVERY === 0, sums, count, findings);
            progress(`deletion: ${sums.checks} of ${count}`);
          });
        }
        findings.figure("deleted texts", sums.deleted.length);
        findings.figure("of these found by meaning just before", sums.foundByMeaning);
        findings.expect(
          sums.foundByMeaning > 0,
          () => "No vector was ever seen, so none was shown to be hidden.",
        );
        progress("deletion: waiting until all is gone");
        await idle(() => settle(service, sums, findings));
      } finally {
        await service.stop();
      }
      lookForResidue(dataDirectory, sums, findings);
      return findings;
    }),
};

async function fill({ client }: TrialService, sentences: Iterator<Sentence, never>): Promise<Filled[]> {
  const filled: Filled[] = [];
  await inLanes(Array.from({ length: BLOCK }), LANES, async () => {
    const { id } = await client.conversations.create();
    const texts = Array.from({ length: MESSAGES }, () => sentences.next().value);
    const messages = texts.map(({ text }) => ({ role: "user" as const, content: text }));
    const { message_ids } = await client.messages.append(
      id,
      { messages, wait: "indexed" },
      { timeoutMs: 60_000 },
    );
    filled.push({ id, said: texts.map((sentence, i) => ({ ...sentence, id: message_ids[i] ?? "" })) });
  });
  await until(async () => (await client.index.status()).pending === 0, SETTLED_TIMEOUT_MS);
  return filled;
}

/** Delete every other message of a conversation, or the whole, and look for it at once in every way there is. */
async function deleteFrom(
  service: TrialService,
  conversation: Filled,
  whole: boolean,
  sums: Sums,
  count: number,
  findings: Findings,
): Promise<void> {
  const { client } = service;
  const groups = whole
    ? [conversation.said]
    : conversation.said.filter((_, i) => i % 2 === 1).map((said) => [said]);
  const kept = new Set(conversation.said);
  for (const group of groups) {
    if (sums.checks >= count) break;
    sums.checks += 1;
    const [first] = group;
    if (first === undefined) continue;
    for (const said of group) kept.delete(said);
    const before = await answers(service, conversation.id, first, ["keyword"]);
    findings.expect(
      before.includes(first.marker),
      () => `${first.id} was not to be found before its deletion.`,
    );
    if ((await answers(service, conversation.id, first, ["semantic"])).includes(first.marker))
      sums.foundByMeaning += 1;
    const receipt = whole
      ? await client.conversations.delete(conversation.id)
      : await client.messages.delete(conversation.id, first.id);
    sums.receipts.push(receipt);
    sums.deleted.push(...group);
    const answered = await answers(service, conversation.id, first, MODES);
    for (const { id, marker } of group)
      findings.expect(!answered.includes(marker), () => `${id} is answered after its deletion.`);
    if (!whole) continue;
    const listed = await answerOf(() => client.conversations.list({ limit: 100, sort: "created_at" }).page());
    findings.expect(
      !listed.includes(conversation.id),
      () => `${conversation.id} is listed after its deletion.`,
    );
  }
  sums.kept.push(...kept);
}

/** Everything that is answered when somebody asks for a message: searches, the list around it, itself. */
async function answers(
  { client }: TrialService,
  conversationId: string,
  { id, text, marker }: Said,
  modes: readonly (typeof MODES)[number][],
): Promise<string> {
  const all = await Promise.all([
    ...modes.map((mode) =>
      answerOf(() => client.search({ query: mode === "keyword" ? marker : text, mode, limit: 50 })),
    ),
    ...(modes.length < MODES.length
      ? []
      : [
          answerOf(() => client.messages.get(conversationId, id)),
          answerOf(() => client.messages.list(conversationId, { limit: 1_000 }).page()),
          answerOf(() => client.conversations.get(conversationId)),
        ]),
  ]);
  return all.join("\n");
}

/** An answer as JSON; empty when there is nothing of that id. */
async function answerOf(ask: () => PromiseLike<unknown>): Promise<string> {
  try {
    return JSON.stringify(await ask());
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return "";
    throw error;
  }
}

/** Let the lag pass and the sweeps do their work. */
async function settle(service: TrialService, { receipts }: Sums, findings: Findings): Promise<void> {
  const { client } = service;
  await service.set({ visibilityDelayMs: 0, flush: true });
  const tookMs = await until(async () => {
    const { pending, deletions_pending } = await client.index.status();
    return pending === 0 && deletions_pending === 0;
  }, SETTLED_TIMEOUT_MS);
  findings.figure("seconds until all vectors were gone", (tookMs / 1_000).toFixed(1));
  findings.expect(Number.isFinite(tookMs), () => "Vectors of what was deleted are still there.");
  const newest = receipts.at(-1)?.id ?? "";
  await until(async () => (await client.operations.get(newest)).status === "succeeded", SETTLED_TIMEOUT_MS);
  await inLanes(receipts, LANES, async ({ id }) => {
    const { status } = await client.operations.get(id);
    findings.expect(status === "succeeded", () => `The receipt ${id} is still ${status}.`);
  });
}

/** Look into the files of the stopped service, as they are and after `VACUUM`. */
function lookForResidue(dataDirectory: string, { deleted, kept }: Sums, findings: Findings): void {
  const residue = (texts: Sentence[]) => {
    const counts = countMarkers(dataDirectory);
    return texts.filter(({ marker }) => counts.has(markerEnd(marker)));
  };
  findings.figure(
    "deleted texts in the files before VACUUM",
    `${residue(deleted).length} of ${deleted.length}`,
  );
  using db = new DatabaseSync(findDatabase(dataDirectory, "messages"));
  db.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  const left = residue(deleted);
  findings.figure("deleted texts in the files after VACUUM", `${left.length} of ${deleted.length}`);
  findings.expect(left.length === 0, () => `Left in the files: ${left.map(({ text }) => text).join("; ")}`);
  const found = residue(kept).length;
  findings.figure("texts in the files that were kept", `${found} of ${kept.length}`);
  findings.expect(
    found === kept.length,
    () => `Looking into the files found ${found} of ${kept.length} kept texts.`,
  );
}
