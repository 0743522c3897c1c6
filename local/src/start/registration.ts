import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isAlive } from "./processes.ts";

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

interface Registration {
  url: string;
  /** Directory of the service's data, with the file `key`. */
  data: string;
  pid: number;
}

/**
 * Writes where a running service and its key are, so that `engram login` finds them. A failure is ignored: the service
 * works without it.
 *
 * @returns A function that removes the entry.
 */
export function registerService(
  { url, dataDirectory }: { url: string; dataDirectory: string },
  env: NodeJS.ProcessEnv = process.env,
): () => void {
  const directory = registrationDirectory(env);
  const file = join(directory, `${new URL(url).port}.json`);
  const entry: Registration = { url, data: dataDirectory, pid: process.pid };
  try {
    mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
    for (const name of readdirSync(directory)) removeIfDead(join(directory, name));
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(entry), { mode: PRIVATE_FILE });
    renameSync(draft, file);
  } catch {
    // For example, the home directory is read-only.
  }
  return () => {
    if (readPid(file) === process.pid) rmSync(file, { force: true });
  };
}

/** cli/src/local-services.ts reads this directory. */
const registrationDirectory = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_STATE_HOME || join(homedir(), ".local/state"), "engram/services");

/** Removes the entry of a service that was killed. */
function removeIfDead(file: string): void {
  const pid = readPid(file);
  if (pid === undefined || !isAlive(pid)) rmSync(file, { force: true });
}

function readPid(file: string): number | undefined {
  try {
    const { pid }: Partial<Registration> = JSON.parse(readFileSync(file, "utf8"));
    return typeof pid === "number" ? pid : undefined;
  } catch {
    return undefined;
  }
}
