import { WorkerEntrypoint } from "cloudflare:workers";
import { type LocalEnv, vectorStore } from "./env.ts";
import { type Faults, switches } from "./switches.ts";

/**
 * Lets tests make calls to the replacements of Workers AI and Vectorize fail, and delay changes of the vectors. Only tests have this binding.
 */
export class LocalControl extends WorkerEntrypoint<LocalEnv> {
  setVisibilityDelayMs(delayMs: number): void {
    switches.visibilityDelayMs = delayMs;
  }

  async flush(): Promise<void> {
    await vectorStore(this.env).store.flush();
  }

  /** If `faults` has no `ai` or no `vectorize`, that service keeps its present fault. */
  setFault(faults: Partial<Faults>): void {
    Object.assign(switches, faults);
  }

  /** Ends all faults. Calls that wait because of the fault "hang" continue. */
  clearFaults(): void {
    switches.ai = null;
    switches.vectorize = null;
  }
}
