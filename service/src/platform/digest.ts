import { createHash } from "node:crypto";

const encoder = new TextEncoder();

export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}

export async function sha256Hex(text: string): Promise<string> {
  return toHex(await sha256(text));
}

/** SHA-256 of bytes that come in pieces, in hex. */
export function openSha256(): { update(bytes: Uint8Array): void; hex(): string } {
  const hash = createHash("sha256");
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") };
}

/** Computes HMAC-SHA-256 of texts. @param secret in hex. */
export async function hmacOf(secret: string): Promise<(text: string) => Promise<Uint8Array>> {
  const bytes = Uint8Array.from(secret.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (text) => new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

/** The same in hex. */
export async function hmacHexOf(secret: string): Promise<(text: string) => Promise<string>> {
  const hmac = await hmacOf(secret);
  return async (text) => toHex(await hmac(text));
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Compares two secrets. The time that this takes does not depend on where they differ. */
export async function equalSecrets(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([sha256(a), sha256(b)]);
  return left.reduce((difference, byte, i) => difference | (byte ^ (right[i] ?? 0)), 0) === 0;
}
