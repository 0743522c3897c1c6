import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Upper bound on the characters of a failed command's stderr that its error repeats. */
const COMPLAINTS = 8_000;

/** Run a command in one of the workspace's folders and show its output. Rejects when it fails. */
export function run(folder, command, ...args) {
  const name = [folder, command.split("/").at(-1), ...args].join(" ");
  console.log(`\n> ${name}`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: join(root, folder), stdio: ["inherit", "inherit", "pipe"] });
    let complaints = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      process.stderr.write(text);
      complaints = (complaints + text).slice(-COMPLAINTS);
    });
    child.on("error", reject);
    child.on("close", (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${name} ended with ${signal ?? code}\n${complaints}`)),
    );
  });
}

/**
 * Run all steps in sequence, even after a failure. Prints every failure at the end and sets exit code 1 if
 * there was any.
 */
export async function runAll(steps) {
  const failures = [];
  const times = [];
  for (const step of steps) {
    const started = performance.now();
    await step().catch((error) => failures.push(error.message));
    times.push(`${Math.round((performance.now() - started) / 1_000)} s`);
  }
  console.log(`\nSteps took ${times.join(", ")}.`);
  for (const failure of failures) console.error(`FAILED: ${failure}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
