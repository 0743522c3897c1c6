import { isFrequentWord, shareOfMessages } from "../../text/word-frequencies.ts";
import { conversationOf, WINDOW_PLACES } from "./matches.ts";
import type { Postings } from "./postings.ts";

/** How rare each term of the query is (inverse document frequency), among messages, windows and conversations. */
export interface TermWeights {
  messages: number[];
  windows: number[];
  conversations: number[];
}

export const termWeights = ({ terms, messages, conversations }: Postings): TermWeights => ({
  messages: terms.map((list) => toIdf(countMessages(list), messages)),
  // There is one window around each message, so there are as many windows as messages.
  windows: terms.map((list) => toIdf(countWindows(list), messages)),
  conversations: terms.map((list) => toIdf(countConversations(list), conversations)),
});

/** In a small organization, how rare a word is in English says more than how often it occurs there. */
const REFERENCE_MESSAGES = 1_000;

/**
 * What a term says about a message that has it, in nats: its inverse document frequency in the organization's messages
 * together with 1,000 messages of typical English.
 */
export const termInformation = ({ words, terms, messages }: Postings): number[] =>
  terms.map((list, i) =>
    toIdf(
      countMessages(list) + REFERENCE_MESSAGES * shareOfMessages(words[i] ?? ""),
      messages + REFERENCE_MESSAGES,
    ),
  );

/** Whether messages have one of the words, or English often uses one. */
export const hasKnownWord = ({ words, terms }: Postings): boolean =>
  words.some((word, i) => (terms[i]?.length ?? 0) > 0 || isFrequentWord(word));

/**
 * Inverse document frequency. The index still has deleted messages until they are purged, so the count can be higher
 * than the total.
 */
function toIdf(containing: number, total: number): number {
  const units = Math.min(containing, total);
  return Math.log(1 + (total - units + 0.5) / (units + 0.5));
}

function countMessages(list: Float64Array): number {
  return countChanges(list, (rowKey) => rowKey);
}

function countConversations(list: Float64Array): number {
  return countChanges(list, conversationOf);
}

function countChanges(list: Float64Array, of: (rowKey: number) => number): number {
  let count = 0;
  let last = -1;
  for (const rowKey of list) {
    const value = of(rowKey);
    if (value !== last) count++;
    last = value;
  }
  return count;
}

/**
 * Number of windows that contain the term. A window is a message with two neighbors on each side, so each message is in
 * five windows, which it shares with its neighbors.
 */
function countWindows(list: Float64Array): number {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const rowKey of list) {
    count += Math.min(rowKey - last, WINDOW_PLACES);
    last = rowKey;
  }
  return count;
}
