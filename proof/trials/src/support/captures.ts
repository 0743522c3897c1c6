import type { Engram } from "@engram/sdk";
import { whatMemoriesBroke } from "./memory-ledger.ts";
import type { Sentence } from "./sentences.ts";
import type { Findings } from "./trial.ts";
import { until } from "./until.ts";

/** The captures of a source are spread over this number of agents, so that each agent has few. */
const AGENTS = 20;
const PAGE = 100;

export interface Captured extends Sentence {
  id: string;
  agentId: string;
  ms: number;
}

/** Capture a text without tags or summary, and without retries. */
export async function capture(
  client: Engram,
  { marker, text }: Sentence,
  number: number,
  source: string,
): Promise<Captured> {
  const agentId = `agent ${number % AGENTS}`;
  const startMs = performance.now();
  const { id } = await client.memories.create(
    { content: text, agent_id: agentId, source },
    // A retry would hide a failed capture.
    { maxRetries: 0 },
  );
  return { marker, text, id, agentId, ms: performance.now() - startMs };
}

/** Compare the stored memories of a source with those captured. */
export async function expectStored(
  client: Engram,
  captured: Captured[],
  source: string,
  findings: Findings,
): Promise<void> {
  const stored = [];
  for await (const memory of client.memories.list({ source, limit: PAGE })) stored.push(memory);
  const captures = captured.map(({ id, text }) => ({ contents: [text], ids: [id] }));
  const broken = whatMemoriesBroke({ source, captures, deletions: new Map() }, stored);
  findings.expect(broken.length === 0, () => `${source}: ${broken.join("\n")}`);
}

/** Wait until the text model has enriched every memory. */
export async function awaitDescribed(client: Engram, timeoutMs: number, findings: Findings): Promise<void> {
  let waiting = 0;
  const tookMs = await until(async () => {
    waiting = 0;
    for await (const { enriched_by } of client.memories.list({ limit: PAGE }))
      if (enriched_by === null) waiting += 1;
    return waiting === 0;
  }, timeoutMs);
  findings.figure(
    "seconds after the last outage until all memories had tags and summaries",
    (tookMs / 1_000).toFixed(1),
  );
  findings.expect(waiting === 0, () => `${waiting} memories have no tags and summary.`);
}
