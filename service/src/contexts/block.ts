import type { ContextAnswer, ContextMemory, ContextMessage, ContextSummary } from "@engram/spec";
import { indent } from "../text/message-lines.ts";
import { inNoSteps, type Steps } from "../text/pace.ts";
import {
  type Entry,
  Lines,
  type MessageEntry,
  type MessageLines,
  memoryLine,
  newestWithin,
  tokensOf,
} from "./entries.ts";
import { framed, frameTokens, MEMORIES_HEADING, type Piece, section } from "./frame.ts";
import {
  groupsOf,
  type Highlight,
  headOf,
  headsOf,
  neededBy,
  packWithin,
  type ResultEntry,
  type ResultGroup,
  toItems,
  toResult,
  withoutShown,
} from "./results.ts";
import { coverWithin, summariesBefore, summariesHeading } from "./summaries.ts";

/** What a context may include. */
export interface ContextParts {
  /** Null without a conversation. */
  conversationId: string | null;
  /** Number of messages of the conversation. */
  messageCount: number;
  /** The newest messages, oldest first. */
  messages: ContextMessage[];
  /** Whether earlier messages may fit, too. */
  hasEarlier: boolean;
  /** Best first, and last those that do not hold at `validAtMs`. */
  memories: ContextMemory[];
  validAtMs: number;
  /** Best first. */
  results: ResultGroup[];
  /** Finds the places of a content that match the query. A long match is cut around them. */
  highlight: Highlight;
  /** Of the conversation. */
  summaries?: readonly ContextSummary[] | undefined;
  /** Sequence number of the first message that is shown elsewhere; all are, from there on. */
  shownFrom?: number | undefined;
}

export interface ContextBudget {
  tokensMax: number;
  /** Weights of the parts. */
  shares: { messages: number; memories: number; results: number; summaries?: number | undefined };
}

export type ContextBlock = Pick<ContextAnswer, "text" | "tokens" | "messages" | "memories" | "summaries"> & {
  results: Omit<ContextAnswer["results"], "below_min_relevance">;
};

const RESULTS_HEADING = "Found in conversations:";
const messagesHeading = (conversationId: string) => indent(`Newest messages of ${conversationId}:`);

/**
 * Chooses what a context includes, such that its text costs at most `tokensMax`, also as a JSON string: memories and
 * messages within their shares, then search results. What one part does not need, the others get.
 *
 * @returns null if earlier messages than those in `parts` may fit.
 */
export function* toBlock(
  given: ContextParts,
  { tokensMax, shares }: ContextBudget,
): Steps<ContextBlock | null> {
  const parts = shares.summaries ? given : { ...given, summaries: [] };
  const whole = Math.max(0, tokensMax - (yield* frameTokens(headingsOf(parts), leftOut(allOf(parts)))));
  const reserved = summaryTokens(parts, whole, shares);
  const room = whole - reserved;
  const memoryLines = new Lines(parts.memories, (item) => memoryLine(item, parts.validAtMs));
  const heads = yield* headsOf(parts.results);
  const all = yield* toItems(parts.results);
  const wants = (messages: Want["need"], shown: readonly MessageEntry[]): Wants<Want> => [
    { weight: shares.messages, need: messages },
    { weight: shares.memories, need: (most) => memoryLines.tokens(most) },
    { weight: shares.results, need: (most) => neededBy(withoutShown(all, shown), heads, most) },
  ];
  // Results that are also among the messages need nothing. Which these are is known once some messages are chosen.
  const [most] = yield* allot(
    room,
    wants(() => inNoSteps(Number.POSITIVE_INFINITY), []),
  );
  const lines: MessageLines = new Map();
  const newest = (tokens: number, enough?: number) =>
    newestWithin(parts.messages, { tokensMax: tokens, whole: most, enough }, lines);
  const messageNeed = function* (enough: number) {
    return tokensOf(yield* newest(room, enough));
  };
  const [messageTokens, memoryTokens] = yield* allot(room, wants(messageNeed, yield* newest(most)));
  const memories = yield* memoryLines.within(memoryTokens);
  const spare = shares.messages === 0 ? 0 : memoryTokens - tokensOf(memories);
  const messages = yield* newest(messageTokens + spare);
  if (parts.hasEarlier && messages.length === parts.messages.length) return null;
  const before = parts.shownFrom ?? messages[0]?.item.sequence ?? Number.POSITIVE_INFINITY;
  const earlier = summariesBefore(parts.summaries ?? [], before, new Set());
  const kept = earlier.length === 0 ? 0 : reserved;
  const resultTokens = shares.results === 0 ? 0 : whole - kept - tokensOf(memories) - tokensOf(messages);
  const items = withoutShown(all, messages);
  const results = yield* packWithin(items, heads, resultTokens, parts.highlight);
  const found = new Set(items.filter(({ score }) => score !== null).map(({ group }) => group)).size;
  const ids = new Set(results.map(({ message }) => message.id));
  const summaries = yield* coverWithin(
    kept === 0 ? [] : summariesBefore(earlier, before, ids),
    Math.max(kept, whole - tokensOf(memories) - tokensOf(messages) - tokensOf(results)),
  );
  const chosen = { memories, results, summaries, messages };
  // The parts can cost less than the whole, because words that meet count as one. The last of them are then left out.
  for (;;) {
    const groups = groupsOf(chosen.results);
    const omitted = {
      messages: parts.conversationId === null ? 0 : parts.messageCount - chosen.messages.length,
      memories: parts.memories.length - chosen.memories.length,
      results: found - groups.length,
    };
    const { text, tokens } = yield* framed(toSections(chosen, parts), leftOut(omitted));
    const isLast =
      chosen.results.length + chosen.memories.length + chosen.summaries.length + chosen.messages.length === 0;
    if (tokens <= tokensMax || isLast)
      return {
        text: isLast ? "" : text,
        tokens: isLast ? 0 : tokens,
        messages: {
          items: chosen.messages.map(({ item }) => item),
          tokens: tokensOf(chosen.messages),
          omitted: omitted.messages,
        },
        memories: {
          items: chosen.memories.map(({ item }) => item),
          tokens: tokensOf(chosen.memories),
          omitted: omitted.memories,
        },
        results: {
          items: groups.map(([group, entries]) =>
            toResult(
              parts.results[group] as ResultGroup,
              entries.map(({ message }) => message),
            ),
          ),
          tokens: tokensOf(chosen.results),
          omitted: omitted.results,
        },
        ...(shares.summaries && {
          summaries: {
            items: chosen.summaries.map(({ item }) => item),
            tokens: tokensOf(chosen.summaries),
          },
        }),
      };
    const isLeftOut = [chosen.results, chosen.memories].some((entries) => entries.pop() !== undefined);
    if (!isLeftOut && chosen.summaries.shift() === undefined) chosen.messages.shift();
  }
}

