import { WorkerEntrypoint } from "cloudflare:workers";
import { type LocalEnv, vectorStore } from "./env.ts";
import { type Faults, switches } from "./switches.ts";

/**
 * Lets tests delay, break and count calls to the replacements of Workers AI and Vectorize. Only tests have
 * this binding.
 */
export class LocalControl extends WorkerEntrypoint<LocalEnv> {
  setVisibilityDelayMs(delayMs: number): void {
    switches.visibilityDelayMs = delayMs;
  }

  async flush(): Promise<void> {
    await vectorStore(this.env).store.flush();
  }

  /** A service that `faults` does not name keeps its fault. */
  setFault(faults: Partial<Faults>): void {
    Object.assign(switches, faults);
  }

  /** Calls that hang continue. */
  clearFaults(): void {
    switches.ai = null;
    switches.vectorize = null;
  }

  countCalls(): Record<string, number> {
    return Object.fromEntries(switches.calls);
  }

  resetCalls(): void {
    switches.calls.clear();
  }
}
