import { WorkerEntrypoint } from "cloudflare:workers";
import { type LocalEnv, vectorStore } from "./env.ts";
import { type Faults, switches } from "./switches.ts";

/** Lets tests delay, break and count what the stand-ins do. Bound in tests alone. */
export class LocalControl extends WorkerEntrypoint<LocalEnv> {
  /** Sets how long mutations from now on wait before queries see them. */
  setVisibilityDelayMs(delayMs: number): void {
    switches.visibilityDelayMs = delayMs;
  }

  /** Makes every waiting mutation visible now. */
  async flush(): Promise<void> {
    await vectorStore(this.env).store.flush();
  }

  /** Switches faults; a service that is not named keeps its own. */
  setFault(faults: Partial<Faults>): void {
    Object.assign(switches, faults);
  }

  /** Ends all faults; hanging calls go on. */
  clearFaults(): void {
    switches.ai = null;
    switches.vectorize = null;
  }

  /** Calls since the last reset, by operation: "ai.run", "vectorize.query", … */
  countCalls(): Record<string, number> {
    return Object.fromEntries(switches.calls);
  }

  /** Starts counting anew. */
  resetCalls(): void {
    switches.calls.clear();
  }
}
