import type { DeployConfig } from "./config.ts";
import type { Wrangler } from "./wrangler.ts";

export interface StepContext {
  /** Runs wrangler with the account to deploy to. */
  wrangler: Wrangler;
  config: DeployConfig;
  sleep(ms: number): Promise<void>;
}

export interface Step {
  title: string;
  /** The current state, or the change that is planned. */
  text: string;
  /** A warning or a hint for the user. */
  note?: string | undefined;
  /** Makes the change and resolves to the new state. Absent when nothing has to change. */
  change?: () => Promise<string>;
}
