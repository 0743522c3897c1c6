// What `npm run bench:cost` runs: what do messages and searches take of Cloudflare, and what does that cost?
import { writeFile } from "node:fs/promises";
import { readArgs, USAGE, UsageError } from "./cost/args.ts";
import { measure } from "./cost/measure.ts";
import { formatReport } from "./cost/report.ts";
import { startMeteredService } from "./cost/service.ts";
import { generatedWorkload, locomoWorkload } from "./cost/workload.ts";
import { DataError, loadDialogues } from "./recall/locomo.ts";
import { createProgress } from "./recall/progress.ts";

const { show: progress, clear } = createProgress(process.stderr);

try {
  // npm runs scripts in the package; INIT_CWD is where the person stands.
  await main(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd());
} catch (error) {
  clear();
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function main(argv: string[], workingDirectory: string): Promise<void> {
  const args = readArgs(argv, workingDirectory);
  const workload =
    args.dataDirectory === undefined
      ? generatedWorkload()
      : locomoWorkload(await loadDialogues(args.dataDirectory));
  progress("starting the service");
  const service = await startMeteredService();
  try {
    const measurement = await measure(workload, args.messages, service, progress);
    clear();
    process.stdout.write(`${formatReport(measurement)}\n`);
    if (args.jsonFile !== undefined) {
      await writeFile(args.jsonFile, `${JSON.stringify(measurement, null, 2)}\n`);
    }
  } finally {
    await service.stop();
  }
}

/** What went wrong: a sentence for what people can change, the stack for the rest. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof DataError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
