import type { Context, HonoRequest } from "hono";
import type { Idempotent } from "../platform/idempotency.ts";
import type { ExpectedVersions } from "../platform/preconditions.ts";

export function setReplayedHeader(c: Context, result: Idempotent<unknown>): void {
  if (result.replayed) c.header("idempotent-replayed", "true");
}

export const toEtag = (version: number): string => `"${version}"`;

/**
 * The versions that the header `If-Match` lists. Leaves out values that are not ETags of this service.
 *
 * A weak ETag counts as a strong one: a proxy that compresses responses makes their ETags weak, and this does not change
 * which version they name.
 */
export function toExpectedVersions(ifMatch: string | undefined): ExpectedVersions {
  if (ifMatch === undefined) return null;
  if (ifMatch.trim() === "*") return "any";
  const tags = ifMatch.matchAll(/(?:^|,)\s*(?:W\/)?"(\d{1,15})"\s*(?=,|$)/g);
  return [...tags].map(([, version]) => Number(version));
}

export const toMs = (timestamp: string | undefined): number | undefined =>
  timestamp === undefined ? undefined : Date.parse(timestamp);

/** Null clears a time, and undefined leaves it as it is. */
export const toMsOrNull = (timestamp: string | null | undefined): number | null | undefined =>
  timestamp === null ? null : toMs(timestamp);

export function bearerToken(request: HonoRequest): string | null {
  return /^Bearer +(\S+)$/i.exec(request.header("authorization") ?? "")?.[1] ?? null;
}
