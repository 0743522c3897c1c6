import { createHash } from "node:crypto";

/** The digits of the service's ids: Crockford's base 32. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 9;
const HASH_CHARACTERS = 11;
const TIME_MAX_MS = 2 ** (5 * TIME_CHARACTERS) - 1;

/**
 * An id in the service's format that is the same for the same arguments, so that a repeated import finds the item
 * that it stored. It has 45 bits of milliseconds, by which ids sort by time. The service's own ids then have 55
 * random bits; this one has 55 bits of a hash of the names.
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
