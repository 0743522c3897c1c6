import type { AuditEvent } from "@engram/spec";
import type { Invocation } from "../invocation.ts";
import { sha256Hex } from "../platform/digest.ts";
import { firstIdAt } from "../platform/ids.ts";
import { drawRound } from "../platform/round-robin.ts";
import * as queries from "./queries.ts";

/** By then, the requests that began before have ended, so that no event comes in between. */
const CHAINED_AFTER_MS = 60_000;

/**
 * Hash of an event in the chain of its organization, in hex. Null fields are left out, so that a field that is added later
 * changes no hash.
 *
 * @param before hash of the event before; null for the first.
 */
function hashOfEvent(before: string | null, { hash: _, ...fields }: AuditEvent): Promise<string> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null);
  return sha256Hex(JSON.stringify([before, entries.sort(([one], [other]) => (one < other ? -1 : 1))]));
}

/**
 * Adds the events of the last minutes to the chains of their organizations, some for each. Another run that does the same
 * computes the same numbers and hashes; if it has seen other events, one of the two fails and adds none.
 */
export async function chainAuditEvents(invocation: Invocation): Promise<void> {
  const { db, runtime } = invocation;
  const beforeId = firstIdAt("aud", runtime.nowMs() - CHAINED_AFTER_MS);
  const waiting = await queries.selectUnchained(db, { round: drawRound(invocation), beforeId });
  const ends = new Map<string, queries.ChainEnd>();
  const chained: queries.ChainedEvent[] = [];
  for (const { organizationId, event, end } of waiting) {
    const last = ends.get(organizationId) ?? end;
    const number = last.number + 1;
    const hash = await hashOfEvent(last.hash, { ...event, number });
    ends.set(organizationId, { number, hash });
    chained.push({ organizationId, id: event.id, number, hash });
  }
  if (chained.length > 0) await queries.updateChained(db, chained);
}
