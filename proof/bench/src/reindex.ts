// The command of `npm run bench:reindex`: how much recall does a change of the embedding model cost, and does
// it come back?
import { generateChats } from "./chats/chats.ts";
import { runCommand } from "./command/command.ts";
import { readOptions } from "./command/options.ts";
import { measureReindex } from "./reindex/measure.ts";
import { findFaults, formatReport } from "./reindex/report.ts";

/** Use every fourth of the chats' users, because every question runs ten times. */
const USERS_SHARE = 4;

await runCommand("Usage: npm run bench:reindex", async ({ argv, progress, print, signal }) => {
  readOptions(argv, {});
  const chats = generateChats();
  const set = { ...chats, dialogues: chats.dialogues.filter((_, i) => i % USERS_SHARE === 0) };
  const measurement = await measureReindex(set, progress, signal);
  print(`${formatReport(measurement, set)}\n`);
  const faults = findFaults(measurement);
  print(
    faults.length === 0
      ? "Every question scores as if the organization had been filled under the new model."
      : faults.join("\n"),
  );
  return faults.length === 0 ? 0 : 1;
});