/** Tokens that are kept for summaries, which are chosen once it is known which messages are shown. */
function summaryTokens({ summaries }: ContextParts, room: number, shares: ContextBudget["shares"]): number {
  const { summaries: share = 0, ...others } = shares;
  if (share === 0 || summaries === undefined || summaries.length === 0) return 0;
  const sum = share + others.messages + others.memories + others.results;
  return Math.floor((room * share) / sum);
}

interface Want {
  weight: number;
  /** If it is more than `most`, the result may be any larger number. */
  need(most: number): Steps<number>;
}

type Wants<T> = [messages: T, memories: T, results: T];

/** Divides tokens in proportion to the weights. A part that needs less than its share leaves the rest to the others. */
export function* allot(total: number, wants: Wants<Want>): Steps<Wants<number>> {
  const got = wants.map(() => 0);
  let left = total;
  let open = wants.map((want, i) => ({ want, i })).filter(({ want }) => want.weight > 0);
  while (open.length > 0) {
    const sum = open.reduce((weights, { want }) => weights + want.weight, 0);
    const shares: { i: number; share: number; need: number }[] = [];
    for (const { want, i } of open) {
      const share = Math.floor((left * want.weight) / sum);
      shares.push({ i, share, need: yield* want.need(share) });
    }
    const content = shares.filter(({ need, share }) => need <= share);
    for (const { i, need } of content) {
      got[i] = need;
      left -= need;
    }
    if (content.length === 0) for (const { i, share } of shares) got[i] = share;
    open = content.length === 0 ? [] : open.filter(({ i }) => content.every((one) => one.i !== i));
  }
  return got as Wants<number>;
}

interface Omitted {
  messages: number;
  memories: number;
  results: number;
}

const allOf = ({ messageCount, memories, results }: ContextParts): Omitted => ({
  messages: messageCount,
  memories: memories.length,
  results: results.length,
});

/** The last line, which says what did not fit. */
function leftOut({ messages, memories, results }: Omitted): string | null {
  const parts = [
    ...(messages > 0 ? [`${messages} earlier messages`] : []),
    ...(memories > 0 ? [`${memories} memories`] : []),
    ...(results > 0 ? [`${results} search results`] : []),
  ];
  return parts.length === 0 ? null : `Left out: ${parts.join(", ")}.`;
}

const headingsOf = ({ conversationId, summaries = [] }: ContextParts) => [
  MEMORIES_HEADING,
  RESULTS_HEADING,
  ...(summaries.length === 0 ? [] : [indent(summariesHeading(conversationId ?? ""))]),
  messagesHeading(conversationId ?? ""),
];

function toSections(
  chosen: {
    memories: readonly Entry[];
    results: readonly ResultEntry[];
    summaries: readonly Entry[];
    messages: readonly Entry[];
  },
  { conversationId, results }: ContextParts,
): Piece[][] {
  const found = groupsOf(chosen.results).flatMap(([group, entries]): Piece[] => [
    indent(headOf(results[group] as ResultGroup)),
    ...entries,
  ]);
  return [
    section(MEMORIES_HEADING, chosen.memories),
    section(RESULTS_HEADING, found),
    section(indent(summariesHeading(conversationId ?? "")), chosen.summaries),
    section(messagesHeading(conversationId ?? ""), chosen.messages),
  ].filter(({ length }) => length > 1);
}
