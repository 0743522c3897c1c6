import { createReadStream, type Dirent, read, readSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { pipeline, Readable, Transform } from "node:stream";
import { promisify } from "node:util";
import { CommandError, NotFoundError } from "./command-error.ts";
import { type Compression, compressionOfName, compressionOfStart, decompressorOf } from "./compression.ts";
import type { Source } from "./importers/importer.ts";
import { STANDARD_STREAM, spool } from "./spooled-input.ts";
import { zipEntriesOf } from "./zip-files.ts";

export interface SourceFile extends Source {
  path: string;
  bytes: number;
  modifiedAtMs: number;
  bytesRead(): number;
}

/** A file that is not imported, with its path in the directory or zip file. */
export interface OtherFile {
  name: string;
  reason: string;
}

export interface Sources {
  sources: SourceFile[];
  others: OtherFile[];
}

/** A file on disk, or a file in a zip file. */
interface StoredFile {
  /** The path in the directory or zip file, separated by `/`. */
  name: string;
  path: string;
  modifiedAtMs: number;
  data: Data;
}

/** Where the bytes of a file are: a part of the file at `path`, or of `fd` if it is open. */
interface Data {
  path: string;
  fd?: number | undefined;
  start: number;
  bytes: number;
  isDeflated?: boolean;
}

interface Listing {
  files: StoredFile[];
  /** Those that are not files, or cannot be read. */
  others: OtherFile[];
}

const OTHER_FORMAT = "not a file of this format";
const NO_FILE = "not a regular file, such as a symbolic link";

/**
 * Finds the files to import: `path` itself, or the files whose paths match `files` in a directory, its subdirectories
 * and its zip files, or in a zip file. Files that are compressed with gzip or zstd are included. The path `-` is
 * standard input. Skips hidden files, and does not follow symbolic links.
 *
 * @throws {CommandError} If `path` does not exist or cannot be read, or contains no such file.
 */
export async function findSources(path: string, files: RegExp): Promise<Sources> {
  const isUnnamed = await isStream(path);
  const named = isUnnamed ? await spooled(path) : await fileAt(path, path);
  if (named === undefined) return choose(await filesBelow(path), files, path);
  const compression = compressionOfStart(await startOf(named.data));
  if (compression === "zip" || extname(path).toLowerCase() === ".zip") {
    const { flaw, ...listing } = await filesInZip(named);
    if (flaw !== undefined) throw new CommandError(`${named.name} ${flaw}`);
    return choose(listing, files, path);
  }
  const { plainName } = compressionOfName(named.name);
  const source = toSource({ ...named, name: plainName }, compression);
  if ("flaw" in source) throw new CommandError(`${named.name} is ${source.flaw}.`);
  return { sources: [{ ...source, isUnnamed }], others: [] };
}

function choose({ files, others }: Listing, wanted: RegExp, path: string): Sources {
  const names = new Set([...files, ...others].flatMap(({ name }) => name.split("/")));
  const sources: SourceFile[] = [];
  const missing = [...others];
  for (const file of files) {
    const { plainName, compression } = compressionOfName(file.name);
    const source = wanted.test(plainName)
      ? toSource({ ...file, name: plainName }, compression)
      : { flaw: OTHER_FORMAT };
    if ("flaw" in source) missing.push({ name: file.name, reason: source.flaw });
    else sources.push({ ...source, isBeside: (name) => names.has(name) });
  }
  const hasUnreadable = missing.some(({ reason }) => reason !== OTHER_FORMAT && reason !== NO_FILE);
  if (sources.length === 0 && !hasUnreadable)
    throw new NotFoundError(`${path} contains no file of this format.`);
  return { sources: sources.sort((a, b) => (a.path < b.path ? -1 : 1)), others: missing };
}

/** Undefined if `path` is a directory. */
async function fileAt(path: string, name: string): Promise<StoredFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new NotFoundError(`${path} not found.`);
  const { size: bytes, mtimeMs: modifiedAtMs } = found;
  return found.isDirectory() ? undefined : { name, path, modifiedAtMs, data: { path, start: 0, bytes } };
}

