import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, extname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { openPromise as openZip } from "yauzl";
import { CommandError, NotFoundError } from "./command-error.ts";
import type { Source } from "./importers/importer.ts";

export interface SourceFile extends Source {
  path: string;
  bytes: number;
  modifiedAtMs: number;
  bytesRead(): number;
}

/**
 * Finds the files to import: `path` itself, or the files in a directory with its subdirectories, or in a zip
 * file, whose names match `files`.
 *
 * @throws {CommandError} If `path` does not exist, is a damaged zip file, or contains no such file.
 */
export async function findSources(path: string, files: RegExp): Promise<SourceFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new NotFoundError(`${path} not found.`);
  const sources = found.isDirectory()
    ? await sourcesBelow(path, files)
    : extname(path).toLowerCase() === ".zip"
      ? await sourcesOfZip(path, files, found.mtimeMs)
      : [await sourceOfFile(path, path)];
  if (sources.length === 0) throw new NotFoundError(`${path} contains no file of this format.`);
  return sources.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export interface Notes {
  notes: SourceFile[];
  /** Paths of the other files and of symbolic links, relative to the directory. */
  others: string[];
}

/**
 * Finds the Markdown files in a directory with its subdirectories. Skips hidden files, and does not follow symbolic
 * links.
 *
 * @throws {CommandError} If `directory` is not a directory or has no notes.
 */
export async function findNotes(directory: string): Promise<Notes> {
  const found = await stat(directory).catch(() => undefined);
  if (found === undefined) throw new NotFoundError(`Directory ${directory} not found.`);
  if (!found.isDirectory()) throw new NotFoundError(`${directory} is not a directory.`);
  const paths = await pathsBelow(directory);
  const nameOf = (path: string) => relative(directory, path).split(sep).join("/");
  if (paths.notes.length === 0) throw new NotFoundError(`${directory} contains no notes.`);
  const notes = await Promise.all(paths.notes.map((path) => sourceOfFile(path, nameOf(path))));
  return {
    notes: notes.sort((a, b) => (a.name < b.name ? -1 : 1)),
    others: paths.others.map(nameOf).sort(),
  };
}

/**
 * Not `readdir` with `recursive`, which may follow symbolic links, and never ends for a link to a parent
 * directory.
 */
async function pathsBelow(directory: string): Promise<{ notes: string[]; others: string[] }> {
  const found: { notes: string[]; others: string[] } = { notes: [], others: [] };
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.name.startsWith(".")) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      const { notes, others } = await pathsBelow(path);
      found.notes.push(...notes);
      found.others.push(...others);
    } else if (entry.isFile() && /\.(md|markdown)$/i.test(entry.name)) found.notes.push(path);
    else found.others.push(path);
  }
  return found;
}

async function sourcesBelow(directory: string, files: RegExp): Promise<SourceFile[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && files.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map((path) => sourceOfFile(path, relative(directory, path))));
}

async function sourceOfFile(path: string, name: string): Promise<SourceFile> {
  const { size, mtimeMs } = await stat(path);
  return toSource({ name, path, bytes: size, modifiedAtMs: mtimeMs }, async () => createReadStream(path));
}

/** @throws {CommandError} If the file cannot be read as a zip file. */
async function sourcesOfZip(path: string, files: RegExp, modifiedAtMs: number): Promise<SourceFile[]> {
  const sources: SourceFile[] = [];
  try {
    // The zip file stays open, because its entries are read later.
    const zip = await openZip(path, { autoClose: false });
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize: bytes } = entry;
      if (!files.test(basename(name))) continue;
      const about = { name, path: join(path, name), bytes, modifiedAtMs };
      sources.push(toSource(about, () => zip.openReadStreamPromise(entry)));
    }
  } catch (error) {
    throw new CommandError(`${path} cannot be read as a zip file: ${(error as Error).message}`);
  }
  return sources;
}

function toSource(
  about: Pick<SourceFile, "name" | "path" | "bytes" | "modifiedAtMs">,
  open: () => Promise<Readable>,
): SourceFile {
  let bytesRead = 0;
  async function* counted(stream: Readable): AsyncGenerator<Buffer, void, undefined> {
    bytesRead = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytesRead += chunk.byteLength;
      yield chunk;
    }
  }
  return {
    ...about,
    open: async () => Readable.from(counted(await open()), { objectMode: false }),
    bytesRead: () => bytesRead,
  };
}
