import { type Runtime, systemRuntime } from "../../src/platform/runtime.ts";

/** The real clock without delayed work. No test waits for it or is affected by that of another test. */
export const promptRuntime: Runtime = { ...systemRuntime, after: async () => {} };

/** Rounds of the event loop that work takes at most before it calls D1 or another service. */
const TURNS = 20;

/** Lets all work continue that waits for no other service, however slow the machine is. */
export async function someTurns(): Promise<void> {
  for (let i = 0; i < TURNS; i++) await promptRuntime.pause(1);
}
