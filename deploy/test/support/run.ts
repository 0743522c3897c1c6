import { type Deployment, type DeploymentInput, deploy } from "../../src/deployment.ts";
import { showProgress } from "../../src/terminal.ts";
import { type AccountState, fakeWrangler } from "./fake-wrangler.ts";
import { makeFolder, ROOT } from "./folders.ts";
import { workingService } from "./service.ts";

/** The result of one run of the command. */
export interface Run {
  deployment: Deployment | undefined;
  output: string;
  /** Message of the error; undefined if there was none. */
  error: string | undefined;
  /** Milliseconds for which it would have slept. */
  sleptMs: number;
}

/** Deploys to an account in memory, as deploy.ts does. */
export async function run(account: AccountState, options: Partial<DeploymentInput> = {}): Promise<Run> {
  const result: Run = { deployment: undefined, output: "", error: undefined, sleptMs: 0 };
  const { signal } = new AbortController();
  const isDryRun = options.isDryRun ?? false;
  const write = (text: string | Uint8Array) => {
    result.output += text;
    return true;
  };
  try {
    result.deployment = await deploy({
      root: ROOT,
      keepDirectory: makeFolder(),
      env: {},
      wrangler: fakeWrangler(account),
      fetch: workingService,
      sleep: async (ms) => {
        result.sleptMs += ms;
      },
      signal,
      progress: showProgress({ isTTY: false, write }, { isDryRun, signal }),
      isDryRun,
      ...options,
    });
  } catch (error) {
    result.error = error instanceof Error ? error.message : String(error);
  }
  return result;
}
