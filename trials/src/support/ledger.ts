import type { Stored } from "./history.ts";

/** An append of one request: what was sent and, once it was answered, under which ids and numbers it stands. */
export interface Append {
  contents: string[];
  answer?: { ids: string[]; firstSequence: number };
}

/** What was asked of one conversation, and what of that was acknowledged. */
export interface Ledger {
  id: string;
  appends: Append[];
  /** Deletions of single messages by id; true once acknowledged. */
  deletions: Map<string, boolean>;
  /** Deletion of the whole conversation; true once acknowledged, undefined when nobody asked for it. */
  deleted?: boolean;
}

/** A conversation as it is read back: null for one that is not there. */
export type ReadBack = { lastSequence: number; messages: Stored[] } | null;

/**
 * What of a ledger does not hold: what was acknowledged is as it was answered, what was not is there whole or
 * not at all, and nothing else is.
 */
export function whatBroke(ledger: Ledger, readBack: ReadBack): string[] {
  if (readBack === null) return ledger.deleted === undefined ? [`${ledger.id} is lost.`] : [];
  if (ledger.deleted) return [`${ledger.id} is there again.`];
  const byContent = new Map(readBack.messages.map((message) => [message.content, message]));
  const broken: string[] = [];
  if (byContent.size !== readBack.messages.length) broken.push(`${ledger.id} holds a message twice.`);
  for (const append of ledger.appends) broken.push(...appendFaults(ledger, append, byContent));
  const sent = new Set(ledger.appends.flatMap(({ contents }) => contents));
  for (const { id, content } of readBack.messages) {
    if (!sent.has(content)) broken.push(`${id} holds what nobody sent.`);
    if (ledger.deletions.get(id)) broken.push(`${id} is there again.`);
  }
  return [...broken, ...gaps(ledger, readBack)];
}

function appendFaults(
  { id, deletions }: Ledger,
  { contents, answer }: Append,
  byContent: Map<string, Stored>,
): string[] {
  const found = contents.map((content) => byContent.get(content));
  if (answer === undefined) {
    const there = found.filter((message) => message !== undefined).length;
    const whole = there === 0 || there === contents.length;
    return whole ? [] : [`${id} holds ${there} of a batch of ${contents.length}.`];
  }
  return answer.ids.flatMap((messageId, i) => {
    const message = found[i];
    if (message === undefined) return deletions.has(messageId) ? [] : [`${messageId} is lost or altered.`];
    const same = message.id === messageId && message.sequence === answer.firstSequence + i;
    return same ? [] : [`${messageId} is not as it was answered.`];
  });
}

/** Numbers up to the last that stand for nothing: only a deletion may leave one. */
function gaps(
  { id, appends, deletions }: Ledger,
  { lastSequence, messages }: NonNullable<ReadBack>,
): string[] {
  const taken = new Set(messages.map(({ sequence }) => sequence));
  for (const { answer } of appends) {
    answer?.ids.forEach((messageId, i) => {
      if (deletions.has(messageId)) taken.add(answer.firstSequence + i);
    });
  }
  const missing = Array.from({ length: lastSequence }, (_, i) => i + 1).filter(
    (sequence) => !taken.has(sequence),
  );
  const beyond = messages.filter(({ sequence }) => sequence > lastSequence);
  return [
    ...(missing.length === 0 ? [] : [`${id} has gaps at ${missing.join(", ")}.`]),
    ...(beyond.length === 0 ? [] : [`${id} ends at ${lastSequence} and has messages behind that.`]),
  ];
}
