import type { Principal } from "../context.ts";

/** How long a key is taken to be as it was, in this isolate. */
const KEPT_MS = 5_000;
const KEYS_MAX = 10_000;

// The one state of the module: what it spares is a database read before every request.
const cache = new Map<string, { principal: Principal; untilMs: number }>();

/** Who held a key within the last 5 seconds, by its secret's hash or another name of it. */
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

/** Forget a key, or every key of an organization, that this isolate has just ended. */
export function forgetPrincipals(isEnded: (principal: Principal) => boolean): void {
  for (const [name, { principal }] of cache) if (isEnded(principal)) cache.delete(name);
}
