// The command of `npm run bench:sdk`: compares the SDK with other services' client libraries.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./command/command.ts";
import { readOptions, readPath } from "./command/options.ts";
import { ANCHORS } from "./sdk/anchors.ts";
import { measureAnchor, type Row } from "./sdk/measure.ts";
import { formatReport } from "./sdk/report.ts";

const USAGE = `Usage: npm run bench:sdk -- [options]

  --results DIR   write sdk.md to DIR

Installs the libraries from npm into a temporary folder.`;

await runCommand(USAGE, async ({ argv, workingDirectory, progress, print, atEnd }) => {
  const { results } = readOptions(argv, { results: { type: "string" } });
  const folder = await mkdtemp(join(tmpdir(), "engram-sdks-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const rows: Row[] = [];
  for (const anchor of ANCHORS) {
    progress(`${anchor.name}: installing and calling`);
    rows.push(await measureAnchor(anchor, folder));
  }
  const report = formatReport(rows, process.versions.node);
  const directory = readPath(workingDirectory, results);
  if (directory !== undefined) await writeFile(join(directory, "sdk.md"), report);
  print(report);
  return 0;
});
