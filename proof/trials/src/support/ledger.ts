export interface Stored {
  id: string;
  sequence: number;
  content: string;
}

/** An append of one request, and the ids and sequences in its response. */
export interface Append {
  contents: string[];
  answer?: { ids: string[]; firstSequence: number };
}

/** The requested and acknowledged writes of one conversation. */
export interface Ledger {
  id: string;
  appends: Append[];
  /** Deletions of single messages by id; true once acknowledged. */
  deletions: Map<string, boolean>;
  /** Deletion of the whole conversation; true once acknowledged, undefined if not requested. */
  deleted?: boolean;
}

/** A conversation as read back; null if it does not exist. */
export type ReadBack = { lastSequence: number; messages: Stored[] } | null;

/**
 * The guarantees that a conversation breaks. Acknowledged writes must match their responses, unacknowledged
 * ones must be complete or absent, and nothing else may exist.
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
    if (!sent.has(content)) broken.push(`${id} holds content that was never sent.`);
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

/** Unused sequences up to the last one. Only a deletion may leave one. */
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
    ...(beyond.length === 0 ? [] : [`${id} ends at ${lastSequence} and has messages after that.`]),
  ];
}
