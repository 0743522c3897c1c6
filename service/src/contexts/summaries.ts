import type { ContextSummary } from "@engram/spec";
import type { Steps } from "../text/pace.ts";
import { type Entry, toEntry, tokensOf } from "./entries.ts";

export type SummaryEntry = Entry & { item: ContextSummary };

/** Says what the numbers after the sentences are. */
export const summariesHeading = (conversationId: string): string =>
  `Summaries of earlier messages of ${conversationId}, derived from those in brackets:`;

/**
 * Summaries of the messages before a sequence number, without the sentences about messages that are shown already.
 *
 * @param before sequence number of the first message that is shown whole; all messages before it may be summarized.
 * @param shown ids of messages that are shown elsewhere.
 */
export function summariesBefore(
  summaries: readonly ContextSummary[],
  before: number,
  shown: ReadonlySet<string>,
): ContextSummary[] {
  return summaries.flatMap((summary) => {
    // The messages of a summary of the first level may be shown in part. Of the others, there is one of the level below.
    if (summary.from_sequence >= before || (summary.level > 1 && summary.to_sequence >= before)) return [];
    const sentences = summary.sentences.filter(({ cites }) =>
      cites.some(({ message_id, sequence }) => sequence < before && !shown.has(message_id)),
    );
    return sentences.length === 0 ? [] : [{ ...summary, sentences }];
  });
}

/**
 * The lines of summaries that cost at most `tokensMax` and cover as many of the messages as possible, oldest first: the
 * highest levels, and towards the end those of lower levels as far as they fit. Each message is covered once.
 */
export function* coverWithin(summaries: readonly ContextSummary[], tokensMax: number): Steps<SummaryEntry[]> {
  const entries = new Map<ContextSummary, SummaryEntry>();
  const entryOf = function* (item: ContextSummary): Steps<SummaryEntry> {
    const entry = entries.get(item) ?? (yield* toSummaryEntry(item));
    entries.set(item, entry);
    return entry;
  };
  let cover: SummaryEntry[] = [];
  for (const summary of coarsest(summaries)) cover.push(yield* entryOf(summary));
  while (tokensOf(cover) > tokensMax) cover.shift();
  for (let end = cover.length; end > 0; ) {
    const last = cover[end - 1] as SummaryEntry;
    const finer: SummaryEntry[] = [];
    for (const summary of below(last.item, summaries)) finer.push(yield* entryOf(summary));
    const more = tokensOf(finer) - last.tokens;
    // What follows is older, and stays as coarse.
    if (finer.length > 0 && tokensOf(cover) + more > tokensMax) break;
    if (finer.length === 0) {
      end -= 1;
      continue;
    }
    cover = [...cover.slice(0, end - 1), ...finer, ...cover.slice(end)];
    end += finer.length - 1;
  }
  return cover;
}

export const toSummaryEntry = (item: ContextSummary): Steps<SummaryEntry> => toEntry(lineOf(item), { item });

/** Those that no summary of a higher level covers, in order. */
function coarsest(summaries: readonly ContextSummary[]): ContextSummary[] {
  const chosen: ContextSummary[] = [];
  for (const summary of summaries.toSorted((a, b) => b.level - a.level)) {
    const isCovered = chosen.some(
      (one) => one.from_sequence <= summary.from_sequence && one.to_sequence >= summary.to_sequence,
    );
    if (!isCovered) chosen.push(summary);
  }
  return chosen.sort((a, b) => a.from_sequence - b.from_sequence);
}

/** The summaries of the level below that cover the same messages; none if some of them were not read. */
function below(summary: ContextSummary, summaries: readonly ContextSummary[]): ContextSummary[] {
  const { level, from_sequence: from, to_sequence: to } = summary;
  const finer = summaries
    .filter((one) => one.level === level - 1 && one.from_sequence >= from && one.to_sequence <= to)
    .sort((a, b) => a.from_sequence - b.from_sequence);
  return finer[0]?.from_sequence === from ? finer : [];
}

/** For example `1 to 24: Priya approves the rollback. [3] Invoice 4711 moves. [7] [9]` */
const lineOf = ({ from_sequence: from, to_sequence: to, sentences }: ContextSummary): string =>
  `${from} to ${to}: ${sentences
    .map(({ text, cites }) => [text, ...cites.map(({ sequence }) => `[${sequence}]`)].join(" "))
    .join(" ")}`;
