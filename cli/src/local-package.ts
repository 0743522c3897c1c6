import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { CommandError } from "./command-error.ts";

const NAME = "@engram/local";
/** The package with the service, in the version of this program. */
export const LOCAL_PACKAGE = `${NAME}@${packageJson.version}`;
/** A download takes longer, and then says so. */
const SILENT_MS = 2_000;
/** Prints PATH, of which npx makes the programs of its packages the first directory. */
const PRINT_PATH = ["node", "-p", "process.env.PATH"];
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Path of the service's program: next to this one, in the current directory, or in npm's cache, into which npx downloads
 * it. It is not run by npx, which would not end it when it is itself ended.
 *
 * @throws {CommandError} If it is not installed and cannot be downloaded.
 */
export async function findLocalProgram(): Promise<string> {
  const places = [import.meta.url, join(process.cwd(), "package.json")];
  for (const place of places) {
    const program = programOf(() => createRequire(place).resolve(`${NAME}/package.json`));
    if (program !== undefined) return program;
  }
  for (const directory of (await downloadedPath()).split(delimiter)) {
    const program = programOf(() => join(directory, "..", NAME, "package.json"));
    if (program !== undefined) return program;
  }
  throw new CommandError(`npx has downloaded ${LOCAL_PACKAGE}, but its program was not found.`);
}

/** Undefined if there is no package or if it has another version. */
function programOf(locate: () => string): string | undefined {
  try {
    const file = locate();
    const { version, bin }: { version: string; bin: Record<string, string> } = JSON.parse(
      readFileSync(file, "utf8"),
    );
    const program = join(file, "..", bin["engram-local"] ?? "");
    return version === packageJson.version && existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

function downloadedPath(): Promise<string> {
  const child = spawn("npx", ["-y", "--prefer-offline", "-p", LOCAL_PACKAGE, ...PRINT_PATH], {
    stdio: ["ignore", "pipe", "pipe"],
    // On Windows npx is a script that only a shell can run.
    shell: process.platform === "win32",
  });
  const note = setTimeout(() => {
    process.stderr.write(`Downloading ${LOCAL_PACKAGE}, about 240 MB, once…\n`);
  }, SILENT_MS);
  const end = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, end);
  let [path, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (path += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  return new Promise<string>((done, reject) => {
    child.once("error", (error) => reject(new CommandError(`npx cannot be run: ${error.message}`)));
    child.once("close", (code) => (code === 0 ? done(path.trim()) : reject(failure(errors))));
  }).finally(() => {
    clearTimeout(note);
    for (const signal of SIGNALS) process.off(signal, end);
  });
}

function failure(errors: string): CommandError {
  const install = `Install it next to this program, with \`npm install ${LOCAL_PACKAGE}\` or from its tarball.`;
  const code = /\bcode (E\w+)/.exec(errors)?.[1];
  return new CommandError(
    code === "E404" || code === "ETARGET"
      ? `The service is in the package ${LOCAL_PACKAGE}, which is not installed, and which the npm registry does not have. ${install}`
      : `The service is in the package ${LOCAL_PACKAGE}, which is not installed and could not be downloaded (${code ?? "npx failed"}). Check the network, and run \`npx ${LOCAL_PACKAGE}\` to see npm's error. ${install}`,
  );
}
