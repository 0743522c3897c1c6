import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Engram } from "@engram/sdk";
import { inject, onTestFinished } from "vitest";
import type { Command, Ran } from "./host.ts";

const HOST = join(import.meta.dirname, "host.ts");
export const PROGRAM = join(import.meta.dirname, "../../src/engram.ts");

/** A person with an empty home and an organization of their own. */
export interface Person {
  home: string;
  url: string;
  key: string;
  client: Engram;
  env: Record<string, string>;
  /** Runs the program as the person, with a key in the environment unless `env` is different. */
  run(args: string[], how?: { input?: string; env?: Record<string, string> }): Promise<Ran>;
}

export async function createPerson(): Promise<Person> {
  const url = inject("url");
  const operator = new Engram({ baseUrl: url, apiKey: inject("adminToken") });
  const { key } = await operator.organizations.create({ name: "someone" });
  const home = await mkdtemp(join(tmpdir(), "engram-cli-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? "",
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
    TZ: "UTC",
    ENGRAM_URL: url,
    ENGRAM_API_KEY: key.secret,
  };
  return {
    home,
    url,
    key: key.secret,
    client: new Engram({ baseUrl: url, apiKey: key.secret }),
    env,
    run: (args, how = {}) => run(args, { env: { ...env, ...how.env }, input: how.input ?? "" }),
  };
}

/** Hosts that are idle. */
const idle: ChildProcess[] = [];

/** Runs the program without a terminal, in a process that may have run it before. */
async function run(args: string[], how: Omit<Command, "args">): Promise<Ran> {
  const host = idle.pop() ?? fork(HOST, [], { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  host.send({ args, ...how } satisfies Command);
  const waiting = new AbortController();
  const { signal } = waiting;
  const [answer] = await Promise.race([once(host, "message", { signal }), once(host, "exit", { signal })]);
  waiting.abort();
  if (typeof answer !== "object" || answer === null)
    throw new Error(`engram ${args.join(" ")} ended its process`);
  idle.push(host);
  // Hosts do not keep the test process alive, and end with it.
  host.unref();
  host.channel?.unref();
  return answer;
}

/** Runs the program without a terminal, in a new process. */
export async function runAlone(args: string[], { env, input }: Omit<Command, "args">): Promise<Ran> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env });
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((done) => child.once("close", done)),
  ]);
  return { code, stdout, stderr };
}

/** Whether util-linux's `script` is available, which provides a terminal. */
export const hasTerminal = spawnSync("script", ["--version"]).stdout?.includes("util-linux") === true;

/** Runs the program on a terminal, and enters each answer when its question appears. */
export async function runOnTerminal(
  args: string[],
  { env, answers = [] }: { env: Record<string, string>; answers?: [question: string, answer: string][] },
): Promise<{ code: number | null; screen: string }> {
  const quoted = [process.execPath, PROGRAM, ...args]
    .map((arg) => `'${arg.replaceAll("'", "'\\''")}'`)
    .join(" ");
  const child = spawn("script", ["-qec", `stty cols 100; ${quoted}`, "/dev/null"], {
    env: { TERM: "xterm-256color", ...env },
  });
  const waiting = [...answers];
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    screen += text;
    const [next] = waiting;
    if (next === undefined || !screen.includes(next[0])) return;
    waiting.shift();
    child.stdin.write(`${next[1]}\r`);
  });
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, screen };
}
