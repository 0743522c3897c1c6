import { WorkerEntrypoint } from "cloudflare:workers";
import { type LocalEnv, vectorStore } from "./env.ts";
import { type Faults, switches } from "./switches.ts";

/** Lets tests delay, break and count the stand-ins' calls. Bound only in tests. */
export class LocalControl extends WorkerEntrypoint<LocalEnv> {
  /** Sets the visibility lag of later mutations. */
  setVisibilityDelayMs(delayMs: number): void {
    switches.visibilityDelayMs = delayMs;
  }

  async flush(): Promise<void> {
    await vectorStore(this.env).store.flush();
  }

  /** Sets faults. A service that is not named keeps its fault. */
  setFault(faults: Partial<Faults>): void {
    Object.assign(switches, faults);
  }

  /** Clears all faults; hanging calls continue. */
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
