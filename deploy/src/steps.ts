import type { DeployConfig } from "./config.ts";
import type { Wrangler } from "./wrangler.ts";

/** What every step works with. */
export interface StepContext {
  /** In the account that is deployed to. */
  wrangler: Wrangler;
  config: DeployConfig;
  sleep(ms: number): Promise<void>;
}

/** One line of a deployment: what is right already, or what is to be done. */
export interface Step {
  title: string;
  /** What is so already, or what will be done. */
  text: string;
  /** What whoever deploys should know besides. */
  note?: string | undefined;
  /** Does it and resolves to what is so then; absent when there is nothing to do. */
  change?: () => Promise<string>;
}
