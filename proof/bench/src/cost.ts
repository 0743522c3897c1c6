// The command of `npm run bench:cost`: which Cloudflare resources do messages, memories, searches and archives use, and what do
// they cost?
import { runCommand, writeJson } from "./command/command.ts";
import { archiveMessages } from "./cost/archives.ts";
import { readArgs, USAGE } from "./cost/args.ts";
import { type Captured, captureMemories } from "./cost/captures.ts";
import { measure } from "./cost/measure.ts";
import { formatReport } from "./cost/report.ts";
import { startMeteredService } from "./cost/service.ts";
import { generatedWorkload, locomoWorkload } from "./cost/workload.ts";
import { loadDialogues } from "./recall/locomo.ts";

/** Memories that are captured with each number of sources. */
const MEMORIES = 1_000;
const SOURCES = [0, 2];
const ARCHIVED_MESSAGES = 10_000;

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
  // Another database, because the size of the first one is that of the messages.
  const ofMemories = await startMeteredService();
  atEnd(() => ofMemories.stop());
  const { perSweep } = measurement;
  const captured: Captured[] = [];
  for (const sources of SOURCES) {
    progress(`capturing memories with ${sources} sources`);
    captured.push(await captureMemories(ofMemories, workload, { sources, memories: MEMORIES, perSweep }));
  }
  progress(`archiving ${ARCHIVED_MESSAGES} messages`);
  const archived = await archiveMessages(ofMemories, workload, { messages: ARCHIVED_MESSAGES, perSweep });
  print(formatReport(measurement, captured, archived));
  await writeJson(args.jsonFile, { ...measurement, captured, archived });
  return 0;
});
