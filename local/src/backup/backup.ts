import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import * as sqlite from "node:sqlite";
import { StartError } from "../start/start-error.ts";
import { readTar, TarWriter } from "./tar.ts";

/** Written last, so that a backup that has it is whole. */
const MANIFEST = "backup.json";
const VERSION = 1;
const STATE = "v3";
const SECRETS = ["key", "admin-token"];
/** All in one step: a database to which others write meanwhile would otherwise begin again. */
const PAGES = 2 ** 30;
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;
/** What a backup may have, so that a restore writes nothing elsewhere. */
const NAMES = new RegExp(`^(?:${SECRETS.join("|")}|${STATE}(?:/(?!\\.{1,2}(?:/|$))[^/\\\\]+)+)$`);

interface File {
  name: string;
  bytes: number;
  sha256: string;
}
interface Manifest {
  version: number;
  created_at: string;
  files: File[];
}

export interface Summary {
  files: number;
  bytes: number;
}

/**
 * Copies everything that a service stores into one file, also while it serves. Each database is copied as it is at one
 * moment: first that of D1, then the others, so that every vector that it names was stored before its copy. Objects of
 * archives come last, as what does not change is there when the database that names it is copied.
 *
 * @throws {StartError} If the directory has no data.
 */
export async function backUp(data: string, target: string): Promise<Summary> {
  const state = join(data, STATE);
  if (!existsSync(state)) throw new StartError(`${data} has no data of a service.`);
  const draft = `${target}.part`;
  const copy = `${target}.copy`;
  await rm(draft, { force: true });
  const file = await open(draft, "wx", PRIVATE_FILE);
  try {
    const tar = new TarWriter(file);
    const files: File[] = [];
    const all = filesIn(state).filter((name) => !/-(?:wal|shm|journal)$/.test(name));
    const databases = all.filter((name) => name.endsWith(".sqlite"));
    const others = all.filter((name) => !name.endsWith(".sqlite")).map((name) => join(STATE, name));
    for (const name of databases) {
      await copyDatabase(join(state, name), copy);
      files.push(await addFile(tar, join(STATE, name), copy));
    }
    for (const name of [...others, ...SECRETS]) {
      // An archive may be deleted meanwhile.
      if (existsSync(join(data, name))) files.push(await addFile(tar, name, join(data, name)));
    }
    const manifest: Manifest = { version: VERSION, created_at: new Date().toISOString(), files };
    const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
    await tar.add({ name: MANIFEST, bytes: text.byteLength }, bytesOf(text));
    await tar.end();
    await file.close();
    await rename(draft, target);
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  } finally {
    await rm(copy, { force: true });
  }
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Paths of the files, in the order of their names. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();

/** Copies a database with what its log has. Keeps the numbers of rows, which `VACUUM INTO` would change. */
async function copyDatabase(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  const database = new sqlite.DatabaseSync(from, { readOnly: true });
  try {
    await sqlite.backup(database, to, { rate: PAGES });
  } finally {
    database.close();
  }
}

async function addFile(tar: TarWriter, path: string, from: string): Promise<File> {
  const name = path.split(sep).join("/");
  const { size: bytes } = await stat(from);
  const hash = createHash("sha256");
  const hashed = async function* () {
    for await (const chunk of createReadStream(from)) {
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  };
  await tar.add({ name, bytes }, hashed());
  return { name, bytes, sha256: hash.digest("hex") };
}

/**
 * Writes what a backup has into a directory, once all of it has the SHA-256 that the backup says.
 *
 * @throws {StartError} If the directory has data already, or the backup is damaged. Nothing is changed then.
 */
export async function restore(source: string, data: string): Promise<Summary> {
  if (existsSync(join(data, STATE)))
    throw new StartError(
      `${data} has data of a service already. Stop the service and move the directory, or name another one.`,
    );
  const draft = `${data}.restoring`;
  await rm(draft, { recursive: true, force: true });
  try {
    const { files } = await unpack(source, draft);
    // Files of a directory that a service never used, such as one that was only created.
    await mkdir(data, { recursive: true, mode: PRIVATE_DIRECTORY });
    for (const name of [...SECRETS, STATE]) {
      if (!existsSync(join(draft, name))) continue;
      await rm(join(data, name), { force: true });
      await rename(join(draft, name), join(data, name));
    }
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function unpack(source: string, to: string): Promise<Manifest> {
  const found = new Map<string, string>();
  let manifest: Manifest | undefined;
  try {
    for await (const { name, content } of readTar(source)) {
      if (name === MANIFEST) manifest = await readManifest(content);
      else if (!NAMES.test(name)) throw new Error(`It has the file ${name}, which is none of a service.`);
      else found.set(name, await writeFile(join(to, name), content));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw new StartError(`${source} is no whole backup. ${(error as Error).message} Nothing was restored.`);
  }
  const isWhole =
    manifest?.version === VERSION &&
    manifest.files.length === found.size &&
    manifest.files.every(({ name, sha256 }) => found.get(name) === sha256);
  if (manifest === undefined || !isWhole)
    throw new StartError(`${source} is damaged, or of a later version. Nothing was restored.`);
  return manifest;
}

async function readManifest(content: AsyncIterable<Uint8Array>): Promise<Manifest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as Manifest;
}

/** Resolves to the SHA-256 of the content. */
async function writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY });
  const hash = createHash("sha256");
  const file = await open(path, "wx", PRIVATE_FILE);
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      await file.appendFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}
