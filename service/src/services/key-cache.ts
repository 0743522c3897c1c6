import type { Principal } from "../context.ts";

/** How long a cached key is valid in this isolate. */
const KEPT_MS = 5_000;
const KEYS_MAX = 10_000;

// The only state of this module. It saves a database read before every request.
const cache = new Map<string, { principal: Principal; untilMs: number }>();

/** The principal cached within the last 5 seconds, by the hash of its secret or another name of the key. */
export function cachedPrincipal(name: string, nowMs: number): Principal | null {
  const entry = cache.get(name);
  if (entry === undefined || entry.untilMs <= nowMs) return null;
  const { expiresAtMs } = entry.principal;
  return expiresAtMs !== null && expiresAtMs <= nowMs ? null : entry.principal;
}

export function cachePrincipal(name: string, principal: Principal, nowMs: number): void {
  if (cache.size >= KEYS_MAX) cache.clear();
  cache.set(name, { principal, untilMs: nowMs + KEPT_MS });
}

/** Removes keys that this isolate has just revoked or deleted. */
export function forgetPrincipals(isEnded: (principal: Principal) => boolean): void {
  for (const [name, { principal }] of cache) if (isEnded(principal)) cache.delete(name);
}
