import { readFile } from "node:fs/promises";
import { CommandError } from "../command/options.ts";
import type { Scope } from "./args.ts";
import type { DialogueSet, Question } from "./dialogues.ts";
import { bootstrap, type Interval } from "./intervals.ts";
import { type Scores, scoreQuestion, scoresOf } from "./metrics.ts";

/** The metrics of single turns that every system has. */
export const COMPARED = [
  "s_any@1",
  "s_any@5",
  "s_any@10",
  "s_all@5",
  "s_all@10",
  "r@10",
  "ndcg@10",
  "mrr",
] as const;
export type Compared = (typeof COMPARED)[number];

/** What one system found for one question: a line of the file of `--questions`. */
export interface QuestionLine {
  set: string;
  scope: Scope;
  system: string;
  /** Unique in its set, and the same in every run. */
  id: string;
  class: string;
  /** 0 to 1. */
  metrics: Pick<Scores, Compared>;
  /** Keys of the single turns, best first. */
  ranked: string[];
}

/** The id of each question: the data's own, or the dialogue's with the question's position. */
export function idsOf({ dialogues }: Pick<DialogueSet, "dialogues">): Map<Question, string> {
  return new Map(
    dialogues.flatMap(({ id, questions }) =>
      questions.map((question, index) => [question, question.id ?? `${id}/q${index + 1}`] as const),
    ),
  );
}

/** Score the ranking of each question. */
export function createToLine(set: DialogueSet, scope: Scope) {
  const ids = idsOf(set);
  const turns = new Map(
    set.dialogues.flatMap(({ sessions }) => sessions.flatMap((s) => s.turns.map((turn) => [turn.key, turn]))),
  );
  return (system: string, question: Question, ranked: string[]): QuestionLine => {
    const found = ranked.map((key) => {
      const turn = turns.get(key);
      if (turn === undefined) throw new Error(`${system} found what was not stored: ${key}`);
      return [turn];
    });
    const scores = scoreQuestion(found, question);
    return {
      set: set.name,
      scope,
      system,
      id: ids.get(question) ?? "",
      class: set.categories.get(question.category) ?? question.category,
      metrics: scoresOf(COMPARED, (metric) => scores[metric]),
      ranked,
    };
  };
}

export const toJsonLines = (lines: readonly QuestionLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** @throws {CommandError} when the file is not one of `--questions`. */
export async function readJsonLines(file: string): Promise<QuestionLine[]> {
  try {
    const text = await readFile(file, "utf8");
    return text.split("\n").flatMap((line) => {
      if (line === "") return [];
      const read: QuestionLine = JSON.parse(line);
      if (typeof read.id !== "string" || typeof read.metrics?.mrr !== "number")
        throw new Error("no such line");
      return [read];
    });
  } catch (cause) {
    throw new CommandError(`${file} is no file of --questions`, { cause });
  }
}

/** Mean and interval of a metric over questions, in percent. */
export const intervalOf = (lines: readonly QuestionLine[], metric: Compared): Interval =>
  bootstrap(lines.map(({ metrics }) => 100 * metrics[metric]));

/** Mean and interval of `lines` minus `others` over the questions that both have, in percentage points. */
export function differenceOf(
  lines: readonly QuestionLine[],
  others: readonly QuestionLine[],
  metric: Compared,
): Interval {
  const byId = new Map(others.map((line) => [line.id, line]));
  return bootstrap(
    lines.flatMap(({ id, metrics }) => {
      const other = byId.get(id);
      return other === undefined ? [] : [100 * (metrics[metric] - other.metrics[metric])];
    }),
  );
}

/** Group lines, in the order of their first occurrence. */
export function groupBy(
  lines: readonly QuestionLine[],
  keyOf: (line: QuestionLine) => string,
): Map<string, QuestionLine[]> {
  const groups = new Map<string, QuestionLine[]>();
  for (const line of lines) {
    const key = keyOf(line);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  return groups;
}
