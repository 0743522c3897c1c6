import { sha256 } from "../platform/digest.ts";
import { toBigInt } from "../platform/ids.ts";
import type { Runtime } from "../platform/runtime.ts";

export const KEY_PREFIX = "engram_sk_live_";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
/** Only random bytes below this multiple of 62 are used, so that all 62 characters are equally likely. */
const EVEN_BYTES = 248;
/** Length of the beginning of a secret that is shown in lists. */
const PREFIX_CHARACTERS = KEY_PREFIX.length + 4;

/** 32 random letters and digits. */
export function createRandomText(runtime: Runtime): string {
  let random = "";
  while (random.length < RANDOM_CHARACTERS) {
    for (const byte of runtime.randomBytes(RANDOM_CHARACTERS)) {
      if (byte < EVEN_BYTES && random.length < RANDOM_CHARACTERS) random += ALPHABET.charAt(byte % 62);
    }
  }
  return random;
}

export async function createSecret(runtime: Runtime): Promise<string> {
  const random = createRandomText(runtime);
  return KEY_PREFIX + random + (await checksum(random));
}

/** Checks form and checksum, which rejects mistyped secrets without a database read. */
export async function isWellFormedSecret(text: string): Promise<boolean> {
  const random = text.slice(KEY_PREFIX.length, -CHECKSUM_CHARACTERS);
  return (
    text.startsWith(KEY_PREFIX) &&
    random.length === RANDOM_CHARACTERS &&
    text.endsWith(await checksum(random)) &&
    text.length === KEY_PREFIX.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS
  );
}

export const secretPrefix = (secret: string): string => secret.slice(0, PREFIX_CHARACTERS);

async function checksum(random: string): Promise<string> {
  let rest = toBigInt((await sha256(random)).subarray(0, 8));
  let text = "";
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    text += ALPHABET.charAt(Number(rest % 62n));
    rest /= 62n;
  }
  return text;
}
