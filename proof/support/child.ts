import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const STOP_TIMEOUT_MS = 10_000;
const GONE_TIMEOUT_MS = 10_000;
const POLL_MS = 10;
/** Lines of a program's output that are kept to explain a failure. */
const OUTPUT_LINES = 40;
/** Matches the line of a stack trace with the error message. */
const ERROR_LINE = /^\S*Error\b.*:/;

export interface ChildOptions {
  /** Variables in addition to those of this process. */
  env?: Record<string, string>;
  /** Called for every line that the program prints. */
  onLine?: (line: string) => void;
}

/** A program in a process group of its own. Whatever it started ends with it. */
export interface Child {
  pid: number;
  /** The last lines of its output. */
  output: readonly string[];
  /**
   * The next message that it sends. @throws {Error} when it ends instead, with its error or the last line of
   * its output.
   */
  receive(): Promise<unknown>;
  /** Ask the program to stop, and kill it when it does not. May be called twice. */
  stop(): Promise<void>;
  /** Kill the program and everything that it started. */
  kill(): Promise<void>;
}

export function startChild(
  program: string,
  args: readonly string[] = [],
  { env = {}, onLine = () => {} }: ChildOptions = {},
): Child {
  const child = fork(program, args, {
    execArgv: [],
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A separate process group does not receive the terminal's Ctrl-C, so this process can stop the program
    // in order.
    detached: process.platform !== "win32",
  });
  child.once("exit", () => signalGroup(child, "SIGKILL"));
  // "close" follows the complete output.
  const closed = once(child, "close");
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (line) => {
      onLine(line);
      if (line.trim() !== "") output.push(line.trimEnd());
      if (output.length > OUTPUT_LINES) output.shift();
    });
  }
  const received: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  child.on("message", (message) => {
    const next = waiting.shift();
    if (next === undefined) received.push(message);
    else next(message);
  });
  return {
    pid: child.pid ?? 0,
    output,
    async receive() {
      if (received.length > 0) return received.shift();
      const message = new Promise((resolve) => waiting.push(resolve));
      const ended = closed.then(() => {
        throw new Error(
          output.find((line) => ERROR_LINE.test(line)) ?? output.at(-1) ?? "The program printed nothing",
        );
      });
      return Promise.race([message, ended]);
    },
    async stop() {
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      child.kill("SIGTERM");
      await closed;
      clearTimeout(timer);
    },
    async kill() {
      signalGroup(child, "SIGKILL");
      await closed;
      await untilGone(child);
    },
  };
}

async function untilGone(child: ChildProcess): Promise<void> {
  for (let waitedMs = 0; waitedMs < GONE_TIMEOUT_MS; waitedMs += POLL_MS) {
    if (!signalGroup(child, 0)) return;
    await sleep(POLL_MS);
  }
  throw new Error(`Processes of group ${child.pid} were killed, but still run`);
}

/** Signal every process that the program started. @returns Whether any of them runs. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    // Windows has no process groups.
    return process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    return false;
  }
}
