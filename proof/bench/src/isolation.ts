// The command of `npm run bench:isolation`: does a search in one organization depend on what others have
// stored?
import { runCommand, writeJson } from "./command/command.ts";
import { generatedWorkload } from "./cost/workload.ts";
import { readArgs, USAGE } from "./isolation/args.ts";
import { measureIsolation } from "./isolation/measure.ts";
import { findDependence, formatReport } from "./isolation/report.ts";

await runCommand(USAGE, async ({ argv, workingDirectory, progress, print, signal }) => {
  const args = readArgs(argv, workingDirectory);
  const measurement = await measureIsolation(generatedWorkload(), args, progress, signal);
  print(formatReport(measurement));
  await writeJson(args.jsonFile, measurement);
  const dependence = findDependence(measurement);
  for (const line of dependence) print(line);
  return dependence.length === 0 ? 0 : 1;
});
