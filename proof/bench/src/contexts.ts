// The command of `npm run bench:context`: how much of the evidence for questions is in a context of a given size?
import { runCommand } from "./command/command.ts";
import { readCount, readOptions, readPath, UsageError } from "./command/options.ts";
import { formatShares, measureContexts } from "./contexts/measure.ts";
import { HALVES, isInHalf } from "./recall/halves.ts";
import { loadLibraries } from "./recall/load.ts";
import { loadLocomo } from "./recall/locomo.ts";
import { accessService } from "./recall/memory.ts";
import { readChats } from "./recall/own-sets.ts";

const USAGE = `Usage: npm run bench:context -- (--set chats | --data DIR) [options]

  --set chats      the conversations with assistants of proof/bench/sets/chats
  --data DIR       folder with LoCoMo dialogues, one <n>.json each
  --half dev|held  only one half of the questions; all of them when not given
  --questions N    only so many of them, from the whole set in equal steps`;

await runCommand(USAGE, async ({ argv, workingDirectory, print, progress, startService }) => {
  const {
    set: name,
    data,
    half,
    questions: given,
  } = readOptions(argv, {
    set: { type: "string" },
    data: { type: "string" },
    half: { type: "string" },
    questions: { type: "string" },
  });
  const directory = readPath(workingDirectory, data);
  const chosen = HALVES.find((one) => one === half);
  if ((name === "chats") === (directory !== undefined) || (half !== undefined && chosen === undefined))
    throw new UsageError(
      "Name what to measure with: either --set chats or --data with a folder of dialogues",
    );
  const set = directory === undefined ? readChats() : await loadLocomo(directory);
  const { url, adminToken } = await startService();
  const libraries = await loadLibraries(
    accessService({ url, adminToken, key: undefined }),
    "own",
    set,
    progress,
  );
  const all = set.dialogues
    .flatMap((dialogue) => dialogue.questions)
    .filter((question) => chosen === undefined || isInHalf(question, chosen));
  const step = all.length / Math.min(all.length, readCount("--questions", given, all.length));
  const questions = all.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
  print(formatShares(await measureContexts(questions, libraries, progress), questions.length));
  return 0;
});
