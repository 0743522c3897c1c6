import type { Principal } from "../platform/principal.ts";

const TTL_MS = 5_000;
const KEYS_MAX = 10_000;

/**
 * Keeps the principals of keys for five seconds, to save a database read per request. `name` is the hash of the key's
 * secret, or the organization and key id if Cloudflare Access authenticated the request.
 */
export class PrincipalCache {
  readonly #entries = new Map<string, { principal: Principal; untilMs: number }>();

  get(name: string, nowMs: number): Principal | null {
    const entry = this.#entries.get(name);
    if (entry === undefined || entry.untilMs <= nowMs) return null;
    const { expiresAtMs } = entry.principal;
    return expiresAtMs !== null && expiresAtMs <= nowMs ? null : entry.principal;
  }

  set(name: string, principal: Principal, nowMs: number): void {
    if (this.#entries.size >= KEYS_MAX) this.#entries.clear();
    this.#entries.set(name, { principal, untilMs: nowMs + TTL_MS });
  }

  forget(isEnded: (principal: Principal) => boolean): void {
    for (const [name, { principal }] of this.#entries) if (isEnded(principal)) this.#entries.delete(name);
  }
}
