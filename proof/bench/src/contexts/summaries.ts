import type { Engram } from "@engram/sdk";
import pMap from "p-map";
import type { Progress } from "../../../support/progress.ts";
import { markdownTable } from "../command/tables.ts";
import type { Dialogue, Question, Turn } from "../recall/dialogues.ts";
import { CONCURRENCY, type Library, libraryOf } from "../recall/load.ts";
import { shareOf } from "../recall/metrics.ts";

const BUDGETS = [1_000, 2_000, 4_000, 8_000] as const;
const POLL_MS = 500;
const POLLS_MAX = 600;
const APPEND_MESSAGES = 500;
/** Only of these conversations. The sessions of the dialogues are stored, too. */
const WHOLE = { whole: true };

/** Shares of a context with and without summaries. What is asked is searched only if results have a share. */
const WAYS = {
  newest: { name: "newest messages", shares: { messages: 1, memories: 0, results: 0 } },
  summaries: {
    name: "newest messages and summaries",
    shares: { messages: 0.6, memories: 0, results: 0, summaries: 0.4 },
  },
  searched: { name: "newest messages and search", shares: { messages: 0.5, memories: 0, results: 0.5 } },
  all: {
    name: "newest messages, search and summaries",
    shares: { messages: 0.4, memories: 0, results: 0.4, summaries: 0.2 },
  },
} as const;
type Way = keyof typeof WAYS;

/** Shares of the evidence, 0 to 1: in whole messages, and that also counts messages that a summary cites. */
interface Held {
  whole: number;
  cited: number;
}
export type HeldByWay = Record<Way, Held[]>;

/**
 * Stores each dialogue as one conversation with its summaries, and asks its questions for contexts of it: how much of the
 * evidence is in each, with and without summaries?
 */
export async function measureSummaries(
  dialogues: readonly Dialogue[],
  questions: readonly Question[],
  libraries: ReadonlyMap<string, Library>,
  progress: Progress,
): Promise<HeldByWay> {
  const sums: HeldByWay = { newest: [], summaries: [], searched: [], all: [] };
  let asked = 0;
  for (const dialogue of dialogues) {
    const own = questions.filter(({ dialogueId }) => dialogueId === dialogue.id);
    if (own.length === 0) continue;
    const { memory } = libraryOf(libraries, { dialogueId: dialogue.id });
    const turns = dialogue.sessions
      .flatMap((session) => session.turns)
      .sort((a, b) => a.createdAtMs - b.createdAtMs);
    const conversation_id = await store(memory, turns);
    await pMap(
      own,
      async (question) => {
        for (const way of Object.keys(WAYS) as Way[])
          for (const [i, max_tokens] of BUDGETS.entries()) {
            const held = await ask(memory, question, turns, {
              conversation_id,
              max_tokens,
              shares: WAYS[way].shares,
            });
            const sum = sums[way][i] ?? { whole: 0, cited: 0 };
            sums[way][i] = { whole: sum.whole + held.whole, cited: sum.cited + held.cited };
          }
        asked += 1;
        progress(`asked ${asked} of ${questions.length} questions`);
      },
      { concurrency: CONCURRENCY },
    );
    await memory.conversations.delete(conversation_id);
  }
  for (const way of Object.keys(WAYS) as Way[])
    sums[way] = sums[way].map(({ whole, cited }) => ({ whole: whole / asked, cited: cited / asked }));
  return sums;
}

/** Stores turns as one conversation, and waits for its summaries. */
async function store(memory: Engram, turns: readonly Turn[]): Promise<string> {
  const { id } = await memory.conversations.create({ metadata: WHOLE });
  for (let from = 0; from < turns.length; from += APPEND_MESSAGES) {
    const messages = turns.slice(from, from + APPEND_MESSAGES).map(toMessage);
    await memory.messages.append(id, { messages, wait: "indexed" });
  }
  await memory.summaries.create(id);
  for (let polls = 0; polls < POLLS_MAX; polls++) {
    const summaries = await memory.summaries
      .list(id, { level: 1, from_sequence: turns.length })
      .toArray({ max: 1 });
    if (summaries.length > 0) return id;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error("The summaries come to no end");
}

async function ask(
  memory: Engram,
  question: Question,
  turns: readonly Turn[],
  body: Parameters<Engram["context"]>[0],
): Promise<Held> {
  const isSearched = (body?.shares?.results ?? 0) > 0;
  const context = await memory.context({
    ...body,
    metadata: WHOLE,
    ...(isSearched && { query: question.text }),
  });
  const keyOf = (sequence: number): string => turns[sequence - 1]?.key ?? "";
  const messages = [...context.messages.items, ...context.results.items.flatMap((result) => result.messages)];
  const whole = messages.flatMap(({ sequence, content }) =>
    turns[sequence - 1]?.content === content ? [keyOf(sequence)] : [],
  );
  const cited = (context.summaries?.items ?? []).flatMap(({ sentences }) =>
    sentences.flatMap(({ cites }) => cites.map(({ sequence }) => keyOf(sequence))),
  );
  const { evidenceTurns } = question;
  return {
    whole: shareOf(evidenceTurns, new Set(whole)),
    cited: shareOf(evidenceTurns, new Set([...whole, ...cited])),
  };
}

const toMessage = ({ role, name, toolName, content, createdAtMs }: Turn) => ({
  role,
  name,
  tool_name: toolName,
  content,
  created_at: new Date(createdAtMs).toISOString(),
});

/** A table in Markdown, in percent: in whole messages / also by a sentence that cites it. */
export function formatHeld(held: HeldByWay, questions: number): string {
  const percent = (share: number) => (100 * share).toFixed(1);
  const head = ["in the prompt", ...BUDGETS.map((budget) => `${budget.toLocaleString("en-US")} tokens`)];
  const rows = (Object.keys(WAYS) as Way[]).map((way) => [
    WAYS[way].name,
    ...held[way].map(({ whole, cited }) =>
      whole === cited ? percent(whole) : `${percent(whole)} / ${percent(cited)}`,
    ),
  ]);
  return `${questions} questions: whole messages / also cited by a summary\n\n${markdownTable([head, ...rows])}`;
}
