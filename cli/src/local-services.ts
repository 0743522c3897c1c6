import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { xdgDirectory } from "./config.ts";
import { DEFAULT_URL, sameUrl } from "./connection.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A service of this user that runs on this machine. */
export interface LocalService {
  url: string;
  apiKey: string;
  keyFile: string;
}

/**
 * Finds the services that `engram start`, `npm start` or `@engram/local` runs, by the entries that
 * local/src/start/registration.ts writes. The one on the default port comes first.
 */
export function findLocalServices(env: Environment): LocalService[] {
  const directory = join(xdgDirectory(env, "XDG_STATE_HOME", ".local/state"), "services");
  const services = entriesOf(directory).flatMap((name) => readService(join(directory, name)));
  return services.sort((a, b) => rank(a) - rank(b) || (a.url < b.url ? -1 : 1));
}

const rank = ({ url }: LocalService): number => (sameUrl(url, DEFAULT_URL) ? 0 : 1);

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

/** Empty if the service was killed, or if its key cannot be read. */
function readService(file: string): LocalService[] {
  try {
    const { url, data, pid } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    if (typeof url !== "string" || typeof data !== "string" || typeof pid !== "number") return [];
    process.kill(pid, 0);
    const keyFile = join(data, "key");
    const apiKey = readFileSync(keyFile, "utf8").trim();
    return apiKey === "" ? [] : [{ url, apiKey, keyFile }];
  } catch {
    return [];
  }
}
