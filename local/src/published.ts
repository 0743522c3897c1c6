#!/usr/bin/env node
// What the published package runs: as `npm start`, with the data where the person stands and not in the package.
import { createRequire } from "node:module";
import { parseArgs } from "node:util";

const EXIT_USAGE = 2;
// By its name, since it stands elsewhere from here once it is compiled.
const packageJson: { version: string; description: string } = createRequire(import.meta.url)(
  "@engram/local/package.json",
);
const HELP = `${packageJson.description}

Usage: engram-local

It prints URL and key, serves on 127.0.0.1 until Ctrl-C, and takes its settings from the environment, such as
PORT (8787) and ENGRAM_DATA (.engram): https://engram.dev/configuration tells all.

  --version  print the version
  --help     print this
`;

const { version, help } = readOptions();
if (help) process.stdout.write(HELP);
else if (version) process.stdout.write(`${packageJson.version}\n`);
else {
  process.env.ENGRAM_DATA ||= ".engram";
  await import("./start.ts");
}

/** What the command line says; one that cannot be obeyed ends the program. */
function readOptions(): { version?: boolean; help?: boolean } {
  try {
    return parseArgs({ options: { version: { type: "boolean" }, help: { type: "boolean" } } }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(EXIT_USAGE);
  }
}
