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
  /**
   * Makes the change and resolves to a text that describes the new state. Absent if nothing has to change.
   */
  change?: () => Promise<string>;
}
