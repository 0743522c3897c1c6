// Entry of the service's process: serves as `npm start` does, on a free port, until it is stopped.
import { rm } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { readEmbeddingChoice } from "../../local/src/embeddings/choice.ts";
import { readEnrichmentChoice } from "../../local/src/enrichment/choice.ts";
import { freeHeap, keepHeapSmall } from "../../local/src/start/heap.ts";
import { ROOT, startService } from "../../local/src/start/service.ts";
import type { ServiceSettings } from "./service-process.ts";

keepHeapSmall();
enableCompileCache(join(ROOT, "node_modules/.cache/engram"));
const { url, key, adminToken, dataDirectory, stop } = await startService({
  ...(JSON.parse(process.argv[2] ?? "{}") as ServiceSettings),
  port: 0,
  embeddings: readEmbeddingChoice(process.env),
  enrichment: readEnrichmentChoice(process.env),
});
process.once("SIGTERM", () => void stop().finally(() => process.exit(0)));
// Ctrl-C reaches the whole process group, but the parent decides when to stop. If the parent is gone, this
// process cleans up.
process.on("SIGINT", () => {});
process.once("disconnect", async () => {
  await stop();
  await rm(dataDirectory, { recursive: true, force: true });
  process.exit(0);
});
freeHeap();
process.send?.({ url, key, adminToken });
