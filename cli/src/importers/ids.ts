import { createHash } from "node:crypto";

/** Crockford's base 32, as in the service's ids. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 9;
const HASH_CHARACTERS = 11;
const TIME_MAX_MS = 2 ** (5 * TIME_CHARACTERS) - 1;

/**
 * The same arguments give the same id, so that a repeated import finds the item that it stored. 45 bits of
 * milliseconds sort ids by time; 55 bits of a hash replace the service's random bits.
 */
export function derivedId(prefix: "conv" | "msg" | "mem", atMs: number, ...names: string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(names)).digest();
  const time = Math.min(Math.max(Math.trunc(atMs), 0), TIME_MAX_MS);
  return `${prefix}_${base32(BigInt(time), TIME_CHARACTERS)}${base32(hash.readBigUInt64BE() >> 9n, HASH_CHARACTERS)}`;
}

function base32(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest >>= 5n) text = ALPHABET.charAt(Number(rest & 31n)) + text;
  return text;
}
