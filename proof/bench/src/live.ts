// The command of `npm run bench:live`: measures how soon an event is at its readers, by each transport.
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { runCommand, writeJson } from "./command/command.ts";
import { readCount, readOptions, readPath } from "./command/options.ts";
import { type Figures, measureTransport, TRANSPORTS } from "./live/measure.ts";
import { formatReport, type Measurement } from "./live/report.ts";

const USAGE = `Usage: npm run bench:live -- [options]

  --appends N     messages for each figure (default 30)
  --readers N     at most this number of readers (default 1,000)
  --json FILE     write the figures to FILE
  --results DIR   write live.md to DIR`;

const READERS = [1, 100, 1_000];

await runCommand(USAGE, async ({ argv, workingDirectory, progress, print, startService, signal }) => {
  const options = readOptions(argv, {
    appends: { type: "string" },
    readers: { type: "string" },
    json: { type: "string" },
    results: { type: "string" },
  });
  const appends = readCount("--appends", options.appends, 30);
  const readersMax = readCount("--readers", options.readers, 1_000);
  const service = await startService();
  const figures: Figures[] = [];
  for (const transport of TRANSPORTS) {
    for (const readers of READERS) {
      if (readers > Math.min(readersMax, transport.readersMax)) continue;
      progress(`${transport.title}: ${readers} readers`);
      figures.push(await measureTransport({ service, transport, readers, appends, signal }));
    }
  }
  const machine = { cores: availableParallelism(), node: process.versions.node };
  const measurement: Measurement = { machine, figures };
  await writeJson(readPath(workingDirectory, options.json), measurement);
  const report = formatReport(measurement);
  const directory = readPath(workingDirectory, options.results);
  if (directory !== undefined) await writeFile(join(directory, "live.md"), report);
  print(report);
  return 0;
});
