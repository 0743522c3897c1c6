import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Upper bound on the characters of a failed command's stderr that its error repeats. */
const COMPLAINTS = 8_000;

/** Run a command in one of the workspace's folders and show its output. Rejects when it fails. */
export function run(folder, command, ...args) {
  const name = nameOf(folder, command, args);
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
      code === 0 ? resolve() : reject(failure(name, code, signal, complaints)),
    );
  });
}

/** Like `run`, but shows the output at the end, in one piece. For commands that run at the same time. */
export function runBuffered(folder, command, ...args) {
  const name = nameOf(folder, command, args);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: join(root, folder), stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      process.stdout.write(`\n> ${name}\n${output}`);
      if (code === 0) resolve();
      else reject(failure(name, code, signal, output.slice(-COMPLAINTS)));
    });
  });
}

const nameOf = (folder, command, args) => [folder, command.split("/").at(-1), ...args].join(" ");
const failure = (name, code, signal, complaints) =>
  new Error(`${name} ended with ${signal ?? code}\n${complaints}`);

/**
 * Run all steps, up to `atOnce` of them at the same time, even after a failure. Prints every failure at the end
 * and sets exit code 1 if there was any.
 */
export async function runAll(steps, atOnce = 1) {
  const failures = [];
  const times = [];
  const waiting = steps.entries();
  const lane = async () => {
    for (const [i, step] of waiting) {
      const started = performance.now();
      await step().catch((error) => failures.push(error.message));
      times[i] = `${Math.round((performance.now() - started) / 1_000)} s`;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  console.log(`\nSteps took ${times.join(", ")}.`);
  for (const failure of failures) console.error(`FAILED: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}
