import { type FileHandle, open } from "node:fs/promises";

// The format that POSIX calls ustar, with GNU's form of a size of 8 GiB or more. Any `tar` reads it.

const BLOCK = 512;
const NAME_BYTES = 100;
/** Of the directory, which has a field of its own in a name that is too long for the first. */
const PREFIX_BYTES = 155;
const CHUNK_BYTES = 1_048_576;
/** Sizes below are octal digits. */
const OCTAL_SIZE_END = 8 ** 11;
const OFFSETS = {
  name: 0,
  mode: 100,
  size: 124,
  time: 136,
  sum: 148,
  type: 156,
  magic: 257,
  prefix: 345,
} as const;
const MODE = "0000600\0";

export interface TarEntry {
  name: string;
  bytes: number;
}

const padded = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

/** @throws {RangeError} for a name that fits in no header. */
export function headerOf({ name, bytes }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK);
  const [prefix, rest] = split(name);
  header.write(rest, OFFSETS.name);
  header.write(prefix, OFFSETS.prefix);
  header.write(MODE, OFFSETS.mode);
  header.write("0000000\0".repeat(2), OFFSETS.mode + MODE.length);
  if (bytes < OCTAL_SIZE_END) header.write(`${bytes.toString(8).padStart(11, "0")}\0`, OFFSETS.size);
  else {
    header.writeUInt8(0x80, OFFSETS.size);
    header.writeBigUInt64BE(BigInt(bytes), OFFSETS.size + 4);
  }
  header.write("00000000000\0", OFFSETS.time);
  header.write("        ", OFFSETS.sum);
  header.write("0", OFFSETS.type);
  header.write("ustar\x0000", OFFSETS.magic);
  header.write(`${sumOf(header).toString(8).padStart(6, "0")}\0 `, OFFSETS.sum);
  return header;
}

/** The directory and the rest of a name. */
function split(name: string): [prefix: string, rest: string] {
  if (Buffer.byteLength(name) <= NAME_BYTES) return ["", name];
  const end = name.lastIndexOf("/");
  const [prefix, rest] = [name.slice(0, Math.max(end, 0)), name.slice(end + 1)];
  if (Buffer.byteLength(prefix) > PREFIX_BYTES || Buffer.byteLength(rest) > NAME_BYTES)
    throw new RangeError(`The name ${name} is too long for a tar file.`);
  return [prefix, rest];
}

const sumOf = (header: Buffer): number => header.reduce((sum, byte) => sum + byte, 0);

/** Null at the end of the file. @throws {Error} if it is no header. */
export function readHeader(header: Buffer): TarEntry | null {
  if (header.every((byte) => byte === 0)) return null;
  const field = (from: number, length: number) => {
    const [text = ""] = header.toString("utf8", from, from + length).split("\0", 1);
    return text.trim();
  };
  const checked = Buffer.from(header);
  checked.write("        ", OFFSETS.sum);
  if (Number.parseInt(field(OFFSETS.sum, 8), 8) !== sumOf(checked)) throw new Error("It is no tar file.");
  const isLarge = header.readUInt8(OFFSETS.size) === 0x80;
  const bytes = isLarge
    ? Number(header.readBigUInt64BE(OFFSETS.size + 4))
    : Number.parseInt(field(OFFSETS.size, 12), 8);
  const names = [field(OFFSETS.prefix, PREFIX_BYTES), field(OFFSETS.name, NAME_BYTES)];
  return { name: names.filter((part) => part !== "").join("/"), bytes };
}

/** Writes a tar file, one entry after the other. */
export class TarWriter {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @throws {Error} if the content has another size. */
  async add(entry: TarEntry, content: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#file.appendFile(headerOf(entry));
    let written = 0;
    for await (const chunk of content) {
      written += chunk.byteLength;
      await this.#file.appendFile(chunk);
    }
    if (written !== entry.bytes) throw new Error(`${entry.name} has changed while it was copied.`);
    await this.#file.appendFile(Buffer.alloc(padded(written) - written));
  }

  /** Writes the end of the file, and has it stored durably. */
  async end(): Promise<void> {
    await this.#file.appendFile(Buffer.alloc(2 * BLOCK));
    await this.#file.sync();
  }
}

/** Yields the entries of a tar file, each with its content, which must be read before the next one. */
export async function* readTar(
  path: string,
): AsyncGenerator<TarEntry & { content: AsyncIterable<Uint8Array> }, void, undefined> {
  const file = await open(path, "r");
  try {
    for (let position = 0; ; ) {
      const header = Buffer.alloc(BLOCK);
      const { bytesRead } = await file.read(header, 0, BLOCK, position);
      if (bytesRead < BLOCK) throw new Error("The file ends too early.");
      const entry = readHeader(header);
      if (entry === null) return;
      position += BLOCK;
      yield { ...entry, content: contentOf(file, position, entry.bytes) };
      position += padded(entry.bytes);
    }
  } finally {
    await file.close();
  }
}

async function* contentOf(file: FileHandle, from: number, bytes: number): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < bytes; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, bytes - done));
    const { bytesRead } = await file.read(chunk, 0, chunk.byteLength, from + done);
    if (bytesRead === 0) throw new Error("The file ends too early.");
    done += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
