import type { Runtime } from "../platform/runtime.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const NONCE_BYTES = 12;

const encoder = new TextEncoder();

/** A secret in the form of Standard Webhooks. */
export const createWebhookSecret = (runtime: Runtime): string =>
  PREFIX + runtime.randomBytes(SECRET_BYTES).toBase64();

/** Which secret is encrypted. A ciphertext of another webhook cannot be decrypted. */
interface Place {
  organizationId: string;
  id: string;
}

/** Encrypts a secret for the database, with a key that is derived from the admin token. */
export async function encryptSecret(
  runtime: Runtime,
  adminToken: string,
  place: Place,
  secret: string,
): Promise<string> {
  const nonce = runtime.randomBytes(NONCE_BYTES).slice();
  const key = await deriveKey(adminToken);
  const sealed = await crypto.subtle.encrypt(cipherOf(nonce, place), key, encoder.encode(secret));
  return `${nonce.toBase64()}.${new Uint8Array(sealed).toBase64()}`;
}

/** Null if the secret was encrypted with another admin token. */
export async function decryptSecret(
  adminToken: string,
  place: Place,
  encrypted: string,
): Promise<string | null> {
  const [nonce = "", sealed = ""] = encrypted.split(".");
  const key = await deriveKey(adminToken);
  const cipher = cipherOf(Uint8Array.fromBase64(nonce), place);
  return crypto.subtle.decrypt(cipher, key, Uint8Array.fromBase64(sealed)).then(
    (secret) => new TextDecoder().decode(secret),
    () => null,
  );
}

const cipherOf = (iv: Uint8Array<ArrayBuffer>, { organizationId, id }: Place) => ({
  name: "AES-GCM",
  iv,
  additionalData: encoder.encode(`${organizationId} ${id}`),
});

async function deriveKey(adminToken: string): Promise<CryptoKey> {
  const source = await crypto.subtle.importKey("raw", encoder.encode(adminToken), "HKDF", false, [
    "deriveKey",
  ]);
  const derivation = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encoder.encode("engram webhook secrets"),
  };
  return crypto.subtle.deriveKey(derivation, source, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
}

/** The headers of Standard Webhooks 1.0, with a signature for each secret. */
export async function signedHeaders(
  secrets: readonly string[],
  { id, atMs, body }: { id: string; atMs: number; body: string },
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const signed = encoder.encode(`${id}.${timestamp}.${body}`);
  const signatures = secrets.map(async (secret) => {
    const bytes = Uint8Array.fromBase64(secret.slice(PREFIX.length));
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]);
    return `v1,${new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)).toBase64()}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": (await Promise.all(signatures)).join(" "),
  };
}
