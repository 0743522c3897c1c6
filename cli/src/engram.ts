#!/usr/bin/env node
import { CommanderError } from "commander";
import { UsageError } from "./command-error.ts";
import { explain } from "./output.ts";
import { createProgram } from "./program.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

// A reader that has gone, as `head` does, wants no more.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? 0 : EXIT_FAILED),
);

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said what there is to say; help and version are no mistakes.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  } else {
    const { text, problem } = explain(error);
    process.stderr.write(`${process.argv.includes("--json") ? JSON.stringify({ error: problem }) : text}\n`);
    process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
  }
}
