import { writeFile } from "node:fs/promises";
import type { Progress } from "../../../support/progress.ts";
import type { RecallArgs, Scope } from "./args.ts";
import { askQuestions, askUnanswerable } from "./ask.ts";
import type { DialogueSet, Question } from "./dialogues.ts";
import { isInHalf } from "./halves.ts";
import { type Library, loadLibraries } from "./load.ts";
import { DataError } from "./locomo.ts";
import type { Access } from "./memory.ts";
import { OFF_TOPIC_QUESTIONS } from "./off-topic.ts";
import {
  describeRelevance,
  formatTable,
  type ModeReport,
  reportMode,
  reportScope,
  type ScopeReport,
} from "./report.ts";

/** Output of a run. `progress` is transient, `print` is permanent. */
export interface Output {
  progress: Progress;
  print: (text: string) => void;
}

/**
 * Measure every requested scope and mode, print the tables, and write the JSON file if requested.
 *
 * @throws {DataError} when no question can be scored.
 */
export async function runRecall(
  args: RecallArgs,
  set: DialogueSet,
  access: Access,
  output: Output,
): Promise<Record<string, ScopeReport>> {
  const questions = set.dialogues
    .flatMap((dialogue) => dialogue.questions)
    .filter((question) => args.half === undefined || isInHalf(question, args.half));
  if (questions.length === 0) throw new DataError(`${set.name} has no question with evidence to score by`);
  const reports: Record<string, ScopeReport> = {};
  for (const scope of args.scopes) {
    reports[scope] = reportScope(await measureScope(scope, args, set, questions, access, output));
    // Written after each scope, so that a later failure does not lose results.
    if (args.jsonFile !== undefined) await writeFile(args.jsonFile, `${JSON.stringify(reports, null, 2)}\n`);
  }
  return reports;
}

async function measureScope(
  scope: Scope,
  { modes: [mode, ...baselines] }: RecallArgs,
  set: DialogueSet,
  questions: readonly Question[],
  access: Access,
  { progress, print }: Output,
): Promise<[ModeReport, ...ModeReport[]]> {
  const startedAtMs = Date.now();
  const libraries = await loadLibraries(access, scope, set, progress);
  const loadedInS = (Date.now() - startedAtMs) / 1_000;
  // Distributed over the dialogues in turn.
  const offTopic = OFF_TOPIC_QUESTIONS.map((text, index) => ({
    text,
    dialogueId: set.dialogues[index % set.dialogues.length]?.id ?? "",
  }));
  const measure = async (asked: typeof mode) =>
    reportMode(
      asked,
      await askQuestions(questions, libraries, asked, progress),
      {
        off_topic: await askUnanswerable(offTopic, libraries, asked),
        unanswerable: await askUnanswerable(set.unanswerable, libraries, asked),
      },
      set,
    );
  const reports: [ModeReport, ...ModeReport[]] = [await measure(mode)];
  for (const baseline of baselines) reports.push(await measure(baseline));
  print(
    `${await describe(scope, set, [...libraries.values()], loadedInS)}\n\n${formatTable(reports, set)}\n`,
  );
  for (const report of reports) {
    const { p50, p95 } = report.search_ms;
    print(
      `${report.mode}: a search took ${p50} ms at the median and ${p95} ms at the 95th percentile; ` +
        `a window held ${report.messages_per_window} messages.`,
    );
    print(`${report.mode}: ${describeRelevance(report)}`);
    if (report.degraded > 0) {
      print(`${report.mode}: ${report.degraded} questions were answered in part only (degraded).`);
    }
  }
  print("");
  return reports;
}

async function describe(
  scope: Scope,
  { name, dialogues }: DialogueSet,
  libraries: readonly Library[],
  loadedInS: number,
): Promise<string> {
  const status = await libraries[0]?.memory.index.status();
  const turns = dialogues.flatMap((dialogue) => dialogue.sessions.flatMap((session) => session.turns)).length;
  const organizations = scope === "own" ? "one organization per dialogue" : "all in one organization";
  return (
    `${name}, ${scope}: ${dialogues.length} dialogues with ${turns} turns, ${organizations}, ` +
    `stored and indexed in ${loadedInS.toFixed(1)} s by ${status?.model} (${status?.dimensions} dimensions)`
  );
}
