import type {
  ContextAnswer,
  ContextMessage,
  ContextSummary,
  MemoryResult,
  MessagesResult,
  RecalledPart,
  SearchAnswer,
} from "@engram/spec";
import { hmacOf } from "../platform/digest.ts";

/** An item of an answer, as a receipt keeps it: id, hash, sequence of a message, score, and the part that was returned. */
export type StoredItem = [
  id: string,
  hash: string,
  sequence: number | null,
  score: number | null,
  start?: number,
  end?: number,
];

/** Items that have a conversation and a relevance in common, such as those of a result. */
export interface StoredGroup {
  part: RecalledPart;
  /** Null for memories. */
  conversation: string | null;
  relevance: number | null;
  items: StoredItem[];
}

interface StoredPart {
  part: RecalledPart;
  tokens: number;
  omitted: number;
  below_min_relevance: number;
}

/** What a receipt keeps of an answer. */
export interface StoredAnswer extends Pick<SearchAnswer, "degraded" | "pending" | "tokens"> {
  groups: StoredGroup[];
  layout: StoredPart[];
}

type Part = Pick<ContextMessage, "content_start" | "content_end">;
interface Shown extends Part {
  id: string;
  content: string;
}
interface Group<Item extends Shown> extends Omit<StoredGroup, "items"> {
  items: (Item & { sequence: number | null; score: number | null })[];
}

const HASH_BYTES = 16;
const DIGITS = 6;

const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

export async function storedSearch(
  secret: string,
  { results, tokens, omitted, below_min_relevance, degraded, pending }: SearchAnswer,
): Promise<StoredAnswer> {
  const known = new Set(
    results.flatMap((result) => (result.type === "memory" ? [] : result.messages.map(({ id }) => id))),
  );
  const groups = results.map((result) => {
    if (result.type === "memory") return memoryGroup("results", result);
    const group = messagesGroup(result);
    const cited = (result.summaries ?? []).flatMap(citedItems).filter(({ id }) => !known.has(id));
    for (const { id } of cited) known.add(id);
    return { ...group, items: [...group.items, ...cited] };
  });
  return {
    groups: await hashed(secret, groups),
    layout: [{ part: "results", tokens, omitted, below_min_relevance }],
    degraded,
    pending,
    tokens,
  };
}

const memoryGroup = (part: RecalledPart, { memory, score, relevance }: Remembered): Group<Shown> => ({
  part,
  conversation: null,
  relevance,
  items: [{ ...memory, sequence: null, score }],
});
type Remembered = { memory: Shown; score: number | null } & { relevance: MemoryResult["relevance"] | null };

function messagesGroup({ conversation_id, relevance, matches, messages }: MessagesResult): Group<Shown> {
  const scores = new Map(matches.map(({ message_id, score }) => [message_id, score]));
  const items = messages.map((message) => ({ ...message, score: scores.get(message.id) ?? null }));
  return { part: "results", conversation: conversation_id, relevance, items };
}

/** The messages that a summary cites, each with the sentences that cite it. */
function citedItems({ sentences }: Pick<ContextSummary, "sentences">): Group<Shown>["items"] {
  const cited = new Map<string, Group<Shown>["items"][number]>();
  for (const { text, cites } of sentences)
    for (const { message_id: id, sequence } of cites) {
      const before = cited.get(id);
      const content = before === undefined ? text : `${before.content}\n${text}`;
      cited.set(id, { id, content, sequence, score: null });
    }
  return [...cited.values()];
}

/** @param conversationId of the newest messages and the summaries. */
export async function storedContext(
  secret: string,
  { memories, results, summaries, messages, tokens, degraded, pending }: ContextAnswer,
  conversationId: string | undefined,
): Promise<StoredAnswer> {
  const unscored = (items: ContextMessage[]) => items.map((message) => ({ ...message, score: null }));
  const groups: Group<Shown>[] = [
    ...memories.items.map((memory) =>
      memoryGroup("memories", { memory, relevance: memory.relevance, score: null }),
    ),
    ...results.items.map(({ conversation_id, relevance, messages: found }) => ({
      part: "results" as const,
      conversation: conversation_id,
      relevance,
      items: unscored(found),
    })),
    {
      part: "summaries",
      conversation: conversationId ?? null,
      relevance: null,
      items: (summaries?.items ?? []).flatMap(citedItems),
    },
    {
      part: "messages",
      conversation: conversationId ?? null,
      relevance: null,
      items: unscored(messages.items),
    },
  ];
  return {
    groups: await hashed(
      secret,
      groups.filter(({ items }) => items.length > 0),
    ),
    layout: [
      { part: "memories", tokens: memories.tokens, omitted: memories.omitted, below_min_relevance: 0 },
      {
        part: "results",
        tokens: results.tokens,
        omitted: results.omitted,
        below_min_relevance: results.below_min_relevance,
      },
      ...(summaries === undefined
        ? []
        : [{ part: "summaries" as const, tokens: summaries.tokens, omitted: 0, below_min_relevance: 0 }]),
      { part: "messages", tokens: messages.tokens, omitted: messages.omitted, below_min_relevance: 0 },
    ],
    degraded,
    pending,
    tokens,
  };
}

async function hashed(secret: string, groups: Group<Shown>[]): Promise<StoredGroup[]> {
  const hmac = await hmacOf(secret);
  const toItem = async ({
    id,
    content,
    sequence,
    score,
    content_start,
    content_end,
  }: Group<Shown>["items"][number]) => {
    const digest = (await hmac(JSON.stringify(["recalled", id, content]))).subarray(0, HASH_BYTES);
    const hash = digest.toBase64().replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    const item: StoredItem = [id, hash, sequence, score === null ? null : rounded(score)];
    if (content_start !== undefined && content_end !== undefined) item.push(content_start, content_end);
    return item;
  };
  return Promise.all(
    groups.map(async ({ relevance, items, ...group }) => ({
      ...group,
      relevance: relevance === null ? null : rounded(relevance),
      items: await Promise.all(items.map(toItem)),
    })),
  );
}
