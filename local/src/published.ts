#!/usr/bin/env node
// The program of the published package. Keeps the data in the working directory, not in the
// package.
import { createRequire } from "node:module";
import { join } from "node:path";
import { isOlder, newerNode, runUnder, SERVICE_NODE_MIN } from "./newer-node.ts";
import { readCommandLine } from "./start/options.ts";

const EXIT_FAILED = 1;
// Found by the name of the package, because the path from the compiled file is another one than from this
// file.
const packageJson: { engines: { node: string } } = createRequire(import.meta.url)(
  "@engram/local/package.json",
);

const nodeMin = packageJson.engines.node.replace(">=", "");
if (isOlder(process.versions.node, nodeMin)) {
  fail(
    `Engram needs Node ${nodeMin} or later. This is Node ${process.versions.node}. Install a newer one from https://nodejs.org.`,
  );
}
// Before another Node is downloaded.
const isCommand = ["backup", "restore"].includes(process.argv[2] ?? "");
if (!isCommand) readCommandLine("engram-local [options]");
await start();

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
  const args = [join(import.meta.dirname, "start.js"), ...process.argv.slice(2)];
  process.exitCode = await runUnder(node, args);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(EXIT_FAILED);
}
