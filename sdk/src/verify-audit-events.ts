import type { AuditEvent, AuditEventPage } from "./generated/schema.ts";

/** Where a chain begins whose first events a rule of retention has deleted. */
export type AuditStart = NonNullable<AuditEventPage["start"]>;

/** What is wrong with a chain of audit events, and where it ends. */
export interface AuditVerification {
  /** Events in the chain. */
  events: number;
  /** Number of the first of them; null without any. */
  first: number | null;
  /** Number of the last of them; null without any. */
  last: number | null;
  /** Hash of the last of them; null without any. Kept elsewhere, it shows later whether all hashes were computed again. */
  hash: string | null;
  /** Events that are not in the chain yet: those of the last minutes. */
  unchained: number;
  /** A sentence for each event that is missing or was changed. Empty if nothing is wrong. */
  problems: string[];
}

/**
 * Checks that no audit event is missing or was changed: the chain has no gap, and each hash is that of its event and of
 * the hash before. Of a chain that does not begin at 1, the first hash is taken as it is. The same event may be given
 * more than once, so the events of several exports can be checked together.
 *
 * @example
 * ```ts
 * const events = await engram.auditEvents.list().toArray({ max: 100_000 });
 * const { problems } = await verifyAuditEvents(events);
 * ```
 *
 * @param events Events of one organization, in any order.
 * @param options.start `start` of a page of the list: the last event that a rule of retention has deleted. With it, the
 *   event after it is checked, too, and must be there.
 */
export async function verifyAuditEvents(
  events: Iterable<AuditEvent>,
  { start = null }: { start?: AuditStart | null } = {},
): Promise<AuditVerification> {
  const chain = new Map<number, AuditEvent>();
  const unchained = new Set<string>();
  const problems: string[] = [];
  for (const event of events) {
    if (event.number === null) unchained.add(event.id);
    else {
      const known = chain.get(event.number);
      if (known !== undefined && textOf(known.hash, known) !== textOf(event.hash, event))
        problems.push(`Event ${event.number} (${event.id}) differs from what another export has.`);
      chain.set(event.number, event);
    }
  }
  const numbers = [...chain.keys()].sort((a, b) => a - b);
  // An export may have events from before the start.
  const begins = start !== null && numbers[0] !== undefined && numbers[0] > start.number;
  let before: Pick<AuditEvent, "number" | "hash"> | undefined = begins ? start : undefined;
  for (const number of numbers) {
    const event = chain.get(number) as AuditEvent;
    unchained.delete(event.id);
    const previous = before?.number ?? 0;
    if (before !== undefined && number > previous + 1)
      problems.push(
        number === previous + 2
          ? `Event ${previous + 1} is missing.`
          : `Events ${previous + 1} to ${number - 1} are missing.`,
      );
    else if (
      (before !== undefined || number === 1) &&
      (await hashOf(before?.hash ?? null, event)) !== event.hash
    )
      problems.push(
        `Event ${number} (${event.id}) has another hash than its content and the event before give.`,
      );
    before = event;
  }
  return {
    events: numbers.length,
    first: numbers[0] ?? null,
    last: before?.number ?? null,
    hash: before?.hash ?? null,
    unchained: unchained.size,
    problems,
  };
}

async function hashOf(before: string | null, event: AuditEvent): Promise<string> {
  const bytes = new TextEncoder().encode(textOf(before, event));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What is hashed, as the reference of the API says at `hash`. */
function textOf(before: string | null, { hash: _, ...fields }: AuditEvent): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== null);
  return JSON.stringify([before, entries.sort(([one], [other]) => (one < other ? -1 : 1))]);
}
