/** Sequence numbers of a block. A segment never crosses the border of one. */
export const BLOCK_SEQUENCES = 24;
/** Tokens of a segment. A single message may have more. */
export const SEGMENT_TOKENS_MAX = 3_000;
/** Summaries that one summary of the next level covers. */
export const GROUP_SUMMARIES = 8;
/** On the next level, no conversation has enough messages to fill a group. */
export const LEVELS_MAX = 7;

/** Number of sequence numbers within which the segments or groups of a level lie. */
export const spanOf = (level: number): number => BLOCK_SEQUENCES * GROUP_SUMMARIES ** (level - 1);

/** The first sequence number of the span of a level that has this sequence number. */
export const spanStart = (level: number, sequence: number): number =>
  sequence - ((sequence - 1) % spanOf(level));

export const spanEnd = (level: number, sequence: number): number =>
  spanStart(level, sequence) + spanOf(level) - 1;

export interface Segment<Item> {
  items: Item[];
  /** Whether no later message can belong to it. */
  isFull: boolean;
}

/**
 * Divides messages into the segments that are summarized. A segment ends at each 24th sequence number, and before the
 * message with which it would have more than 3,000 tokens.
 *
 * So the segments depend on the messages alone, not on how they were stored. An edited or deleted message moves no border
 * outside of its block of 24 sequence numbers.
 *
 * @param messages of whole blocks, in order.
 * @param lastSequence the last sequence number that the conversation has assigned. Numbers are never reused.
 */
export function segmentsOf<Message extends { sequence: number; tokens: number }>(
  messages: readonly Message[],
  lastSequence: number,
): Segment<Message>[] {
  const blocks = Map.groupBy(messages, ({ sequence }) => spanStart(1, sequence));
  return [...blocks].flatMap(([start, block]) => {
    const segments: Message[][] = [];
    let tokens = 0;
    for (const message of block) {
      const segment = segments.at(-1);
      tokens += message.tokens;
      if (segment !== undefined && tokens <= SEGMENT_TOKENS_MAX) {
        segment.push(message);
        continue;
      }
      segments.push([message]);
      tokens = message.tokens;
    }
    const isComplete = lastSequence >= spanEnd(1, start);
    return segments.map((items, place) => ({ items, isFull: isComplete || place < segments.length - 1 }));
  });
}

/**
 * Divides full summaries of one level, which lie in one span of the next level, into the groups that the next level
 * covers: eight each, fewer at the end of the span.
 *
 * @param isComplete whether the span gets no further messages. Otherwise, the last group is left out unless it is full.
 */
export function groupsOf<Summary>(summaries: readonly Summary[], isComplete: boolean): Summary[][] {
  const groups: Summary[][] = [];
  for (let at = 0; at < summaries.length; at += GROUP_SUMMARIES) {
    const group = summaries.slice(at, at + GROUP_SUMMARIES);
    if (isComplete || group.length === GROUP_SUMMARIES) groups.push(group);
  }
  return groups;
}
