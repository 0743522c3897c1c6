import { WorkerEntrypoint } from "cloudflare:workers";
import { type LocalEnv, vectorStore } from "./env.ts";
import { type Faults, switches } from "./switches.ts";

/**
 * Lets tests delay, break and count calls to the stand-ins, the local programs in place of Workers AI and
 * Vectorize. Only tests have this binding.
 */
export class LocalControl extends WorkerEntrypoint<LocalEnv> {
  /** Sets the time after which queries see later changes of the vector store. */
  setVisibilityDelayMs(delayMs: number): void {
    switches.visibilityDelayMs = delayMs;
  }

  async flush(): Promise<void> {
    await vectorStore(this.env).store.flush();
  }

  /** Sets faults. A service that `faults` does not name keeps its fault. */
  setFault(faults: Partial<Faults>): void {
    Object.assign(switches, faults);
  }

  /** Clears all faults. Calls that hang continue. */
  clearFaults(): void {
    switches.ai = null;
    switches.vectorize = null;
  }

  /** Calls since the last reset, by operation: "ai.run", "vectorize.query", … */
  countCalls(): Record<string, number> {
    return Object.fromEntries(switches.calls);
  }

  resetCalls(): void {
    switches.calls.clear();
  }
}
