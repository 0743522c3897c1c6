import { type Runtime, systemRuntime } from "../../src/runtime.ts";

/** The real time, in which nothing is done after a while: no test waits for it, or meets what another left. */
export const promptRuntime: Runtime = { ...systemRuntime, after: async () => {} };
