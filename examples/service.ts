// Finds the service for the examples: the one that ENGRAM_URL and ENGRAM_API_KEY name or, without them, one that runs
// on this machine, as `engram login` does. In your own program, pass the address and the key.
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

interface Service {
  baseUrl: string;
  apiKey: string;
}

/** Resolves to the options of a client. If there is no service or it refuses the key, ends the program with a sentence. */
export async function findService(): Promise<Service> {
  const { ENGRAM_URL, ENGRAM_API_KEY } = process.env;
  const local = localServices().find(({ baseUrl }) => !ENGRAM_URL || baseUrl === ENGRAM_URL);
  const baseUrl = ENGRAM_URL || local?.baseUrl;
  const apiKey = ENGRAM_API_KEY || local?.apiKey;
  if (!baseUrl || !apiKey)
    return fail("No key: start the service with `npm start`, or set ENGRAM_URL and ENGRAM_API_KEY.");
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${baseUrl}/v1/index`, { headers }).catch(() => undefined);
  if (response === undefined)
    return fail(`The Engram service does not answer at ${baseUrl}. Start it with \`npm start\`.`);
  if (response.status === 401) return fail(((await response.json()) as { detail: string }).detail);
  return { baseUrl, apiKey };
}

/** The services that run now. Each has a file with its address, its process and the folder of its data. */
function localServices(): Service[] {
  const folder = join(process.env.XDG_STATE_HOME || join(homedir(), ".local/state"), "engram/services");
  try {
    return readdirSync(folder).flatMap((name) => readService(join(folder, name)));
  } catch {
    return [];
  }
}

/** Empty if the service was killed. */
function readService(file: string): Service[] {
  try {
    const { url, data, pid } = JSON.parse(readFileSync(file, "utf8"));
    process.kill(pid, 0);
    return [{ baseUrl: url, apiKey: readFileSync(join(data, "key"), "utf8").trim() }];
  } catch {
    return [];
  }
}

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}
