import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const MOUNT = "/dev/shm";
const NAME = /^engram-tests-(\d+)$/;
/** The tests together write some hundred megabytes. */
const FREE_BYTES_MIN = 4 * 1024 ** 3;

/**
 * Creates a directory in memory, which is removed when this process exits, or by the next run if it is killed.
 *
 * Returns undefined where the system has no room for it, or runs no programs from it.
 */
export function createMemoryDirectory() {
  if (process.platform !== "linux" || freemem() < FREE_BYTES_MIN) return undefined;
  try {
    removeLeftovers();
    const { bavail, bsize } = statfsSync(MOUNT);
    if (!runsPrograms() || bavail * bsize < FREE_BYTES_MIN) return undefined;
    const directory = join(MOUNT, `engram-tests-${process.pid}`);
    mkdirSync(directory, { mode: 0o700 });
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
    return directory;
  } catch {
    return undefined;
  }
}

function removeLeftovers() {
  for (const name of readdirSync(MOUNT)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(MOUNT, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Docker mounts the directory with `noexec`, and tests start programs that they write. */
function runsPrograms() {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const [, , , options] = mounts.map((line) => line.split(" ")).find(([, path]) => path === MOUNT) ?? [];
  return options !== undefined && !options.split(",").includes("noexec");
}
