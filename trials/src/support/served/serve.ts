// Entry of the service's process: serves as `npm start` does, on a free port, until it is stopped.
import { rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { ROOT, startService } from "../../../../local/src/start/service.ts";

const [directory = "", settings = "{}"] = process.argv.slice(2);
const { cronIntervalMs, switchable } = JSON.parse(settings) as {
  cronIntervalMs?: number;
  switchable?: boolean;
};
enableCompileCache(join(ROOT, "node_modules/.cache/engram"));
const { url, key, adminToken, stop } = await startService({
  port: 0,
  dataDirectory: directory,
  // Every line is searched for secrets.
  logsRequests: true,
  ...(cronIntervalMs === undefined ? {} : { cronIntervalMs }),
  ...(switchable
    ? {
        serviceEntry: join(import.meta.dirname, "service-worker.mjs"),
        localEntry: join(import.meta.dirname, "local-worker.mjs"),
      }
    : {}),
});
process.once("SIGTERM", () => void stop().finally(() => process.exit(0)));
// Ctrl-C reaches the whole process group, but the parent decides when to stop. If the parent is gone, this
// process cleans up.
process.on("SIGINT", () => {});
process.once("disconnect", async () => {
  await stop();
  await rm(directory, { recursive: true, force: true });
  process.exit(0);
});
process.send?.({ url, key, adminToken });
