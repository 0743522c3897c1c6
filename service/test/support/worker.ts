import { createWorker } from "../../src/app.ts";
import { promptRuntime } from "./runtime.ts";

export { Hub } from "../../src/worker.ts";

/** The Worker that tests call over the network. */
export default createWorker(promptRuntime).handlers;
