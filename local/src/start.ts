// The program of `npm start`.
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { isBackupCommand, runBackupCommand } from "./backup/command.ts";
import { readEmbeddingChoice } from "./embeddings/choice.ts";
import { readEnrichmentChoice, readSummaryVars } from "./enrichment/choice.ts";
import { readOpenIdVars } from "./openid.ts";
import { banner } from "./start/banner.ts";
import { freeHeap, keepHeapSmall } from "./start/heap.ts";
import { readCommandLine } from "./start/options.ts";
import { whenParentIsGone } from "./start/processes.ts";
import { readPublicUrls } from "./start/public-urls.ts";
import { registerService } from "./start/registration.ts";
import { ROOT, type Service, startService } from "./start/service.ts";
import { createSignInLink } from "./start/sign-in-link.ts";
import { StartError } from "./start/start-error.ts";
import { readWebhookHosts } from "./webhooks/hosts.ts";

/** If stopping takes longer, the process exits anyway. It usually takes about 50 ms. */
const STOP_TIMEOUT_MS = 2_000;

let service: Service | undefined;
let unregister = () => {};
let stopping = false;

const args = process.argv.slice(2);
if (isBackupCommand(args)) process.exit(await runBackupCommand(args, process.env, join(ROOT, ".engram")));

keepHeapSmall();
const { port, data } = readCommandLine("npm start -- [options]");
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
whenParentIsGone(stop);
// Saves about 300 ms when Miniflare is loaded, which has 6 MB of JavaScript.
enableCompileCache(join(ROOT, "node_modules/.cache/engram"));
// A program that reads the output may end. That must not end the service.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

try {
  const enrichment = readEnrichmentChoice(process.env);
  service = await startService({
    port,
    dataDirectory: data,
    embeddings: readEmbeddingChoice(process.env),
    enrichment,
    vars: { ...readSummaryVars(process.env, enrichment), ...readOpenIdVars(process.env) },
    allowedHosts: (process.env.ENGRAM_ALLOWED_HOSTS ?? "").split(",").filter((name) => name !== ""),
    publicUrls: readPublicUrls(process.env.ENGRAM_PUBLIC_URLS),
    webhookHosts: readWebhookHosts(process.env.ENGRAM_WEBHOOK_HOSTS),
    logsRequests: Boolean(process.env.ENGRAM_LOG),
  });
  unregister = registerService(service);
  process.stdout.write(banner(service, await createSignInLink(service)));
  freeHeap();
} catch (error) {
  if (!stopping) {
    process.stderr.write(`${error instanceof StartError ? error.message : reason(error)}\n`);
    process.exit(1);
  }
}

/** Ctrl-C can call this more than once, because parent processes forward the signal. */
function stop(): void {
  if (stopping) return;
  stopping = true;
  unregister();
  // There are no requests to finish yet. workerd ends with this process.
  if (service === undefined) process.exit(0);
  setTimeout(() => process.exit(0), STOP_TIMEOUT_MS).unref();
  service.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${reason(error)}\n`);
      process.exit(1);
    },
  );
}

function reason(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
