import type { Runtime } from "./runtime.ts";

const PREFIXES = [
  "org",
  "conv",
  "msg",
  "mem",
  "key",
  "member",
  "grant",
  "op",
  "tomb",
  "hold",
  "ret",
  "arc",
  "rcl",
  "ctx",
  "eval",
  "aud",
  "evt",
  "wh",
  "req",
  "sock",
] as const;
export type IdPrefix = (typeof PREFIXES)[number];

/** Digits of Crockford's base 32. Texts sort in the order of their values, and no two digits look alike. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 9;
const RANDOM_CHARACTERS = 11;
const TIME_MAX_MS = 32 ** TIME_CHARACTERS - 1;

/** The last `length` digits of a number in base 32, most significant digit first. */
export function toBase32(value: bigint, length: number): string {
  let text = "";
  let rest = value;
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return text;
}

export const toBigInt = (bytes: Uint8Array): bigint =>
  bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** Ids in ascending order: 45 bits of milliseconds, then a number of 55 bits that begins at random and counts up. */
export function createIds(runtime: Runtime, prefix: IdPrefix, count: number): string[] {
  const time = toBase32(BigInt(runtime.nowMs()), TIME_CHARACTERS);
  // The random number has only 54 bits, so that adding to it never exceeds 55.
  const start = toBigInt(runtime.randomBytes(7)) >> 2n;
  return Array.from(
    { length: count },
    (_, i) => `${prefix}_${time}${toBase32(start + BigInt(i), RANDOM_CHARACTERS)}`,
  );
}

export function createId(runtime: Runtime, prefix: IdPrefix): string {
  return createIds(runtime, prefix, 1).join();
}

/** The first id that an item of a time can have. Ids sort by time. */
export const firstIdAt = (prefix: IdPrefix, ms: number): string =>
  `${prefix}_${toBase32(BigInt(Math.min(Math.max(0, ms), TIME_MAX_MS)), TIME_CHARACTERS)}`;

/** The time at which an id was created. */
export function createdAtOf(id: string): number {
  const digits = id.slice(id.indexOf("_") + 1).slice(0, TIME_CHARACTERS);
  return [...digits].reduce((ms, digit) => 32 * ms + ALPHABET.indexOf(digit), 0);
}

const OWN_ID = new RegExp(`^(${PREFIXES.join("|")})_[${ALPHABET}]{${TIME_CHARACTERS + RANDOM_CHARACTERS}}$`);

/** Whether a text has the form of an id that the service generates. */
export const isOwnId = (text: string): boolean => OWN_ID.test(text);

export const isMemoryId = (id: string): boolean => id.startsWith("mem_");

/** The id of the message that stores the content of a memory. */
export const toMessageId = (memoryId: string): string => memoryId.replace(/^mem_/, "msg_");
