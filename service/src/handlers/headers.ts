import type { Context } from "hono";
import type { Once } from "../services/idempotency.ts";

/** Tells that an earlier request is answered again. */
export function markReplay(c: Context, once: Once<unknown>): void {
  if (once.replayed) c.header("idempotent-replayed", "true");
}

/** A conversation's version as its ETag. */
export const toEtag = (version: number): string => `"${version}"`;

/**
 * The version that an `If-Match` asks for; null when it asks for none.
 *
 * One that no ETag of ours equals becomes a version that no conversation has.
 */
export function toVersion(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === "*") return null;
  return Number(/^"(\d{1,15})"$/.exec(ifMatch.trim())?.[1] ?? -1);
}

/** A moment on the wire in milliseconds since the epoch. */
export const toMs = (timestamp: string | undefined): number | undefined =>
  timestamp === undefined ? undefined : Date.parse(timestamp);
