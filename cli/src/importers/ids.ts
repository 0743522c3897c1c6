import { createHash } from "node:crypto";

/** Crockford's base 32, as the service's own ids have it. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 9;
const HASH_CHARACTERS = 11;
const TIME_MAX_MS = 2 ** (5 * TIME_CHARACTERS) - 1;

/**
 * An id as the service gives them, made of a vendor's: 45 bits of milliseconds, so that it takes its place in
 * time among all others, and 55 bits of a hash of the names in place of random ones.
 */
export function derivedId(prefix: "conv" | "msg", atMs: number, ...names: string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(names)).digest();
  const time = Math.min(Math.max(Math.trunc(atMs), 0), TIME_MAX_MS);
  return `${prefix}_${base32(BigInt(time), TIME_CHARACTERS)}${base32(hash.readBigUInt64BE() >> 9n, HASH_CHARACTERS)}`;
}

function base32(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest >>= 5n) text = ALPHABET.charAt(Number(rest & 31n)) + text;
  return text;
}
