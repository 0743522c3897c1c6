import { fromFdPromise, openPromise, type ZipFile } from "yauzl";

const STORED = 0;
const DEFLATED = 8;

export interface ZipEntry {
  name: string;
  /** Where its data are in the zip file. */
  start: number;
  bytes: number;
  isDeflated: boolean;
  /** Why the entry cannot be read. */
  flaw?: string;
}

/**
 * Lists the files in a zip file, except those that are hidden. Only the list is read with the library: destroying one
 * of its streams ends the process.
 *
 * @throws {Error} If it is not a zip file, or is damaged.
 */
export async function zipEntriesOf({ path, fd }: { path: string; fd?: number }): Promise<ZipEntry[]> {
  const zip = await (fd === undefined
    ? openPromise(path, { autoClose: false })
    : fromFdPromise(fd, { autoClose: false }));
  try {
    return await entriesOf(zip);
  } finally {
    // The library would also close a file that it has not opened.
    if (fd === undefined) zip.close();
  }
}

async function entriesOf(zip: ZipFile): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, compressionMethod: method, compressedSize: bytes } = entry;
    // The name of a directory ends with a slash. Archivers of macOS add hidden files.
    if (/(^|\/)(\.[^/]*)?$/.test(name)) continue;
    const flaw = entry.isEncrypted()
      ? "encrypted"
      : method !== STORED && method !== DEFLATED
        ? `compressed with method ${method} of zip files`
        : undefined;
    const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    entries.push({ name, start, bytes, isDeflated: method === DEFLATED, ...(flaw && { flaw }) });
  }
  return entries;
}
