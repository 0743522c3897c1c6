import { writeFile } from "node:fs/promises";
import type { Progress } from "../../../support/progress.ts";
import UNRELATED from "../../sets/unrelated.json" with { type: "json" };
import type { RecallArgs, Scope } from "./args.ts";
import { type AskedQuestion, askQuestions, askUnanswerable } from "./ask.ts";
import type { DialogueSet, Question } from "./dialogues.ts";
import { isInHalf } from "./halves.ts";
import { type Library, loadLibraries } from "./load.ts";
import { DataError } from "./locomo.ts";
import type { Access } from "./memory.ts";
import { askPeer, PEERS } from "./peers.ts";
import { createToLine, type QuestionLine } from "./question-lines.ts";
import {
  describeRelevance,
  formatTable,
  type ModeReport,
  reportMode,
  reportScope,
  type ScopeReport,
} from "./report.ts";
import { engramOf, type Failures } from "./table.ts";

/** Output of a run. `progress` is transient, `print` is permanent. */
export interface Output {
  progress: Progress;
  print: (text: string) => void;
  /** Aborts when the command ends early. */
  signal: AbortSignal;
}

export interface RecallRun {
  /** By scope. */
  reports: Record<string, ScopeReport>;
  /** Of Engram's modes in each scope, then of the peers. */
  lines: QuestionLine[];
  failures: Failures;
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
): Promise<RecallRun> {
  const questions = set.dialogues
    .flatMap((dialogue) => dialogue.questions)
    .filter((question) => args.half === undefined || isInHalf(question, args.half));
  if (questions.length === 0) throw new DataError(`${set.name} has no question with evidence to score by`);
  const run: RecallRun = { reports: {}, lines: [], failures: {} };
  for (const scope of args.scopes) {
    const measured = await measureScope(scope, args, set, questions, access, output);
    const toLine = createToLine(set, scope);
    for (const { report, asked } of measured) {
      const system = engramOf(report.mode);
      run.lines.push(...asked.map(({ question, ranked }) => toLine(system, question, ranked)));
    }
    const [first, ...baselines] = measured;
    run.reports[scope] = reportScope([first.report, ...baselines.map(({ report }) => report)]);
    // Written after each scope, so that a later failure does not lose results.
    if (args.jsonFile !== undefined)
      await writeFile(args.jsonFile, `${JSON.stringify(run.reports, null, 2)}\n`);
  }
  const toLine = createToLine(set, "own");
  for (const name of args.peers) {
    try {
      const ranked = await askPeer(name, set, questions, output);
      const { title } = PEERS[name];
      run.lines.push(...questions.map((question, index) => toLine(title, question, ranked[index] ?? [])));
    } catch (error) {
      output.signal.throwIfAborted();
      // A system that fails must not lose the others' figures.
      const reason = error instanceof Error ? error.message : String(error);
      run.failures[name] = `${set.name}: ${reason}`;
      output.print(`${name} was not measured: ${reason}`);
    }
  }
  return run;
}

interface Measured {
  report: ModeReport;
  asked: AskedQuestion[];
}

async function measureScope(
  scope: Scope,
  { modes: [mode, ...baselines] }: RecallArgs,
  set: DialogueSet,
  questions: readonly Question[],
  access: Access,
  { progress, print }: Output,
): Promise<[Measured, ...Measured[]]> {
  const startedAtMs = Date.now();
  const libraries = await loadLibraries(access, scope, set, progress);
  const loadedInS = (Date.now() - startedAtMs) / 1_000;
  // Distributed over the dialogues in turn.
  const offTopic = UNRELATED.general.map((text, index) => ({
    text,
    dialogueId: set.dialogues[index % set.dialogues.length]?.id ?? "",
  }));
  const measure = async (searched: typeof mode): Promise<Measured> => {
    const asked = await askQuestions(questions, libraries, searched, progress);
    const silent = {
      off_topic: await askUnanswerable(offTopic, libraries, searched),
      unanswerable: await askUnanswerable(set.unanswerable, libraries, searched),
    };
    return { report: reportMode(searched, asked, silent, set), asked };
  };
  const measured: [Measured, ...Measured[]] = [await measure(mode)];
  for (const baseline of baselines) measured.push(await measure(baseline));
  const [first, ...others] = measured;
  const reports: [ModeReport, ...ModeReport[]] = [first.report, ...others.map(({ report }) => report)];
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
  return measured;
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
