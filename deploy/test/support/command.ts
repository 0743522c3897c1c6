import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import type { AccountState } from "./fake-wrangler.ts";
import { makeFolder, ROOT } from "./folders.ts";

/** Runs the command as a user does, with the fake wrangler first in PATH. */
export interface Command {
  child: ChildProcess;
  /** Contains the process id of a wrangler that hangs because of FAKE_HANG. */
  hangingFile: string;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** The current state. */
  account(): AccountState;
}

export function startDeploy(
  account: AccountState,
  args: string[],
  env: Readonly<Record<string, string>> = {},
): Command {
  const folder = makeFolder();
  const accountFile = join(folder, "account.json");
  writeFileSync(accountFile, JSON.stringify(account));
  const child = spawn(process.execPath, [join(ROOT, "deploy/src/deploy.ts"), ...args], {
    cwd: ROOT,
    env: {
      PATH: [makeProgram(folder), process.env.PATH].join(delimiter),
      FAKE_ACCOUNT: accountFile,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = async () => {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code, stdout, stderr };
  };
  return {
    child,
    hangingFile: `${accountFile}.hanging`,
    ended: end(),
    account: () => JSON.parse(readFileSync(accountFile, "utf8")),
  };
}

/** A folder with only a program called wrangler. */
function makeProgram(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const script = join(import.meta.dirname, "fake-wrangler-process.ts");
  writeFileSync(join(bin, "wrangler"), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
  chmodSync(join(bin, "wrangler"), 0o755);
  return bin;
}
