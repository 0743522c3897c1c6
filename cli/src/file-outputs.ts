import {
  createWriteStream,
  fstatSync,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";

const PRIVATE = 0o600;

/**
 * Whether a path can be replaced by a complete new file: it is a regular file, or nothing exists there. Devices,
 * pipes and symbolic links such as `/dev/stdout` must be written into instead.
 */
const isReplaceable = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true;

/** Whether a path names this process's standard output, such as `/dev/stdout`. */
export function isStandardOutput(path: string): boolean {
  const named = statSync(path, { throwIfNoEntry: false });
  const own = fstatSync(1);
  return named !== undefined && !isReplaceable(path) && named.dev === own.dev && named.ino === own.ino;
}

/**
 * Passes `write` a stream into a file. A regular file gets its new content once all of it is written, so an
 * interrupted command leaves the old file. Everything else, such as a device or a pipe, is written into directly.
 */
export async function writeThrough<T>(path: string, write: (target: Writable) => Promise<T>): Promise<T> {
  if (!isReplaceable(path)) return intoStream(createWriteStream(path, { flags: "w", mode: PRIVATE }), write);
  // A rename is atomic only within a file system, so the temporary file is in the same directory.
  const draft = `${path}.part`;
  // An interrupted command may have left the temporary file. If it is a symbolic link, only the link is removed.
  await rm(draft, { force: true });
  const result = await intoStream(createWriteStream(draft, { flags: "wx", mode: PRIVATE }), write);
  await rename(draft, path);
  return result;
}

async function intoStream<T>(target: Writable, write: (target: Writable) => Promise<T>): Promise<T> {
  const done = finished(target);
  // `write` fails with the same error. Without this line the process would end before it is reported.
  done.catch(() => {});
  const result = await write(target);
  target.end();
  await done;
  return result;
}

/**
 * Writes a text to a file that keeps its permissions, or is only this user's if it is new. Follows symbolic links.
 * A regular file has its old or its new text if writing is interrupted.
 */
export function writeText(path: string, text: string, mode: number = PRIVATE): void {
  const file = realpathOf(path);
  if (!isReplaceable(file)) {
    writeFileSync(file, text);
    return;
  }
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The path itself if nothing exists there. */
function realpathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return path;
    throw error;
  }
}
