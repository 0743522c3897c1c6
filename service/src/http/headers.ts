import type { Context } from "hono";
import type { Idempotent } from "../platform/idempotency.ts";

export function setReplayedHeader(c: Context, result: Idempotent<unknown>): void {
  if (result.replayed) c.header("idempotent-replayed", "true");
}

export const toEtag = (version: number): string => `"${version}"`;

/**
 * The version in the header `If-Match`. Null without the header or for `*`. A value that is not an ETag of this service
 * becomes a version that no item has.
 */
export function toVersion(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === "*") return null;
  return Number(/^"(\d{1,15})"$/.exec(ifMatch.trim())?.[1] ?? -1);
}

export const toMs = (timestamp: string | undefined): number | undefined =>
  timestamp === undefined ? undefined : Date.parse(timestamp);
