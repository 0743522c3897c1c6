#!/usr/bin/env node
// The program of the published package. Keeps the data in the working directory, not in the
// package.
import { createRequire } from "node:module";
import { parseArgs } from "node:util";

const EXIT_USAGE = 2;
// Found by the name of the package, because the path from the compiled file is another one than from this
// file.
const packageJson: { version: string; description: string } = createRequire(import.meta.url)(
  "@engram/local/package.json",
);
const HELP = `${packageJson.description}

Usage: engram-local

Prints the URL and the key, and serves on 127.0.0.1 until Ctrl-C. Settings come from the environment, such
as PORT (26366) and ENGRAM_DATA (.engram). All settings: https://engram.dev/configuration

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

function readOptions(): { version?: boolean; help?: boolean } {
  try {
    return parseArgs({ options: { version: { type: "boolean" }, help: { type: "boolean" } } }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(EXIT_USAGE);
  }
}
