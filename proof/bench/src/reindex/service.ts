import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { type ServiceProcess, startServiceProcess } from "../../../support/service-process.ts";
import { type Endpoint, OTHER_MODEL } from "./endpoint.ts";

const ROOT = resolve(import.meta.dirname, "../../../..");
/** Indexing in the background should not wait for the five seconds between sweeps of `npm start`. */
const SWEEP_INTERVAL_MS = 250;

/** Start the service with the built-in model or an endpoint's. @throws {Error} when it does not start. */
export function startReindexService(dataDirectory: string, endpoint?: Endpoint): Promise<ServiceProcess> {
  const env = { ENGRAM_EMBEDDINGS_URL: endpoint?.url ?? "", ENGRAM_EMBEDDINGS_MODEL: OTHER_MODEL };
  return startServiceProcess({ dataDirectory, cronIntervalMs: SWEEP_INTERVAL_MS }, { env });
}

/** Run `npm run reindex` as an operator would. @throws {Error} with its output when it fails. */
export async function runReindex({ url, key }: ServiceProcess): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, "deploy/src/reindex.ts")], {
    env: { ...process.env, ENGRAM_URL: url, ENGRAM_API_KEY: key },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`npm run reindex ended with ${code}: ${said}`);
}
