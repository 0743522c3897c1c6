import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { DEFAULT_PORT, readPort } from "./port.ts";
import { StartError } from "./start-error.ts";

/** The options of `npm start`, of `engram-local` and, with its own defaults, of `engram start`. */
const OPTIONS = {
  port: { type: "string" },
  data: { type: "string" },
  help: { type: "boolean" },
  version: { type: "boolean" },
} as const;

export interface StartOptions {
  /** Undefined: the default port or, if it is taken, one of the next ports. */
  port: number | undefined;
  /** Undefined: the default directory. */
  data: string | undefined;
}

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

class UsageError extends StartError {}

/**
 * Reads the command line of this process. If it asks for help or the version, or is wrong, prints the answer and ends
 * the process: with exit code 2 for a wrong command line, and 1 for a wrong variable.
 *
 * @param usage The command, such as `npm start -- [options]`.
 */
export function readCommandLine(usage: string): StartOptions {
  try {
    const { help, version, ...options } = readStartOptions(process.argv.slice(2), process.env);
    if (!help && !version) return options;
    process.stdout.write(help ? helpOf(usage) : `${ownVersion()}\n`);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED);
  }
}

/**
 * Reads the command line. An option takes precedence over its variable, `PORT` or `ENGRAM_DATA`.
 *
 * @throws {UsageError} If an option is unknown or its value is invalid. The message is one line.
 * @throws {StartError} If a variable is invalid.
 */
export function readStartOptions(
  args: string[],
  env: NodeJS.ProcessEnv,
): StartOptions & { help: boolean; version: boolean } {
  const { port, data, help = false, version = false } = parse(args);
  if (data === "") throw new UsageError("--data must name a directory.");
  return {
    port: port === undefined ? readPort("PORT", env.PORT) : readPortOption(port),
    data: data ?? (env.ENGRAM_DATA || undefined),
    help,
    version,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    // Node adds advice on arguments that begin with a hyphen, of which there are none here.
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new UsageError(`${reason.replace(/\.$/, "")}. The option --help lists the options.`);
  }
}

function readPortOption(value: string): number | undefined {
  try {
    if (value !== "") return readPort("--port", value);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  throw new UsageError("--port must be a number.");
}

/** Found by the name of the package, because the path from the compiled file is another one than from this file. */
function ownVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)("@engram/local/package.json");
  return version;
}

const helpOf = (usage: string): string => `Runs the Engram service on this machine, offline.

Usage: ${usage}

  --port <n>          port on 127.0.0.1; 0 picks a free one; default PORT, or ${DEFAULT_PORT} or the next free one
  --data <directory>  directory for all data; default ENGRAM_DATA, or .engram
  --version           print the version
  --help              print this

Prints the URL and the key, and serves until Ctrl-C. Other settings come from the environment:
https://engram.dev/configuration
`;
