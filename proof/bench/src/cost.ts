// The command of `npm run bench:cost`: which Cloudflare resources do messages and searches use, and what do
// they cost?
import { runCommand, writeJson } from "./command/command.ts";
import { readArgs, USAGE } from "./cost/args.ts";
import { measure } from "./cost/measure.ts";
import { formatReport } from "./cost/report.ts";
import { startMeteredService } from "./cost/service.ts";
import { generatedWorkload, locomoWorkload } from "./cost/workload.ts";
import { loadDialogues } from "./recall/locomo.ts";

await runCommand(USAGE, async ({ argv, workingDirectory, progress, print, atEnd }) => {
  const args = readArgs(argv, workingDirectory);
  const workload =
    args.dataDirectory === undefined
      ? generatedWorkload()
      : locomoWorkload(await loadDialogues(args.dataDirectory));
  progress("starting the service");
  const service = await startMeteredService();
  atEnd(() => service.stop());
  const measurement = await measure(workload, args.messages, service, progress);
  print(formatReport(measurement));
  await writeJson(args.jsonFile, measurement);
  return 0;
});
