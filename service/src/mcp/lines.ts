import {
  type FoundMemory,
  type FoundMessage,
  LOW_RELEVANCE,
  type MemoryResult,
  type MessagesResult,
  MIN_RELEVANCE_FOR_MODELS,
  NEIGHBORS_MAX,
  type SearchAnswer,
  type SearchResult,
} from "@engram/spec";
import { placesInChunk } from "../text/cut.ts";
import {
  cutPart,
  inBrackets,
  indent,
  lowRelevance,
  PART_TOKENS,
  partOf,
  rounded,
  toLine,
  toMinute,
} from "../text/message-lines.ts";
import { inJson, toModelTokens, toWrittenTokens } from "../text/model-tokens.ts";
import { inNoSteps, type Steps } from "../text/pace.ts";
import { type Packable, pack } from "../text/packing.ts";
import type { TextRange } from "../text/words.ts";
import type { ObjectSchema } from "./schemas.ts";

/** A search result whose messages are lines of text: a model reads them as they stand, and pays for little else. */
export interface LinesAnswer {
  results: (MessagesLines | MemoryLines)[];
  omitted: number;
  /** Results that were left out, and the relevance that they are below. Absent if there are none. */
  below_min_relevance?: number;
  min_relevance?: number;
  note?: string;
  pending?: number;
  degraded?: SearchAnswer["degraded"];
}

interface MessagesLines {
  conversation_id: string;
  title?: string;
  relevance: number;
  messages: string[];
}

interface MemoryLines {
  memory_id: string;
  relevance: number;
  created_at: string;
  ended?: true;
  /** Which part of the whole content this is. Absent if it is the whole. */
  part?: string;
  content: string;
}

export const LINES_SCHEMA: ObjectSchema = {
  type: "object",
  properties: {
    results: {
      type: "array",
      items: {
        type: "object",
        properties: {
          conversation_id: { type: "string" },
          title: { type: "string" },
          relevance: { type: "number" },
          messages: { type: "array", items: { type: "string" } },
          memory_id: { type: "string" },
          created_at: { type: "string" },
          ended: { type: "boolean" },
          part: { type: "string" },
          content: { type: "string" },
        },
        required: ["relevance"],
      },
    },
    omitted: { type: "integer" },
    below_min_relevance: { type: "integer" },
    min_relevance: { type: "number" },
    note: { type: "string" },
    pending: { type: "integer" },
    degraded: { type: "array", items: { type: "string" } },
  },
  required: ["results", "omitted"],
};

/**
 * Chooses messages of the results such that neither the JSON of the answer nor its text costs more than `tokensMax`.
 *
 * @returns null if even an answer without results costs more.
 */
export function* toLines(
  answer: SearchAnswer,
  tokensMax: number,
  minRelevance: number,
): Steps<{ json: string; text: string } | null> {
  const { results } = answer;
  const items: Item[] = [];
  const headTokens: number[] = [];
  for (const [group, result] of results.entries()) {
    if (result.type === "memory") items.push(toMemoryItem(result, group));
    else items.push(...(yield* toMessageItems(result, group)));
    headTokens.push((yield* toModelTokens(JSON.stringify(anyHeadOf(result)))) + SEPARATOR_TOKENS);
  }
  const answerOf = (lines: readonly Line[]): LinesAnswer => {
    const shown = results.flatMap((result, group) => {
      const own = lines
        .filter(({ item }) => item.group === group)
        .sort((a, b) => a.item.place - b.item.place);
      if (own.length === 0) return [];
      return [
        result.type === "memory"
          ? toMemoryLines(result, own[0])
          : { ...headOf(result), messages: own.map(({ text }) => text) },
      ];
    });
    return {
      results: shown,
      omitted: answer.omitted + results.length - shown.length,
      ...(answer.below_min_relevance > 0 && {
        below_min_relevance: answer.below_min_relevance,
        min_relevance: minRelevance,
      }),
      ...noteOn(lines.map(({ item }) => results[item.group] as SearchResult)),
      ...(answer.pending > 0 && { pending: answer.pending }),
      ...(answer.degraded.length > 0 && { degraded: answer.degraded }),
    };
  };
  const emptyTokens = yield* toModelTokens(JSON.stringify({ ...answerOf([]), ...noteOn(results) }));
  const chosen = yield* pack(items, {
    tokensMax: tokensMax - emptyTokens,
    cost: toStringTokens,
    before: NEIGHBORS_MAX,
    after: NEIGHBORS_MAX,
    groupOverhead: (group) => headTokens[group] ?? 0,
    cutOverhead: PART_TOKENS,
    places: ({ places }) => inNoSteps(places),
  });
  const lines = [...chosen].map(([item, range]): Line => {
    const found = cutPart(item.found, range);
    return { item, part: partOf(found), text: "role" in found ? toLine(found) : found.content };
  });
  // The parts of an answer can cost less than the answer, because words that meet count as one. What was chosen last
  // is left out until all fits.
  for (;;) {
    const made = answerOf(lines);
    const [json, text] = [JSON.stringify(made), toText(made)];
    const tokens = Math.max(yield* toModelTokens(json, tokensMax), yield* toModelTokens(text, tokensMax));
    if (tokens <= tokensMax) return { json, text };
    if (lines.pop() === undefined) return null;
  }
}

