import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const STOP_TIMEOUT_MS = 10_000;
/** Lines of a program's output that are kept to explain a failure. */
const OUTPUT_LINES = 40;
/** Matches the line of a stack trace with the error message. */
const ERROR_LINE = /^\S*Error\b.*:/;

/** A child process with a new directory that is deleted when it stops. */
export interface Child {
  pid: number;
  /**
   * The next message that it sends. @throws {Error} when it ends instead, with its error or the last line of
   * its output.
   */
  receive(): Promise<unknown>;
  /** Stop the process and everything that it started, and delete its directory. May be called twice. */
  stop(): Promise<void>;
}

/** Start a program. Its arguments are the directory, followed by `args`. */
export async function startChild(program: string, args: readonly string[] = []): Promise<Child> {
  const directory = await mkdtemp(join(tmpdir(), "engram-speed-"));
  const child = fork(program, [directory, ...args], {
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A separate process group, so that processes started by a peer end with it.
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
  // Kill remaining processes, such as a server that it started.
  kill(child, "SIGKILL");
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The process group has already ended.
  }
}
