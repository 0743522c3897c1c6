#!/usr/bin/env node
// The program of the published package. Keeps the data in the working directory, not in the
// package.
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isOlder, newerNode, runUnder, SERVICE_NODE_MIN } from "./newer-node.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
// Found by the name of the package, because the path from the compiled file is another one than from this
// file.
const packageJson: { version: string; description: string; engines: { node: string } } = createRequire(
  import.meta.url,
)("@engram/local/package.json");
const HELP = `${packageJson.description}

Usage: engram-local

Prints the URL and the key, and serves on 127.0.0.1 until Ctrl-C. Settings come from the environment, such
as PORT (26366) and ENGRAM_DATA (.engram). All settings: https://engram.dev/configuration

  --version  print the version
  --help     print this
`;

const nodeMin = packageJson.engines.node.replace(">=", "");
if (isOlder(process.versions.node, nodeMin)) {
  fail(
    `Engram needs Node ${nodeMin} or later. This is Node ${process.versions.node}. Install a newer one from https://nodejs.org.`,
  );
}
const { version, help } = readOptions();
if (help) process.stdout.write(HELP);
else if (version) process.stdout.write(`${packageJson.version}\n`);
else await start();

async function start(): Promise<void> {
  process.env.ENGRAM_DATA ||= ".engram";
  if (!isOlder(process.versions.node, SERVICE_NODE_MIN)) {
    await import("./start.ts");
    return;
  }
  const node = newerNode();
  if (node === undefined) {
    fail(
      `A newer Node could not be downloaded. Check the network, or install Node ${SERVICE_NODE_MIN} or later from https://nodejs.org.`,
    );
  }
  process.exitCode = await runUnder(node, join(import.meta.dirname, "start.js"));
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(EXIT_FAILED);
}

function readOptions(): { version?: boolean; help?: boolean } {
  try {
    return parseArgs({ options: { version: { type: "boolean" }, help: { type: "boolean" } } }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(EXIT_USAGE);
  }
}
