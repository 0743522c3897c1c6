import type { Engram } from "@engram/sdk";
import { toLine } from "../../../../service/src/text/message-lines.ts";
import { countModelTokens } from "../../../../service/src/text/model-tokens.ts";
import type { Progress } from "../../../support/progress.ts";
import { markdownTable } from "../command/tables.ts";
import type { Dialogue, Turn } from "../recall/dialogues.ts";
import type { Library } from "../recall/load.ts";
import { libraryOf } from "../recall/load.ts";

export const TURNS = 50;
const BUDGETS = [1_000, 2_000, 4_000, 8_000] as const;
/** What providers charge for a token that begins as the request before did, of the price of others. */
const CACHED_PRICE = 0.1;

/** Ways to fill the prompt of each turn. */
const WAYS = { single: "context", stable: "context with a stable part", all: "all history" };
type Way = keyof typeof WAYS;

/** Sums over all turns. */
interface Figures {
  calls: number;
  tokens: number;
  /** Tokens that begin as the prompt before did. */
  cached: number;
  /** Bytes of the stable parts that a next call could keep, and those that it kept. */
  kept: { of: number; bytes: number };
  anew: number;
}

const none = (): Figures => ({ calls: 0, tokens: 0, cached: 0, kept: { of: 0, bytes: 0 }, anew: 0 });

/**
 * Replays the first turns of each dialogue as one conversation. Before each answer, asks for a context of what the user
 * said.
 */
export async function measureTurns(
  dialogues: readonly Dialogue[],
  libraries: ReadonlyMap<string, Library>,
  progress: Progress,
): Promise<Map<number, Record<Way, Figures>>> {
  const figures = new Map<number, Record<Way, Figures>>(
    BUDGETS.map((budget) => [budget, { single: none(), stable: none(), all: none() }]),
  );
  for (const [i, dialogue] of dialogues.entries()) {
    const { memory } = libraryOf(libraries, { dialogueId: dialogue.id });
    for (const [budget, sums] of figures) {
      progress(`replaying ${i + 1} of ${dialogues.length} dialogues in ${budget} tokens`);
      await replay(memory, dialogue, budget, sums);
    }
  }
  return figures;
}

async function replay(
  client: Engram,
  dialogue: Dialogue,
  max_tokens: number,
  sums: Record<Way, Figures>,
): Promise<void> {
  const turns = dialogue.sessions
    .flatMap((session) => session.turns)
    .sort((a, b) => a.createdAtMs - b.createdAtMs);
  const { id: conversation_id } = await client.conversations.create({});
  const before: Record<Way, string> = { single: "", stable: "", all: "" };
  let previous: string | null = null;
  let stableBefore = "";
  let historyBefore = 0;
  let asked = 0;
  for (const [sequence, turn] of turns.entries()) {
    await client.messages.append(conversation_id, { messages: [toMessage(turn)] });
    before.all += `${lineOf(turn, sequence + 1)}\n`;
    if (turn.role !== "user" || asked === TURNS) continue;
    asked += 1;
    const body = { query: turn.content.slice(0, 2_000), conversation_id, max_tokens };
    const single = await client.context(body);
    count(sums.single, before.single, single.text);
    before.single = single.text;
    const context = await client.context({ ...body, layout: "stable", previous });
    const stable = (context.stable ?? []).join("\n\n");
    count(sums.stable, before.stable, context.text);
    before.stable = context.text;
    const kept = commonBytes(stableBefore, stable);
    sums.stable.kept.of += Buffer.byteLength(stableBefore);
    sums.stable.kept.bytes += kept;
    if (stableBefore !== "" && context.stable_changed !== null) sums.stable.anew += 1;
    previous = context.stable_id ?? null;
    stableBefore = stable;
    const history = countModelTokens(before.all);
    sums.all.calls += 1;
    sums.all.tokens += history;
    sums.all.cached += historyBefore;
    historyBefore = history;
    if (asked === TURNS) break;
  }
  await client.conversations.delete(conversation_id);
}

function count(sums: Figures, before: string, text: string): void {
  sums.calls += 1;
  sums.tokens += countModelTokens(text);
  const common = Buffer.from(text).subarray(0, commonBytes(before, text)).toString();
  sums.cached += countModelTokens(common);
}

function commonBytes(one: string, other: string): number {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  const most = Math.min(a.length, b.length);
  let bytes = 0;
  while (bytes < most && a[bytes] === b[bytes]) bytes++;
  return bytes;
}

const toMessage = ({ role, name, toolName, content, createdAtMs }: Turn) => ({
  role,
  name,
  tool_name: toolName,
  content,
  created_at: new Date(createdAtMs).toISOString(),
});

function lineOf(turn: Turn, sequence: number): string {
  const { role, name = null, toolName: tool_name = null, content, createdAtMs } = turn;
  return toLine({
    ...{ sequence, role, name, tool_name, content },
    created_at: new Date(createdAtMs).toISOString(),
  });
}

/** A table in Markdown. */
export function formatTurns(figures: ReadonlyMap<number, Record<Way, Figures>>): string {
  const rows = [...figures].flatMap(([budget, sums]) =>
    (Object.keys(WAYS) as Way[])
      .filter((way) => way !== "all" || budget === BUDGETS[0])
      .map((way) => {
        const { calls, tokens, cached, kept, anew } = sums[way];
        const price = tokens - (1 - CACHED_PRICE) * cached;
        return [
          way === "all" ? WAYS.all : `${WAYS[way]}, ${budget.toLocaleString("en-US")} tokens`,
          Math.round(tokens / calls).toLocaleString("en-US"),
          Math.round(price / calls).toLocaleString("en-US"),
          kept.of === 0 ? "" : `${((100 * kept.bytes) / kept.of).toFixed(1)} %`,
          way === "stable" ? (anew / calls).toFixed(3) : "",
        ];
      }),
  );
  const head = [
    "prompt of a turn",
    "tokens",
    "at the price of cached ones",
    "bytes of `stable` kept",
    "begun anew per turn",
  ];
  return markdownTable([head, ...rows]);
}
