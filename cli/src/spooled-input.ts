import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

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
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      done(null, chunk);
    },
  });
  await pipeline(input, counted, createWriteStream("", { fd, autoClose: false }));
  return { fd, bytes, digest: hash.digest("hex") };
}
