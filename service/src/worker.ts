import { createWorker } from "./app.ts";
import { systemRuntime } from "./runtime.ts";

export default createWorker(systemRuntime);