/** Whether a path is standard input, a pipe or a device. */
async function isStream(path: string): Promise<boolean> {
  if (path === STANDARD_STREAM) return true;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

async function spooled(stream: string): Promise<StoredFile> {
  const { fd, bytes, digest } = await spool(stream);
  // The digest stands for the path, so that an interrupted import of the same content is resumed.
  const path = `${STANDARD_STREAM}${digest}`;
  const name = stream === STANDARD_STREAM ? "Standard input" : stream;
  return { name, path, modifiedAtMs: 0, data: { path, fd, start: 0, bytes } };
}

async function filesBelow(directory: string): Promise<Listing> {
  const { files: paths, others } = await pathsBelow(directory, isHiddenFile);
  const nameOf = nameIn(directory);
  const listing: Listing = {
    files: [],
    others: others.map((path) => ({ name: nameOf(path), reason: NO_FILE })),
  };
  for (const path of paths) {
    const file = await fileAt(path, nameOf(path));
    if (file === undefined) continue;
    if (extname(path).toLowerCase() !== ".zip") {
      listing.files.push(file);
      continue;
    }
    const { files, others: unreadable, flaw } = await filesInZip(file, `${file.name}/`);
    listing.files.push(...files);
    listing.others.push(...unreadable, ...(flaw === undefined ? [] : [{ name: file.name, reason: flaw }]));
  }
  return listing;
}

/** `flaw` says why the zip file cannot be read. */
async function filesInZip(zip: StoredFile, prefix = ""): Promise<Listing & { flaw?: string }> {
  const listing: Listing = { files: [], others: [] };
  try {
    for (const entry of await zipEntriesOf(zip.data)) {
      const name = prefix + entry.name;
      const flaw = extname(name).toLowerCase() === ".zip" ? "a zip file in a zip file" : entry.flaw;
      const data = { ...zip.data, ...entry };
      if (flaw === undefined) listing.files.push({ ...zip, name, path: join(zip.path, entry.name), data });
      else listing.others.push({ name, reason: flaw });
    }
  } catch (error) {
    return { ...listing, flaw: `cannot be read as a zip file: ${(error as Error).message}` };
  }
  return listing;
}

export interface Notes {
  notes: SourceFile[];
  others: OtherFile[];
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
  const { files, others } = await pathsBelow(directory, isHidden);
  const isNote = (path: string) => /\.(md|markdown)$/i.test(path);
  const nameOf = nameIn(directory);
  const notes = await Promise.all(files.filter(isNote).map((path) => noteAt(path, nameOf(path))));
  if (notes.length === 0) throw new NotFoundError(`${directory} contains no notes.`);
  return {
    notes: notes.sort((a, b) => (a.name < b.name ? -1 : 1)),
    others: [...files.filter((path) => !isNote(path)), ...others]
      .map((path) => ({ name: nameOf(path), reason: "not a note" }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

async function noteAt(path: string, name: string): Promise<SourceFile> {
  const { size: bytes, mtimeMs: modifiedAtMs } = await stat(path);
  return toSourceFile({ name, path, modifiedAtMs, data: { path, start: 0, bytes } }, []);
}

const nameIn = (directory: string) => (path: string) => relative(directory, path).split(sep).join("/");

const isHidden = ({ name }: Dirent): boolean => name.startsWith(".");
const isHiddenFile = (entry: Dirent): boolean => isHidden(entry) && !entry.isDirectory();

/**
 * Paths of the files in a directory with its subdirectories. Not `readdir` with `recursive`, which may follow symbolic
 * links, and never ends for a link to a parent directory.
 */
async function pathsBelow(
  directory: string,
  isSkipped: (entry: Dirent) => boolean,
): Promise<{ files: string[]; others: string[] }> {
  const found: { files: string[]; others: string[] } = { files: [], others: [] };
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (isSkipped(entry)) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      const { files, others } = await pathsBelow(path, isSkipped);
      found.files.push(...files);
      found.others.push(...others);
    } else if (entry.isFile()) found.files.push(path);
    else found.others.push(path);
  }
  return found;
}

const readFrom = promisify(read);

const START_BYTES = 4;

async function startOf({ path, fd }: Data): Promise<Buffer> {
  const start = Buffer.alloc(START_BYTES);
  if (fd !== undefined) {
    readSync(fd, start, 0, START_BYTES, 0);
    return start;
  }
  const file = await open(path);
  await file.read(start, 0, START_BYTES, 0).finally(() => file.close());
  return start;
}

function toSource(file: StoredFile, compression: Compression | undefined): SourceFile | { flaw: string } {
  const compressions: Compression[] = [
    ...(file.data.isDeflated === true ? ["deflate" as const] : []),
    ...(compression === undefined ? [] : [compression]),
  ];
  const decompressors: (() => Transform)[] = [];
  for (const one of compressions) {
    const decompressor = decompressorOf(one);
    if ("flaw" in decompressor) return decompressor;
    decompressors.push(decompressor);
  }
  return toSourceFile(file, decompressors);
}

function toSourceFile(
  { name, path, modifiedAtMs, data }: StoredFile,
  decompressors: (() => Transform)[],
): SourceFile {
  let bytesRead = 0;
  const open = async (): Promise<Readable> => {
    bytesRead = 0;
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytesRead += chunk.byteLength;
        done(null, chunk);
      },
    });
    const steps = [counter, ...decompressors.map((create) => create())];
    // An error also reaches the last stream, whose reader handles it.
    pipeline([streamOf(data), ...steps], () => {});
    return steps.at(-1) ?? counter;
  };
  return { name, path, bytes: data.bytes, modifiedAtMs, open, bytesRead: () => bytesRead };
}

function streamOf({ path, fd, start, bytes }: Data): Readable {
  if (bytes === 0) return Readable.from([]);
  if (fd !== undefined) return Readable.from(readPart(fd, start, bytes));
  return createReadStream(path, { start, end: start + bytes - 1 });
}

const READ_BYTES = 65_536;

/** Not `createReadStream`, which closes the file in Node 20 even if it must not. */
async function* readPart(fd: number, start: number, bytes: number): AsyncGenerator<Buffer> {
  for (let at = start; at < start + bytes; ) {
    const buffer = Buffer.alloc(Math.min(READ_BYTES, start + bytes - at));
    const { bytesRead } = await readFrom(fd, buffer, 0, buffer.byteLength, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
