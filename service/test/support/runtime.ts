import { type Runtime, systemRuntime } from "../../src/platform/runtime.ts";

/** The real clock without delayed work. No test waits for it or is affected by that of another test. */
export const promptRuntime: Runtime = { ...systemRuntime, after: async () => {} };
