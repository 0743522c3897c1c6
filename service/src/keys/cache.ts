import type { Principal } from "../platform/principal.ts";

/** How long a cached principal is used. */
const TTL_MS = 5_000;
const KEYS_MAX = 10_000;

/**
 * Caches principals (what a key identifies), which saves a database read before every request. They are stored
 * under the hash of the key's secret. For a request through Cloudflare Access, they are stored under organization
 * and key id.
 */
export class PrincipalCache {
  readonly #entries = new Map<string, { principal: Principal; untilMs: number }>();

  /** The principal; null if none was stored within the last 5 seconds, or its key has expired. */
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

  /** Removes keys that this isolate has just revoked or deleted. */
  forget(isEnded: (principal: Principal) => boolean): void {
    for (const [name, { principal }] of this.#entries) if (isEnded(principal)) this.#entries.delete(name);
  }
}
