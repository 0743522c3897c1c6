import pMap from "p-map";
import { toLine } from "../../../../service/src/text/message-lines.ts";
import { countModelTokens } from "../../../../service/src/text/model-tokens.ts";
import type { Progress } from "../../../support/progress.ts";
import { markdownTable } from "../command/tables.ts";
import type { Question, Turn } from "../recall/dialogues.ts";
import { CONCURRENCY, type Library, libraryOf } from "../recall/load.ts";
import { shareOf } from "../recall/metrics.ts";
import { scoreAnswer } from "../recall/model-answer.ts";

const BUDGETS = [1_000, 2_000, 4_000, 8_000] as const;

/** Ways to fill a prompt. */
const WAYS = {
  context: "context of the question",
  continued: "context of the question and the newest conversation",
  stable: "context of the question, with a stable part",
  stableContinued: "context of the question and the newest conversation, with a stable part",
  search: "search alone (the MCP tool)",
  newest: "newest messages first",
};
type Way = keyof typeof WAYS;

/** Share of the evidence in whole messages, 0 to 1, by way and budget. */
type Shares = Record<Way, number[]>;

export async function measureContexts(
  questions: readonly Question[],
  libraries: ReadonlyMap<string, Library>,
  progress: Progress,
): Promise<Shares> {
  let asked = 0;
  const measured = await pMap(
    questions,
    async (question) => {
      const library = libraryOf(libraries, question);
      const shares: Shares = {
        ...{ context: [], continued: [], stable: [], stableContinued: [] },
        ...{ search: [], newest: [] },
      };
      for (const max_tokens of BUDGETS) {
        shares.context.push(await inContext(question, library, { max_tokens }));
        const conversation_id = newestConversation(library);
        shares.continued.push(await inContext(question, library, { max_tokens, conversation_id }));
        const layout = "stable";
        shares.stable.push(await inContext(question, library, { max_tokens, layout }));
        shares.stableContinued.push(
          await inContext(question, library, { max_tokens, conversation_id, layout }),
        );
        const found = await library.memory.askAsModel({ query: question.text, mode: "hybrid", max_tokens });
        shares.search.push(scoreAnswer(found, library, question).whole);
        shares.newest.push(shareOf(question.evidenceTurns, newestKeys(library, max_tokens)));
      }
      asked += 1;
      progress(`asked ${asked} of ${questions.length} questions`);
      return shares;
    },
    { concurrency: CONCURRENCY },
  );
  const mean = (way: Way) =>
    BUDGETS.map((_, i) => measured.reduce((sum, shares) => sum + (shares[way][i] ?? 0), 0) / measured.length);
  return {
    context: mean("context"),
    continued: mean("continued"),
    stable: mean("stable"),
    stableContinued: mean("stableContinued"),
    search: mean("search"),
    newest: mean("newest"),
  };
}

/** A table in Markdown, in percent. */
export function formatShares(shares: Shares, questions: number): string {
  const head = ["in the prompt", ...BUDGETS.map((budget) => `${budget.toLocaleString("en-US")} tokens`)];
  const rows = (Object.keys(WAYS) as Way[]).map((way) => [
    WAYS[way],
    ...shares[way].map((share) => (100 * share).toFixed(1)),
  ]);
  return `${questions} questions\n\n${markdownTable([head, ...rows])}`;
}

async function inContext(
  question: Question,
  { memory, turns }: Library,
  body: { max_tokens: number; conversation_id?: string; layout?: "stable" },
): Promise<number> {
  const { text, messages, results } = await memory.context({ query: question.text, ...body });
  if (countModelTokens(text) > body.max_tokens)
    throw new Error(`A context exceeds ${body.max_tokens} tokens`);
  const included = [
    ...results.items.flatMap((result) =>
      result.messages.map((message) => ({ ...message, conversationId: result.conversation_id })),
    ),
    ...messages.items.map((message) => ({ ...message, conversationId: body.conversation_id ?? "" })),
  ];
  const keys = included.flatMap(({ conversationId, sequence, content }) => {
    const turn = [...(turns.get(conversationId)?.values() ?? [])][sequence - 1];
    return turn?.content === content ? [turn.key] : [];
  });
  if (new Set(keys).size < keys.length) throw new Error("A context includes a message twice");
  return shareOf(question.evidenceTurns, new Set(keys));
}

const lastOf = (turns: ReadonlyMap<string, Turn>): number =>
  Math.max(...[...turns.values()].map(({ createdAtMs }) => createdAtMs));

function newestConversation({ turns }: Library): string {
  const [newest] = [...turns].sort(([, a], [, b]) => lastOf(b) - lastOf(a));
  return newest?.[0] ?? "";
}

/** The newest turns whose lines, as in a context, cost at most `tokensMax`. */
function newestKeys({ sessions }: Library, tokensMax: number): Set<string> {
  const keys = new Set<string>();
  let left = tokensMax;
  const turns = [...sessions.values()].flatMap(({ turns: own }) =>
    own.map((turn, place) => ({ turn, sequence: place + 1 })),
  );
  for (const { turn, sequence } of turns.sort((a, b) => b.turn.createdAtMs - a.turn.createdAtMs)) {
    const { role, name = null, toolName: tool_name = null, content, createdAtMs, key } = turn;
    const created_at = new Date(createdAtMs).toISOString();
    left -= countModelTokens(`${toLine({ sequence, role, name, tool_name, content, created_at })}\n`);
    if (left < 0) break;
    keys.add(key);
  }
  return keys;
}
