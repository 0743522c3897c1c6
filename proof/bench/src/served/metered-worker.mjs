// JavaScript, because the types of Workers and of Node conflict in one program.
import { createWorker } from "../../../../service/src/app.ts";
import { systemRuntime } from "../../../../service/src/platform/runtime.ts";
import { meterWorker } from "../cost/meter.ts";

// Delayed work does not run. Usage is written once a minute, which is no message's and no search's cost. The end of a
// quiet conversation is indexed by the sweep.
export default meterWorker(createWorker({ ...systemRuntime, after: async () => {} }), {
  // As in wrangler.toml.
  INDEX_QUIET_SECONDS: "15",
});
