import { createReadStream, type ReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { CommandError } from "./command-error.ts";
import type { Source } from "./importers/importer.ts";

/** A file to import, and what tells it from another version of itself. */
export interface SourceFile extends Source {
  path: string;
  bytes: number;
  modifiedAtMs: number;
  /** How much of it has been read. */
  bytesRead(): number;
}

/**
 * The files at a path: itself, or those of a directory and all below it whose names fit, in order of their names.
 *
 * @throws {CommandError} when nothing is there.
 */
export async function findSources(path: string, files: RegExp): Promise<SourceFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new CommandError(`There is no ${path}.`);
  const paths = found.isDirectory() ? await pathsBelow(path, files) : [path];
  if (paths.length === 0) throw new CommandError(`${path} holds no file of this format.`);
  return Promise.all(paths.map((file) => toSource(file, file === path ? path : relative(path, file))));
}

async function toSource(path: string, name: string): Promise<SourceFile> {
  const { size, mtimeMs } = await stat(path);
  let latest: ReadStream | undefined;
  return {
    name,
    path,
    bytes: size,
    modifiedAtMs: mtimeMs,
    open() {
      latest = createReadStream(path);
      return latest;
    },
    bytesRead: () => latest?.bytesRead ?? 0,
  };
}

async function pathsBelow(directory: string, files: RegExp): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && files.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
