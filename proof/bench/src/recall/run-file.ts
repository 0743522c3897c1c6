import type { DialogueSet, Question } from "./dialogues.ts";
import { idsOf, type QuestionLine } from "./question-lines.ts";

/** TREC files separate their fields by white space. */
const toField = (text: string): string => text.replace(/\s/g, "_");

/** Score of the best result, reduced by 1 from place to place, because scorers sort by score. */
const SCORE_MAX = 1_000;

/** A TREC run file: `question Q0 document rank score system`. */
export function toRun(lines: readonly QuestionLine[], rankedOf: (line: QuestionLine) => string[]): string {
  return lines
    .flatMap((line) =>
      rankedOf(line).map(
        (key, place) =>
          `${toField(line.id)} Q0 ${toField(key)} ${place + 1} ${SCORE_MAX - place} ${toField(line.system)}\n`,
      ),
    )
    .join("");
}

/** A TREC qrels file: `question 0 document 1` for each relevant document. */
export function toQrels(
  asked: readonly (readonly [id: string, question: Question])[],
  relevantOf: (question: Question) => ReadonlySet<string>,
): string {
  return asked
    .flatMap(([id, question]) =>
      [...relevantOf(question)].map((key) => `${toField(id)} 0 ${toField(key)} 1\n`),
    )
    .join("");
}

/** The files of `--rankings FILE`, by what is appended to FILE: turns, sessions, and the evidence of both. */
export function toRankingFiles(set: DialogueSet, lines: readonly QuestionLine[]): Record<string, string> {
  const sessionOf = new Map(
    set.dialogues.flatMap(({ sessions }) =>
      sessions.flatMap((session) => session.turns.map(({ key }) => [key, session.key] as const)),
    ),
  );
  const asked = new Set(lines.map(({ id }) => id));
  const questions = [...idsOf(set)].flatMap(([question, id]) =>
    asked.has(id) ? [[id, question] as const] : [],
  );
  return {
    "": toRun(lines, ({ ranked }) => ranked),
    ".qrels": toQrels(questions, ({ evidenceTurns }) => evidenceTurns),
    ".sessions": toRun(lines, ({ ranked }) => [...new Set(ranked.map((key) => sessionOf.get(key) ?? ""))]),
    ".sessions.qrels": toQrels(questions, ({ evidenceSessions }) => evidenceSessions),
  };
}
