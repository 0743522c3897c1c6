import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, createReadStream, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** As a path, names standard input or standard output. */
export const STANDARD_STREAM = "-";

/** A file without a name, which exists until the process ends. */
export interface Spooled {
  fd: number;
  bytes: number;
  /** The same for the same content. */
  digest: string;
}

/**
 * Copies standard input, or a pipe or device at `path`, to a file on disk, because importers read their input more than
 * once.
 */
export async function spool(path: string): Promise<Spooled> {
  const input = path === STANDARD_STREAM ? process.stdin : createReadStream(path);
  const copy = join(tmpdir(), `engram-${randomUUID()}`);
  const fd = openSync(copy, "wx+", 0o600);
  rmSync(copy);
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    hash.update(chunk);
    appendFileSync(fd, chunk);
    bytes += chunk.byteLength;
  }
  return { fd, bytes, digest: hash.digest("hex") };
}
