import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, extname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { openPromise as openZip } from "yauzl";
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
 * The files at a path: itself, or those of a directory or a zip file, and all below, whose names fit, in order of
 * their names.
 *
 * @throws {CommandError} when nothing is there.
 */
export async function findSources(path: string, files: RegExp): Promise<SourceFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new CommandError(`There is no ${path}.`);
  const sources = found.isDirectory()
    ? await sourcesBelow(path, files)
    : extname(path).toLowerCase() === ".zip"
      ? await sourcesOfZip(path, files, found.mtimeMs)
      : [await sourceOfFile(path, path)];
  if (sources.length === 0) throw new CommandError(`${path} holds no file of this format.`);
  return sources.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * The notes of a vault: the Markdown files of a directory and all below, in order of their paths. What is hidden, as
 * `.obsidian` and `.trash` are, is passed over, and links are not followed.
 *
 * @throws {CommandError} when it is no directory or holds none.
 */
export async function findNotes(directory: string): Promise<SourceFile[]> {
  const found = await stat(directory).catch(() => undefined);
  if (!found?.isDirectory()) throw new CommandError(`There is no directory ${directory}.`);
  const paths = await notesBelow(directory);
  if (paths.length === 0) throw new CommandError(`${directory} holds no note.`);
  const notes = await Promise.all(
    paths.map((path) => sourceOfFile(path, relative(directory, path).split(sep).join("/"))),
  );
  return notes.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** `readdir` may go below links when it is recursive, and with one to above never come to an end. */
async function notesBelow(directory: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.name.startsWith(".")) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) paths.push(...(await notesBelow(path)));
    else if (entry.isFile() && /\.md$/i.test(entry.name)) paths.push(path);
  }
  return paths;
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

/** @throws {CommandError} when it is no zip file. */
async function sourcesOfZip(path: string, files: RegExp, modifiedAtMs: number): Promise<SourceFile[]> {
  const sources: SourceFile[] = [];
  try {
    // Left open: it is read until this program ends.
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
