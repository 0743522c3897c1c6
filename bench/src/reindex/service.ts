import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { startChild } from "../speed/child.ts";
import { type Endpoint, OTHER_MODEL } from "./endpoint.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
/** Started as a program, because the bench must not import the service's internals. */
const PROGRAM = join(import.meta.dirname, "../../test/support/reindex-service.ts");

/** A service whose data directory is kept when it stops. */
export interface ReindexService {
  url: string;
  /** The key of the organization "local", the same at every start. */
  key: string;
  stop(): Promise<void>;
}

/** Start the service with the built-in model or an endpoint's. @throws {Error} when it does not start. */
export async function startReindexService(
  dataDirectory: string,
  endpoint?: Endpoint,
): Promise<ReindexService> {
  const child = await startChild(PROGRAM, [
    dataDirectory,
    ...(endpoint === undefined ? [] : [endpoint.url, OTHER_MODEL]),
  ]);
  try {
    const { url, key } = (await child.receive()) as { url: string; key: string };
    return { url, key, stop: child.stop };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Run `npm run reindex` as an operator would. @throws {Error} with its output when it fails. */
export async function runReindex({ url, key }: ReindexService): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, "deploy/src/reindex.ts")], {
    env: { ...process.env, ENGRAM_URL: url, ENGRAM_API_KEY: key },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`npm run reindex ended with ${code}: ${said}`);
}
