// A program: the local start as `npm start` serves it, with the route of speed-worker.mjs, until it is told to stop.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { startService } from "../../../local/src/start/service.ts";

const [dataDirectory = ""] = process.argv.slice(2);
const { url, adminToken, stop } = await startService({
  port: 0,
  dataDirectory,
  serviceEntry: join(import.meta.dirname, "speed-worker.mjs"),
});
process.once("SIGTERM", () => void stop().finally(() => process.exit(0)));
// Ctrl-C reaches the whole group; who started this decides, and when that has gone, nobody tidies up but us.
process.on("SIGINT", () => {});
process.once("disconnect", async () => {
  await stop();
  await rm(dataDirectory, { recursive: true, force: true });
  process.exit(0);
});
process.send?.({ url, adminToken });
