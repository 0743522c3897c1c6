import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const STOP_TIMEOUT_MS = 10_000;
/** Of what a program writes, so much is kept to say why it failed. */
const OUTPUT_LINES = 40;
/** The line of a stack that says what went wrong. */
const ERROR_LINE = /^\S*Error\b.*:/;

/** A program of ours in a process of its own, with an empty directory that goes when it stops. */
export interface Child {
  pid: number;
  /** What it sends next. @throws {Error} when it ends instead, with the error that it wrote, or the last line. */
  receive(): Promise<unknown>;
  /** End it with all that it started, and delete its directory; may be called twice. */
  stop(): Promise<void>;
}

/** Start a program; it is given the directory and then `args`. */
export async function startChild(program: string, args: readonly string[] = []): Promise<Child> {
  const directory = await mkdtemp(join(tmpdir(), "engram-speed-"));
  const child = fork(program, [directory, ...args], {
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A group of its own, so that what a peer starts ends with it.
    detached: process.platform !== "win32",
  });
  const exited = once(child, "exit");
  const output = keepOutput(child);
  const received: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  child.on("message", (message) => {
    const next = waiting.shift();
    if (next === undefined) received.push(message);
    else next(message);
  });
  let stopped: Promise<void> | undefined;
  return {
    pid: child.pid ?? 0,
    async receive() {
      if (received.length > 0) return received.shift();
      const message = new Promise((resolve) => waiting.push(resolve));
      const ended = exited.then(() => {
        throw new Error(
          output.find((line) => ERROR_LINE.test(line)) ?? output.at(-1) ?? "it ended without a word",
        );
      });
      return Promise.race([message, ended]);
    },
    stop() {
      stopped ??= end(child, exited).then(() =>
        rm(directory, { recursive: true, force: true, maxRetries: 5 }),
      );
      return stopped;
    },
  };
}

/** The last lines that a program wrote, as they come. */
function keepOutput(child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (line) => {
      if (line.trim() !== "") lines.push(line.trimEnd());
      if (lines.length > OUTPUT_LINES) lines.shift();
    });
  }
  return lines;
}

async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const timer = setTimeout(() => kill(child, "SIGKILL"), STOP_TIMEOUT_MS);
    kill(child, "SIGTERM");
    await exited;
    clearTimeout(timer);
  }
  // What it left behind, such as a server that it started.
  kill(child, "SIGKILL");
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Nobody is left.
  }
}
