import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Run a command of the workspace in one of its folders, its output shown; rejects when it fails. */
export function run(folder, command, ...args) {
  const name = [folder, command.split("/").at(-1), ...args].join(" ");
  console.log(`\n> ${name}`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: join(root, folder), stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${name} ended with ${signal ?? code}`)),
    );
  });
}

/** Run steps one after the other, all of them, and end with 1 when any failed. */
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
