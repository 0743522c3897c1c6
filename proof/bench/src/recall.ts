// The command of `npm run bench:recall`: how much of the evidence for questions does a search find?
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Command, runCommand } from "./command/command.ts";
import { loadLanguages } from "./languages/load.ts";
import { formatLanguages } from "./languages/report.ts";
import { type RecallArgs, readArgs, type Source, USAGE } from "./recall/args.ts";
import type { DialogueSet } from "./recall/dialogues.ts";
import { findBelowFloors, readFloors } from "./recall/floors.ts";
import { loadLocomo } from "./recall/locomo.ts";
import { loadLongMemEval, toRetrievalLog } from "./recall/longmemeval.ts";
import { accessService } from "./recall/memory.ts";
import { readNotes } from "./recall/notes/notes.ts";
import { runNotes } from "./recall/notes/run.ts";
import { readChats, readCode } from "./recall/own-sets.ts";
import { type QuestionLine, readJsonLines, toJsonLines } from "./recall/question-lines.ts";
import { type RecallRun, runRecall } from "./recall/run.ts";
import { toRankingFiles } from "./recall/run-file.ts";
import { compareRuns, engramOf, type Failures, toPage } from "./recall/table.ts";
import { loadTranscripts } from "./recall/transcripts.ts";

await runCommand(USAGE, async (command) => {
  const { print } = command;
  const args = readArgs(command.argv, command.workingDirectory);
  const [first] = args.sources;
  const floors = args.floorsFile && (await readFloors(args.floorsFile, first.set, args.scopes));
  const earlier = args.compareFile === undefined ? [] : await readJsonLines(args.compareFile);
  const reports =
    first.set === "notes" ? await recallNotes(args, command) : await recallDialogues(args, command, earlier);
  if (!floors) return 0;
  const below = findBelowFloors(floors, first.set, reports);
  print(below.length === 0 ? "Every floor holds." : below.join("\n"));
  return below.length === 0 ? 0 : 1;
});

/** @returns The reports of the last set, by scope. */
async function recallDialogues(args: RecallArgs, command: Command, earlier: readonly QuestionLine[]) {
  const service = args.remote ?? (await command.startService());
  const lines: QuestionLine[] = [];
  const failures: Failures = {};
  let reports: RecallRun["reports"] = {};
  for (const source of args.sources) {
    const set = await loadSet(source);
    const access = accessService(service);
    // A service started here is deleted with all its data, so only a remote one needs cleanup.
    if (args.remote !== undefined) command.atEnd(access.close);
    const run = await runRecall(args, set, access, command);
    lines.push(...run.lines);
    Object.assign(failures, run.failures);
    reports = run.reports;
    if (source.set === "languages" && reports.own) command.print(formatLanguages(reports.own));
    // Written after each set, so that a later failure does not lose results.
    await writeFiles(args, set, lines, failures);
  }
  if (earlier.length > 0) command.print(compareRuns(lines, earlier).join("\n"));
  return reports;
}

async function writeFiles(
  { questionsFile, rankingsFile, resultsDirectory, modes: [mode], peers }: RecallArgs,
  set: DialogueSet,
  lines: readonly QuestionLine[],
  failures: Failures,
) {
  if (questionsFile !== undefined) await writeFile(questionsFile, toJsonLines(lines));
  if (resultsDirectory !== undefined) {
    await writeFile(join(resultsDirectory, "recall.md"), toPage(lines, peers, failures));
  }
  if (rankingsFile === undefined) return;
  const own = lines.filter(({ system }) => system === engramOf(mode));
  const files = toRankingFiles(set, own);
  if (set.name === "longmemeval") files[".jsonl"] = toRetrievalLog(set, own);
  for (const [ending, text] of Object.entries(files)) await writeFile(`${rankingsFile}${ending}`, text);
}

async function loadSet({ set, dataPath }: Source) {
  if (set === "languages") return await loadLanguages();
  if (dataPath === undefined) return set === "code" ? readCode() : readChats();
  if (set === "longmemeval") return await loadLongMemEval(dataPath);
  return set === "transcripts" ? await loadTranscripts(dataPath) : await loadLocomo(dataPath);
}

async function recallNotes(args: RecallArgs, command: Command) {
  const set = readNotes();
  const access = accessService(args.remote ?? (await command.startService()));
  if (args.remote !== undefined) command.atEnd(access.close);
  return runNotes(args, set, await access.open("notes"), command);
}
