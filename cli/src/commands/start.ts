import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { CommandError } from "../command-error.ts";
import { xdgDirectory } from "../config.ts";
import { wholeNumber } from "../options.ts";

const PORT_MAX = 65_535;
/** The service as a package, of this very version: too large to come with every `engram search`. */
const PACKAGE = `@engram/local@${packageJson.version}`;
/** Beside this package in the repository, and nowhere else. */
const SOURCE = join(import.meta.dirname, "../../../local/src/start.ts");
/** From here on Node brings the SQLite that the service keeps its lock with. */
const NODE_MIN = [22, 13] as const;

export function addStart(program: Command): void {
  const data = xdgDirectory(process.env, "XDG_DATA_HOME", ".local/share");
  program
    .command("start")
    .description("Run the service on this machine, offline, until Ctrl-C")
    .option("--port <n>", "port on 127.0.0.1; 0 takes a free one", wholeNumber(0, PORT_MAX), 8787)
    .option("--data <directory>", "where everything is kept", data)
    .addHelpText(
      "after",
      `
The first time npx fetches ${PACKAGE}, about 200 MB. It prints URL and key. ENGRAM_EMBEDDINGS and
its like choose another embedder, as with npm start.

Examples:
  $ engram start
  $ engram login --url http://127.0.0.1:8787 < ${join(data, "key")}
`,
    )
    .action(async (options: { port: number; data: string }) => {
      const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
      if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
        throw new CommandError(`The service needs Node ${NODE_MIN.join(".")} or later.`);
      }
      const env = { ...process.env, PORT: String(options.port), ENGRAM_DATA: resolve(options.data) };
      process.exitCode = existsSync(SOURCE)
        ? await run(process.execPath, [SOURCE], env)
        : await run("npx", ["-y", PACKAGE], env);
    });
}

/** Run a program in the place of this one. @returns its exit code. */
function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  // On Windows npx is a script, which only a shell runs.
  const child = spawn(command, args, {
    env,
    stdio: "inherit",
    shell: process.platform === "win32" && command === "npx",
  });
  // The terminal sends Ctrl-C to both; what is sent to this process alone is passed on.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.on("SIGHUP", () => child.kill("SIGHUP"));
  return new Promise((done, reject) => {
    child.once("error", reject);
    child.once("close", (code) => done(code ?? 1));
  });
}
