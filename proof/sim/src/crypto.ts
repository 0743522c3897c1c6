import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import type { Random } from "./random.ts";

type Bytes = ArrayBuffer | Uint8Array;

/** A key is its bytes. */
type Key = Uint8Array;

const TAG_BYTES = 16;
/** The initial value of RFC 3394. */
const WRAP_IV = Buffer.alloc(8, 0xa6);

/** `crypto` without threads, whose random values depend on the seed. Has what the service and its OAuth library use. */
export const cryptoOf = (random: Random) => ({
  getRandomValues: (values: Uint8Array): Uint8Array => {
    values.set(random.bytes(values.length));
    return values;
  },
  subtle: {
    digest: async (_: "SHA-256", data: Bytes) => bufferOf(createHash("sha256").update(view(data)).digest()),
    importKey: async (_: "raw", key: Bytes): Promise<Key> => view(key),
    generateKey: async ({ length }: { length: number }): Promise<Key> => random.bytes(length / 8),
    sign: async (_: "HMAC", key: Key, data: Bytes) =>
      bufferOf(createHmac("sha256", key).update(view(data)).digest()),
    encrypt: async ({ iv }: { iv: Bytes }, key: Key, data: Bytes) => {
      const cipher = createCipheriv("aes-256-gcm", key, view(iv));
      return bufferOf(Buffer.concat([cipher.update(view(data)), cipher.final(), cipher.getAuthTag()]));
    },
    decrypt: async ({ iv }: { iv: Bytes }, key: Key, data: Bytes) => {
      const sealed = view(data);
      const decipher = createDecipheriv("aes-256-gcm", key, view(iv), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return bufferOf(Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]));
    },
    wrapKey: async (_: "raw", key: Key, by: Key) => {
      const cipher = createCipheriv("id-aes256-wrap", by, WRAP_IV);
      return bufferOf(Buffer.concat([cipher.update(key), cipher.final()]));
    },
    unwrapKey: async (_: "raw", wrapped: Bytes, by: Key): Promise<Key> => {
      const decipher = createDecipheriv("id-aes256-wrap", by, WRAP_IV);
      return new Uint8Array(Buffer.concat([decipher.update(view(wrapped)), decipher.final()]));
    },
  },
});

const view = (data: Bytes): Uint8Array => (data instanceof Uint8Array ? data : new Uint8Array(data));

const bufferOf = ({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer =>
  buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
