import type { DeployConfig } from "./config.ts";
import type { Wrangler } from "./wrangler.ts";

export interface StepContext {
  wrangler: Wrangler;
  config: DeployConfig;
  sleep(ms: number): Promise<void>;
}

export interface Step {
  title: string;
  text: string;
  note?: string | undefined;
  /** Resolves to the new state. Absent when nothing has to change. */
  change?: () => Promise<string>;
}
