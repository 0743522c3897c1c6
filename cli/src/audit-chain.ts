import { createHash } from "node:crypto";
import type { AuditEvent } from "@engram/sdk";

/** What is wrong with a chain of audit events, and where it ends. */
export interface Verification {
  /** Events in the chain. */
  events: number;
  first: number | null;
  last: number | null;
  hash: string | null;
  /** Events that are not in the chain yet. */
  unchained: number;
  problems: string[];
}

/**
 * Checks that the chain of all events has no gap, and that each hash is that of its event and of the hash before. Of a
 * chain that does not begin at 1, the first hash is taken as it is. The same event may be given more than once.
 */
export function verifyChain(events: Iterable<AuditEvent>): Verification {
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
  let before: AuditEvent | undefined;
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
    else if ((before !== undefined || number === 1) && hashOf(before?.hash ?? null, event) !== event.hash)
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

const hashOf = (before: string | null, event: AuditEvent): string =>
  createHash("sha256").update(textOf(before, event)).digest("hex");

/** What is hashed, as the reference of the API says at `hash`. */
function textOf(before: string | null, { hash: _, ...fields }: AuditEvent): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== null);
  return JSON.stringify([before, entries.sort(([one], [other]) => (one < other ? -1 : 1))]);
}
