import { sha256 } from "../platform/digest.ts";
import { isOwnId, toBigInt } from "../platform/ids.ts";
import type { Runtime } from "../platform/runtime.ts";

export const KEY_PREFIX = "engram_sk_live_";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
/** Only random bytes below this multiple of 62 are used, so that all 62 characters are equally likely. */
const EVEN_BYTES = 248;
/** Length of the beginning of a secret that is shown in lists. */
const PREFIX_CHARACTERS = KEY_PREFIX.length + 4;
const ORGANIZATION_AT = KEY_PREFIX.length + RANDOM_CHARACTERS;
/** Length of a secret of the earlier form, which has no organization. Such secrets stay valid. */
const EARLIER_CHARACTERS = ORGANIZATION_AT + CHECKSUM_CHARACTERS;

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

/**
 * A new secret: random characters, the organization's id without `org_`, and a checksum of both. The random characters
 * come first, so that the shown prefix tells keys apart.
 */
export async function createSecret(runtime: Runtime, organizationId: string): Promise<string> {
  const checked = createRandomText(runtime) + organizationId.replace(/^org_/, "");
  return KEY_PREFIX + checked + (await checksum(checked));
}

/** Checks form and checksum, which rejects mistyped secrets without a database read. */
export async function isWellFormedSecret(text: string): Promise<boolean> {
  return (
    text.startsWith(KEY_PREFIX) &&
    (text.length === EARLIER_CHARACTERS || organizationIn(text) !== null) &&
    text.endsWith(await checksum(text.slice(KEY_PREFIX.length, -CHECKSUM_CHARACTERS)))
  );
}

/**
 * The id of the organization that a well-formed secret names; null for a secret of the earlier form.
 *
 * Anybody can compute a checksum, so the id only tells where to look for the key. The hash of the whole secret decides
 * whether there is one, and of which organization.
 */
export function organizationIn(secret: string): string | null {
  const id = `org_${secret.slice(ORGANIZATION_AT, -CHECKSUM_CHARACTERS)}`;
  return isOwnId(id) ? id : null;
}

export const secretPrefix = (secret: string): string => secret.slice(0, PREFIX_CHARACTERS);

async function checksum(checked: string): Promise<string> {
  let rest = toBigInt((await sha256(checked)).subarray(0, 8));
  let text = "";
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    text += ALPHABET.charAt(Number(rest % 62n));
    rest /= 62n;
  }
  return text;
}
