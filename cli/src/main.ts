import { CommanderError } from "commander";
import { UsageError } from "./command-error.ts";
import { explain, note, toJson } from "./output.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

// EPIPE: the program that reads the output, such as `head`, has ended.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? 0 : EXIT_FAILED),
);

const json = process.argv.includes("--json");
/** An agent waits for its hooks. */
const isHook = process.argv[2] === "hooks" && process.argv[3] === "run";
const { createProgram } = isHook ? await import("./hook-program.ts") : await import("./program.ts");

try {
  await createProgram(json ? () => {} : undefined).parseAsync();
} catch (thrown) {
  const error = json ? asUsageError(thrown) : thrown;
  if (error instanceof CommanderError) {
    // Commander has printed the message already; help and version exit with 0.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  } else {
    const { text, problem } = explain(error);
    note(json ? toJson({ error: problem }) : text);
    process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
  }
}

/** Converts Commander's errors, so that `--json` prints them as JSON too. */
function asUsageError(error: unknown): unknown {
  if (!(error instanceof CommanderError) || error.exitCode === 0) return error;
  const isMissing = error.code === "commander.help";
  return new UsageError(isMissing ? "No command given." : error.message.replace(/^error: /, ""));
}