/** A remark for the model if some of the results may not answer the query. */
export function noteOn(results: readonly SearchResult[]): { note?: string } {
  const count = new Set(results.filter(({ relevance }) => lowRelevance(relevance) !== null)).size;
  if (count === 0) return {};
  return {
    note: `Results of ${LOW_RELEVANCE} (below ${MIN_RELEVANCE_FOR_MODELS}), which may not answer the query: ${count}.`,
  };
}

/** Tokens of a text as a string of JSON. */
export function* toStringTokens(text: string, tokensMax?: number): Steps<number> {
  return QUOTES_TOKENS + (yield* toWrittenTokens(text, inJson, tokensMax));
}
const QUOTES_TOKENS = 2;
/** A comma and brackets. */
export const SEPARATOR_TOKENS = 3;

const headOf = ({ conversation_id, conversation: { title }, relevance }: MessagesResult) => ({
  conversation_id,
  ...(title !== null && { title }),
  relevance: rounded(relevance),
});

const memoryHeadOf = ({ memory: { id, created_at }, ended, relevance }: MemoryResult) => ({
  memory_id: id,
  relevance: rounded(relevance),
  created_at: toMinute(created_at),
  ...(ended && { ended: true as const }),
});

const anyHeadOf = (result: SearchResult) =>
  result.type === "memory" ? memoryHeadOf(result) : headOf(result);

/** A message, or a memory, whose only line is its content. */
interface Item extends Packable {
  found: FoundMessage | FoundMemory;
  places: readonly TextRange[];
}

interface Line {
  item: Item;
  text: string;
  part: string | null;
}

function* toMessageItems({ messages, matches }: MessagesResult, group: number): Steps<Item[]> {
  const items: Item[] = [];
  for (const message of messages) {
    const match = matches.find(({ message_id }) => message_id === message.id);
    items.push({
      found: message,
      group,
      place: message.sequence,
      score: match?.score ?? null,
      content: message.content,
      overhead: (yield* toStringTokens(toLine(message, ""))) + SEPARATOR_TOKENS,
      places: match?.highlights ?? [],
    });
  }
  return items;
}

const toMemoryItem = (result: MemoryResult, group: number): Item => ({
  found: result.memory,
  group,
  place: 0,
  score: result.score,
  content: result.memory.content,
  overhead: SEPARATOR_TOKENS,
  places: placesOfMemory(result),
});

/** Where the content of the result, which may be a part itself, is cut. */
export function placesOfMemory({ memory, highlights, chunk }: MemoryResult): readonly TextRange[] {
  const { content, content_start: offset = 0 } = memory;
  const toPart = (at: number) => Math.min(content.length, Math.max(0, at - offset));
  return placesInChunk(highlights, chunk && { start: toPart(chunk.start), end: toPart(chunk.end) });
}

const toMemoryLines = (result: MemoryResult, line: Line | undefined): MemoryLines => ({
  ...memoryHeadOf(result),
  ...(line?.part != null && { part: line.part }),
  content: line?.text ?? "",
});

function toText({
  results,
  omitted,
  below_min_relevance,
  min_relevance,
  note,
  pending,
  degraded,
}: LinesAnswer): string {
  const isEmpty = results.length + omitted === 0;
  const below = isEmpty
    ? `Nothing reaches min_relevance ${min_relevance}. Weaker results: ${below_min_relevance}. See them with \`min_relevance\`: 0, or search with other words.`
    : `below min_relevance ${min_relevance}: ${below_min_relevance}`;
  const state = [
    ...(isEmpty && below_min_relevance === undefined ? ["Nothing was found."] : []),
    ...(omitted > 0 ? [`omitted: ${omitted}`] : []),
    ...(below_min_relevance === undefined ? [] : [below]),
    ...(note === undefined ? [] : [note]),
    ...(pending === undefined ? [] : [`pending: ${pending}`]),
    ...(degraded === undefined ? [] : [`degraded: ${degraded.join(", ")}`]),
  ];
  return [
    ...results.map((result) => {
      if ("memory_id" in result) {
        const { memory_id, relevance, created_at, ended, part, content } = result;
        const line = indent(`${created_at} memory${inBrackets(ended && "ended", part)}: ${content}`);
        return `${memory_id} (relevance ${relevance})\n${line}`;
      }
      const { conversation_id, title, relevance, messages } = result;
      const head = `${conversation_id}${title === undefined ? "" : ` ${title}`} (relevance ${relevance})`;
      return [head, ...messages].map(indent).join("\n");
    }),
    ...(state.length === 0 ? [] : [state.join("\n")]),
  ].join("\n\n");
}
