import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { startChild } from "../speed/child.ts";
import { type Endpoint, OTHER_MODEL } from "./endpoint.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
/** Run as a program, since nothing here may know the inside of the service. */
const PROGRAM = join(import.meta.dirname, "../../test/support/reindex-service.ts");

/** A service on a data directory that is kept when it stops. */
export interface ReindexService {
  url: string;
  /** Of the organization "local", the same at every start. */
  key: string;
  stop(): Promise<void>;
}

/** Start it with the built-in model, or with an endpoint's. @throws {Error} when it does not come up. */
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

/** What an operator does: `npm run reindex`. @throws {Error} with what it said when it fails. */
export async function runReindex({ url, key }: ReindexService): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, "deploy/src/reindex.ts")], {
    env: { ...process.env, ENGRAM_URL: url, ENGRAM_API_KEY: key },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`npm run reindex ended with ${code}: ${said}`);
}
