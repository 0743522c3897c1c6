// A program that runs the service with a Worker that sweeps all the time and logs more per sweep than a pipe holds.
import { join } from "node:path";
import { startService } from "../../src/start/service.ts";

const [dataDirectory = ""] = process.argv.slice(2);
const { url } = await startService({
  port: 0,
  dataDirectory,
  serviceEntry: join(import.meta.dirname, "flooding-worker.mjs"),
  cronIntervalMs: 100,
});
process.send?.(url);
