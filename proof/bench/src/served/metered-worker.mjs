// JavaScript, because the types of Workers and of Node conflict in one program.
import { createWorker } from "../../../../service/src/app.ts";
import { systemRuntime } from "../../../../service/src/platform/runtime.ts";
import { meterWorker } from "../cost/meter.ts";

export { Background } from "../../../../service/src/worker.ts";

// Usage is written once a minute, by a request that waits for it: no message's and no search's cost.
export default meterWorker(createWorker({ ...systemRuntime, after: async () => {} }).handlers);
