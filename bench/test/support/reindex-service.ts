// A program: the local start as `npm start` serves it, on a data directory that is kept and with the model of an
// endpoint if one is named. It sweeps four times a second, since a bench has no time for one in five seconds.
import { readEmbeddingChoice } from "../../../local/src/embeddings/choice.ts";
import { startService } from "../../../local/src/start/service.ts";

const SWEEP_INTERVAL_MS = 250;

const [, dataDirectory = "", endpointUrl = "", model = ""] = process.argv.slice(2);
const { url, key, stop } = await startService({
  port: 0,
  dataDirectory,
  embeddings: readEmbeddingChoice({ ENGRAM_EMBEDDINGS_URL: endpointUrl, ENGRAM_EMBEDDINGS_MODEL: model }),
  cronIntervalMs: SWEEP_INTERVAL_MS,
});
process.once("SIGTERM", () => void stop().finally(() => process.exit(0)));
// Ctrl-C reaches the whole group; who started this decides.
process.on("SIGINT", () => {});
process.once("disconnect", () => void stop().finally(() => process.exit(0)));
process.send?.({ url, key });
