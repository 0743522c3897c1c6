import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Engram } from "@engram/sdk";
import { inject, onTestFinished } from "vitest";

export const PROGRAM = join(import.meta.dirname, "../../src/engram.ts");

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A person with an empty home and an organization of their own. */
export interface Person {
  home: string;
  url: string;
  key: string;
  client: Engram;
  env: Record<string, string>;
  /** Run the program as they would, with a key in the environment unless `env` says otherwise. */
  run(args: string[], how?: { input?: string; env?: Record<string, string> }): Promise<Ran>;
}

export async function createPerson(): Promise<Person> {
  const url = inject("url");
  const operator = new Engram({ baseUrl: url, apiKey: inject("adminToken") });
  const { key } = await operator.organizations.create({ name: "somebody" });
  const home = await mkdtemp(join(tmpdir(), "engram-cli-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = {
    HOME: home,
    PATH: process.env.PATH ?? "",
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

/** Run the program without a terminal. */
export async function run(
  args: string[],
  { env, input }: { env: Record<string, string>; input: string },
): Promise<Ran> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env });
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((done) => child.once("close", done)),
  ]);
  return { code, stdout, stderr };
}
