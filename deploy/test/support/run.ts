import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { carryOut, type Deployment, type DeploymentInput, planDeployment } from "../../src/deployment.ts";
import { showProgress } from "../../src/terminal.ts";
import { type AccountState, fakeWrangler } from "./fake-wrangler.ts";
import { workingService } from "./service.ts";

export const ROOT = resolve(import.meta.dirname, "../../..");

const folders: string[] = [];

/** A folder for one test, removed by `removeFolders`. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "engram-deploy-"));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A repository with a modified wrangler.toml. */
export function repositoryWith(change: (toml: string) => string): string {
  const root = makeFolder();
  for (const folder of ["service", "migrations"]) symlinkSync(join(ROOT, folder), join(root, folder));
  writeFileSync(join(root, "wrangler.toml"), change(readFileSync(join(ROOT, "wrangler.toml"), "utf8")));
  return root;
}

/** The result of one run of the command. */
export interface Run {
  deployment: Deployment | undefined;
  /** Lines of output. */
  lines: string[];
  error: Error | undefined;
  /** Milliseconds for which it would have slept. */
  sleptMs: number;
}

/** Reads an account and executes the plan, as deploy.ts does. */
export async function run(account: AccountState, options: Partial<DeploymentInput> = {}): Promise<Run> {
  const result: Run = { deployment: undefined, lines: [], error: undefined, sleptMs: 0 };
  const { signal } = new AbortController();
  const input: DeploymentInput = {
    root: ROOT,
    keepDirectory: makeFolder(),
    env: {},
    wrangler: fakeWrangler(account),
    fetch: workingService,
    sleep: async (ms) => {
      result.sleptMs += ms;
    },
    signal,
    ...options,
  };
  const progress = showProgress({
    isTTY: false,
    write: (text) => result.lines.push(...String(text).trimEnd().split("\n")) > 0,
  });
  try {
    result.deployment = await planDeployment(input);
    await carryOut(result.deployment, progress, input.signal);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    result.error = error;
  }
  return result;
}
