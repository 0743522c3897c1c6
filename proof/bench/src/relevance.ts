// The command of `npm run bench:relevance`: does `relevance` say whether anything was found, in small and large stores?
import { runCommand } from "./command/command.ts";
import { loadLocomo } from "./recall/locomo.ts";
import { accessService } from "./recall/memory.ts";
import { readChats } from "./recall/own-sets.ts";
import { loadTranscripts } from "./recall/transcripts.ts";
import { readArgs, USAGE } from "./relevance/args.ts";
import { askStores } from "./relevance/measure.ts";
import { findFailures, formatCurves } from "./relevance/report.ts";
import { drawStores } from "./relevance/stores.ts";

await runCommand(USAGE, async ({ argv, workingDirectory, print, progress, startService }) => {
  const args = readArgs(argv, workingDirectory);
  const sets = await Promise.all(
    args.dataPaths.map((path) => (path.endsWith(".json.gz") ? loadTranscripts(path) : loadLocomo(path))),
  );
  const stores = drawStores([...(args.withChats ? [readChats()] : []), ...sets]);
  const { url, adminToken } = await startService();
  const access = accessService({ url, adminToken, key: undefined });
  const measured = await askStores(access, stores, progress);
  print(formatCurves(measured));
  if (!args.isChecked) return 0;
  const failures = findFailures(measured);
  print(failures.length === 0 ? "Every bound holds." : failures.join("\n"));
  return failures.length === 0 ? 0 : 1;
});
