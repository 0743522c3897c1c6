import type { AuditEvent } from "../../src/index.ts";

export const event = (number: number, more: Partial<AuditEvent> = {}): AuditEvent => ({
  id: `aud_${number}`,
  action: "key.created",
  key_id: number === 1 ? null : "key_1",
  client_id: null,
  client_name: null,
  target_id: `key_${number}`,
  operation_id: null,
  request_id: `req_${number}`,
  created_at: `2026-11-02T09:30:0${number % 10}.000Z`,
  number,
  hash: null,
  ...more,
});

const encoder = new TextEncoder();
const sha256 = async (text: string): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text))), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** A chain, with hashes as the reference of the API describes them. */
export async function chainOf(length: number): Promise<AuditEvent[]> {
  const chain: AuditEvent[] = [];
  for (let i = 1; i <= length; i++) {
    const { action, created_at, id, key_id, number, request_id, target_id } = event(i);
    const fields = Object.entries({ action, created_at, id, key_id, number, request_id, target_id });
    const text = JSON.stringify([chain.at(-1)?.hash ?? null, fields.filter(([, value]) => value !== null)]);
    chain.push(event(i, { hash: await sha256(text) }));
  }
  return chain;
}
