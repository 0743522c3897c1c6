// The command of `npm run bench:context`: how much of the evidence for questions is in a context of a given size, and
// how much of the prompt of a turn is as in the turn before?
import { runCommand } from "./command/command.ts";
import { readCount, readOptions, readPath, UsageError } from "./command/options.ts";
import { formatShares, measureContexts } from "./contexts/measure.ts";
import { formatHeld, measureSummaries } from "./contexts/summaries.ts";
import { formatTurns, measureTurns, TURNS } from "./contexts/turns.ts";
import { HALVES, isInHalf } from "./recall/halves.ts";
import { loadLibraries } from "./recall/load.ts";
import { loadLocomo } from "./recall/locomo.ts";
import { accessService } from "./recall/memory.ts";
import { readChats } from "./recall/own-sets.ts";
import { loadTranscripts } from "./recall/transcripts.ts";

const USAGE = `Usage: npm run bench:context -- (--set chats | --data PATH) [options]

  --set chats      the conversations with assistants of proof/bench/sets/chats
  --data PATH      folder with LoCoMo dialogues, one <n>.json each, or a file of transcripts, *.json.gz
  --half dev|held  only one half of the questions; all of them when not given
  --questions N    only so many of them, from the whole set in equal steps
  --summaries      instead, stores each dialogue as one conversation, and asks with and without its summaries
  --turns          instead, replays ${TURNS} turns of each dialogue as one conversation`;

await runCommand(USAGE, async ({ argv, workingDirectory, print, progress, startService }) => {
  const {
    set: name,
    data,
    half,
    questions: given,
    summaries,
    turns,
  } = readOptions(argv, {
    set: { type: "string" },
    data: { type: "string" },
    half: { type: "string" },
    questions: { type: "string" },
    summaries: { type: "boolean" },
    turns: { type: "boolean" },
  });
  const directory = readPath(workingDirectory, data);
  const chosen = HALVES.find((one) => one === half);
  if ((name === "chats") === (directory !== undefined) || (half !== undefined && chosen === undefined))
    throw new UsageError(
      "Name what to measure with: either --set chats or --data with a folder of dialogues",
    );
  const load = directory?.endsWith(".json.gz") ? loadTranscripts : loadLocomo;
  const set = directory === undefined ? readChats() : await load(directory);
  const { url, adminToken } = await startService();
  const libraries = await loadLibraries(
    accessService({ url, adminToken, key: undefined }),
    "own",
    set,
    progress,
  );
  if (turns) {
    print(formatTurns(await measureTurns(set.dialogues, libraries, progress)));
    return 0;
  }
  const all = set.dialogues
    .flatMap((dialogue) => dialogue.questions)
    .filter((question) => chosen === undefined || isInHalf(question, chosen));
  const step = all.length / Math.min(all.length, readCount("--questions", given, all.length));
  const questions = all.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
  if (summaries) {
    print(
      formatHeld(await measureSummaries(set.dialogues, questions, libraries, progress), questions.length),
    );
    return 0;
  }
  print(formatShares(await measureContexts(questions, libraries, progress), questions.length));
  return 0;
});
