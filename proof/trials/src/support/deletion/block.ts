import { randomUUID } from "node:crypto";
import type { Engram } from "@engram/sdk";
import pMap from "p-map";
import { readPacked } from "../packed.ts";
import { LONG_CHARACTERS_MIN, type Sentence } from "../sentences.ts";
import { VISIBILITY_LAG_MS } from "../served/times.ts";
import type { TrialService } from "../service.ts";
import type { Findings } from "../trial.ts";
import { until } from "../until.ts";
import { fillShare, type Share } from "./share.ts";
import type { Stored } from "./stored.ts";

const CONCURRENCY = 6;
const TIMEOUT_MS = 600_000;
/** Upper bound on the items of one page. */
const PAGE = 100;

/**
 * Fill this number of shares, wait until they are indexed and enriched, then set a visibility lag that
 * outlasts the deletions.
 */
export async function fillBlock(
  service: TrialService,
  client: Engram,
  texts: Iterator<Sentence, never>,
  count: number,
  findings: Findings,
): Promise<Share> {
  await service.set({ visibilityDelayMs: 0, flush: true });
  const filled: Share[] = [];
  await pMap(
    Array.from({ length: count }),
    async () => {
      filled.push(await fillShare(client, texts, randomUUID()));
    },
    { concurrency: CONCURRENCY },
  );
  await until(async () => (await client.index.status()).pending === 0, TIMEOUT_MS);
  const stored = filled.flatMap((share) => share.stored);
  await noteDescriptions(client, stored, findings);
  const packed = readPacked(service.dataDirectory, new Set(stored.map(({ homeId }) => homeId)));
  for (const one of stored) {
    one.packed = packed.get(one.text);
    findings.expect(
      one.packed !== undefined || one.text.length < LONG_CHARACTERS_MIN,
      () => `${one.id}, of ${one.text.length} characters, is not stored compressed.`,
    );
  }
  await service.set({ visibilityDelayMs: VISIBILITY_LAG_MS });
  return { stored, deletions: filled.flatMap((share) => share.deletions) };
}

/** Wait until the text model has enriched all memories, and record where its output repeats their markers. */
async function noteDescriptions(client: Engram, stored: Stored[], findings: Findings): Promise<void> {
  // The first page holds all memories of a block.
  const list = () => client.memories.list({ limit: PAGE }).page();
  const isDescribed = async () => (await list()).items.every(({ enriched_by }) => enriched_by !== null);
  const tookMs = await until(isDescribed, TIMEOUT_MS);
  findings.expect(
    Number.isFinite(tookMs),
    () => "The text model has not written tags and summaries of all memories.",
  );
  const byId = new Map(stored.map((one) => [one.id, one]));
  for (const { id, tags, summary } of (await list()).items) {
    const memory = byId.get(id);
    if (memory === undefined) continue;
    if (tags.some((tag) => tag.includes(memory.marker))) memory.writtenIn.push("tags");
    if (summary?.includes(memory.marker)) memory.writtenIn.push("summary");
  }
}
