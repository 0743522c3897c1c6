import type { DeployConfig } from "./config.ts";
import type { Progress } from "./terminal.ts";
import type { Wrangler } from "./wrangler.ts";

/** What every step of a deployment uses. */
export interface Context {
  /** Runs commands in the account that is deployed to. */
  wrangler: Wrangler;
  config: DeployConfig;
  progress: Progress;
  sleep(ms: number): Promise<void>;
}
