// The command of `npm run bench:speed`: how fast is Engram, compared with other systems and with theoretical
// limits?
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand, writeJson } from "./command/command.ts";
import { readArgs, type SpeedArgs, USAGE } from "./speed/args.ts";
import type { Measurement } from "./speed/figures.ts";
import { isPeer } from "./speed/peers.ts";
import { plotMeasurement } from "./speed/plot.ts";
import { formatReport } from "./speed/report.ts";
import { addLarge, runSpeed } from "./speed/run.ts";

const PLOT = "speed.svg";

await runCommand(USAGE, async ({ argv, workingDirectory, progress, print, atEnd, signal }) => {
  const args = readArgs(argv, workingDirectory);
  const options = { progress, onStart: atEnd, signal };
  let measurement = await runSpeed(args, options);
  if (args.large) {
    // Written now, so that a failure in the next part does not lose results.
    await writeResults(measurement, args);
    measurement = await addLarge(measurement, options);
  }
  await writeResults(measurement, args);
  print(formatReport(measurement));
  // Missing peers are accepted, a missing Engram is not.
  return measurement.skipped.some(({ name }) => !isPeer(name)) ? 1 : 0;
});

async function writeResults(measurement: Measurement, args: SpeedArgs): Promise<void> {
  if (args.resultsDirectory !== undefined) {
    await mkdir(args.resultsDirectory, { recursive: true });
    await writeFile(join(args.resultsDirectory, "speed.md"), `${formatReport(measurement, PLOT)}\n`);
    await writeFile(join(args.resultsDirectory, PLOT), plotMeasurement(measurement));
  }
  await writeJson(args.jsonFile, measurement);
}
