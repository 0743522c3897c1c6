import type { ConversationSearchAnswer } from "@engram/sdk";
import pMap from "p-map";
import type { Progress } from "../../../support/progress.ts";
import type { Mode } from "./args.ts";
import type { Question, Turn, UnanswerableQuestion } from "./dialogues.ts";
import { CONCURRENCY, type Library, libraryOf } from "./load.ts";
import { type Scores, scoreQuestion } from "./metrics.ts";
import { type Received, scoreAnswer } from "./model-answer.ts";
import { toWindows } from "./windows.ts";

/** Two ways to search: for single turns, and for turns with their neighbors, merged where they overlap. */
const SEARCHES = {
  turns: { neighbors: { before: 0, after: 0 }, limit: 50 },
  windows: { neighbors: { before: 2, after: 2 }, limit: 20 },
} as const;

/**
 * Shapes of measured results: as returned by the two searches, and the single turns grouped into windows by
 * the bench.
 */
const SHAPES = ["turns", "windows", "windows_of_five"] as const;
export type Shape = (typeof SHAPES)[number];

/** A question with the scores of its results in each shape, 0 to 1. */
export interface AskedQuestion extends Record<Shape, Scores> {
  question: Question;
  category: string;
  /** Keys of the single turns, best first. */
  ranked: string[];
  degraded: boolean;
  /** Time of each search, from sending the request to reading the response. */
  searchMs: number[];
  windowMessages: number[];
  /** Highest relevance of a window that contains evidence; 0 when none was found. */
  evidenceRelevance: number;
  /** What a model gets of the evidence through MCP. */
  received: Received;
}

/**
 * Run both searches for every question, a few questions at a time.
 *
 * @param libraries By dialogue id, as `loadLibraries` returns them.
 * @returns One entry per question, in their order.
 * @throws {Error} when a response contains a message that was never stored, or that was altered.
 */
export async function askQuestions(
  questions: readonly Question[],
  libraries: ReadonlyMap<string, Library>,
  mode: Mode,
  progress: Progress,
): Promise<AskedQuestion[]> {
  let asked = 0;
  return pMap(
    questions,
    async (question) => {
      const library = libraryOf(libraries, question);
      const turns = await ask(question, library, mode, "turns");
      const windows = await ask(question, library, mode, "windows");
      const answer = await library.memory.askAsModel({ query: question.text, mode, ...timeOf(question) });
      asked += 1;
      progress(`${mode}: asked ${asked} of ${questions.length} questions`);
      return {
        question,
        category: question.category,
        ranked: turns.ranking.flat().map(({ key }) => key),
        turns: scoreQuestion(turns.ranking, question),
        windows: scoreQuestion(windows.ranking, question),
        windows_of_five: scoreQuestion(toWindows(turns.ranking, library.sessions), question),
        received: scoreAnswer(answer, library, question),
        degraded: turns.degraded || windows.degraded,
        searchMs: [turns.searchMs, windows.searchMs],
        windowMessages: windows.ranking.map((messages) => messages.length),
        evidenceRelevance: Math.max(
          0,
          ...windows.ranking.flatMap((turns, place) =>
            turns.some(({ key }) => question.evidenceTurns.has(key)) ? [windows.relevances[place] ?? 0] : [],
          ),
        ),
      };
    },
    { concurrency: CONCURRENCY },
  );
}

/**
 * Search for questions that have no answer, in windows.
 *
 * @returns The highest relevance of each question's results, in their order; 0 without results.
 */
export async function askUnanswerable(
  questions: readonly UnanswerableQuestion[],
  libraries: ReadonlyMap<string, Library>,
  mode: Mode,
): Promise<number[]> {
  return pMap(
    questions,
    async (question) => {
      const { memory } = libraryOf(libraries, question);
      const { results } = await memory.search({ query: question.text, mode, ...SEARCHES.windows });
      return Math.max(0, ...results.map(({ relevance }) => relevance));
    },
    { concurrency: CONCURRENCY },
  );
}

async function ask(question: Question, library: Library, mode: Mode, way: keyof typeof SEARCHES) {
  const startedAtMs = performance.now();
  const answer = await library.memory.search({
    query: question.text,
    mode,
    ...SEARCHES[way],
    ...timeOf(question),
  });
  return {
    searchMs: performance.now() - startedAtMs,
    ranking: toRanking(answer, library),
    relevances: answer.results.map(({ relevance }) => relevance),
    degraded: answer.degraded.length > 0,
  };
}

const timeOf = ({ createdBefore }: Question) =>
  createdBefore === undefined ? {} : { created_before: createdBefore };

function toRanking(answer: ConversationSearchAnswer, library: Library): Turn[][] {
  return answer.results.map((result) =>
    result.messages.map((message): Turn => {
      const turn = library.turns.get(result.conversation_id)?.get(message.external_id ?? "");
      if (turn === undefined) {
        throw new Error(
          `A search answered what was not stored: ${result.conversation_id} ${message.external_id}`,
        );
      }
      if (turn.content !== message.content) {
        throw new Error(`Turn ${turn.key} came back altered: ${JSON.stringify(message.content)}`);
      }
      return turn;
    }),
  );
}
