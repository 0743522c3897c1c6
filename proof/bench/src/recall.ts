// The command of `npm run bench:recall`: how much of the evidence for questions does a search find?
import { startServiceProcess } from "../../support/service-process.ts";
import { generateChats } from "./chats/chats.ts";
import { generateCode } from "./code/code.ts";
import { type Command, runCommand } from "./command/command.ts";
import { loadLanguages } from "./languages/load.ts";
import { formatLanguages } from "./languages/report.ts";
import { generateNotes } from "./notes/notes.ts";
import { type RecallArgs, readArgs, USAGE } from "./recall/args.ts";
import { findBelowFloors, readFloors } from "./recall/floors.ts";
import { loadLocomo } from "./recall/locomo.ts";
import { accessService } from "./recall/memory.ts";
import { openNotebook } from "./recall/notes/notebook.ts";
import { runNotes } from "./recall/notes/run.ts";
import { runRecall } from "./recall/run.ts";
import { loadTranscripts } from "./recall/transcripts.ts";

await runCommand(USAGE, async (command) => {
  const { print } = command;
  const args = readArgs(command.argv, command.workingDirectory);
  const floors = args.floorsFile && (await readFloors(args.floorsFile, args.set, args.scopes));
  const reports =
    args.set === "notes" ? await recallNotes(args, command) : await recallDialogues(args, command);
  if (!floors) return 0;
  const below = findBelowFloors(floors, args.set, reports);
  print(below.length === 0 ? "Every floor holds." : below.join("\n"));
  return below.length === 0 ? 0 : 1;
});

async function recallDialogues(args: RecallArgs, command: Command) {
  const set = await loadSet(args);
  const access = accessService(args.remote ?? (await startService(command)));
  // A service started here is deleted with all its data, so only a remote one needs cleanup.
  if (args.remote !== undefined) command.atEnd(access.close);
  const reports = await runRecall(args, set, access, command);
  if (args.set === "languages" && reports.own) command.print(formatLanguages(reports.own));
  return reports;
}

async function loadSet({ set, dataPath }: RecallArgs) {
  if (set === "languages") return await loadLanguages();
  if (dataPath === undefined) return set === "code" ? generateCode() : generateChats();
  return set === "transcripts" ? await loadTranscripts(dataPath) : await loadLocomo(dataPath);
}

async function recallNotes(args: RecallArgs, command: Command) {
  const set = generateNotes();
  const notebook = await openNotebook(args.remote ?? (await startService(command)));
  if (args.remote !== undefined) command.atEnd(notebook.close);
  return runNotes(args, set, notebook, command);
}

async function startService({ progress, atEnd }: Command) {
  progress("starting the service");
  const starting = startServiceProcess();
  // Registered before the service is ready, so that a signal during the start also stops it.
  atEnd(async () => (await starting.catch(() => undefined))?.stop());
  return await starting;
}
