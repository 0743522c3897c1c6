// The command of `npm run bench:worst-queries`: how long can one search occupy the database?
import { runCommand, writeJson } from "./command/command.ts";
import { readArgs, USAGE } from "./worst-queries/args.ts";
import { measureQueries } from "./worst-queries/measure.ts";
import { findSlow, formatReport } from "./worst-queries/report.ts";

await runCommand(USAGE, async ({ argv, workingDirectory, progress, print, signal }) => {
  const args = readArgs(argv, workingDirectory);
  const measured = await measureQueries(args, progress, signal);
  print(formatReport(measured));
  await writeJson(args.jsonFile, measured);
  const slow = findSlow(measured);
  for (const line of slow) print(line);
  return slow.length === 0 ? 0 : 1;
});
