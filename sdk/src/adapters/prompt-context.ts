// What adapters add to a prompt that asked for nothing, and where it belongs.

import type { Engram } from "../engram.ts";
import type { ContextBody } from "../generated/schema.ts";
import type { CallOptions } from "../options.ts";
import { canonicalJson } from "./json.ts";
import type { NotNull } from "./owner.ts";
import { excluding, type RecallOptions, recallUnasked, toQuery } from "./recall.ts";

interface OnError {
  /**
   * Called with the error if Engram fails, for example because it is unreachable. The model is then called without
   * memories. By default, the call of the model rejects with the error.
   */
  onError?: ((error: unknown) => void) | undefined;
}

/** Which memories and conversations to add to a prompt, as in `engram.context`. */
export interface StableOptions
  extends NotNull<
      Omit<ContextBody, "query" | "conversation_id" | "exclude_conversation" | "layout" | "previous">
    >,
    OnError {
  /**
   * Memories come before the conversation, and keep their bytes from call to call, so that the prompt cache of a provider
   * finds them. What the last message of the user asks for comes with that message.
   */
  layout?: "stable" | undefined;
  /** Id of a thread, chat or session whose messages are in the prompt already. They are not added. */
  exceptThreadId?: string | undefined;
}

/** What to search, as in `engram.search`. */
export interface SingleOptions extends RecallOptions, OnError {
  /** One text with what a search finds, with the last message of the user. Nothing comes before the conversation. */
  layout: "single";
}

/** What is added to a prompt. */
export type MemoryOptions = StableOptions | SingleOptions;

/** The texts that are added to a prompt. */
export interface PromptContext {
  /** Each keeps its bytes from call to call. They belong before the conversation. */
  stable: string[];
  /** Changes with each call, so it belongs to the last message of the user. Empty for none. */
  dynamic: string;
}

const TOKENS_MAX = 2_000;
/** The prompt has the messages of the conversation itself. */
const SHARES = { messages: 0, memories: 0.4, results: 0.6 };
/** Stable parts that one client can continue. One that is forgotten begins anew. */
const HEADS_MAX = 1_000;

/** Ids of the stable parts, by the data that they are made of. Those that were used last are at the end. */
const headsOf = new WeakMap<Engram, Map<string, string>>();

/**
 * Gets what to add to a prompt.
 *
 * @param text of the last message of the user.
 */
export async function promptContext(
  client: Engram,
  text: string,
  options: MemoryOptions,
  call: CallOptions,
): Promise<PromptContext> {
  const { onError, ...others } = options;
  try {
    if (others.layout !== "single") return await stableContext(client, text, others, call);
    const { layout: _, ...filters } = others;
    return { stable: [], dynamic: (await recallUnasked(client, text, filters, call)) ?? "" };
  } catch (error) {
    if (onError === undefined || call.signal?.aborted) throw error;
    onError(error);
    return { stable: [], dynamic: "" };
  }
}

async function stableContext(
  client: Engram,
  text: string,
  { exceptThreadId, ...options }: StableOptions,
  call: CallOptions,
): Promise<PromptContext> {
  const query = toQuery(text);
  const heads = headsOf.get(client) ?? new Map<string, string>();
  headsOf.set(client, heads);
  const { user_id, agent_id, metadata, as_of } = options;
  const key = canonicalJson({ user_id, agent_id, metadata, as_of, exceptThreadId });
  const body: ContextBody = {
    ...{ max_tokens: TOKENS_MAX, shares: SHARES },
    ...options,
    ...(query !== "" && { query }),
    ...excluding(exceptThreadId),
    layout: "stable",
    previous: heads.get(key) ?? null,
  };
  const { stable = [], dynamic = "", stable_id } = await client.context(body, call);
  heads.delete(key);
  if (stable_id) heads.set(key, stable_id);
  for (const oldest of heads.keys()) {
    if (heads.size <= HEADS_MAX) break;
    heads.delete(oldest);
  }
  return { stable, dynamic };
}

interface PromptMessage {
  role: string;
  content: unknown;
}

/** How Anthropic's provider marks the end of what it should cache. Other providers ignore it. */
const CACHED = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** The text of the last message of the user in a prompt of the AI SDK. */
export const lastAsked = (prompt: readonly PromptMessage[]): unknown =>
  prompt.findLast(({ role }) => role === "user")?.content;

/** The prompt of a model of the AI SDK with both parts of the context. */
export function inPrompt<Message extends PromptMessage>(
  prompt: readonly Message[],
  { stable, dynamic }: PromptContext,
): Message[] {
  const firstTurn = prompt.findIndex(({ role }) => role !== "system");
  const instructionsEnd = firstTurn < 0 ? prompt.length : firstTurn;
  const asked = prompt.findLastIndex(({ role }) => role === "user");
  const turns = prompt.slice(instructionsEnd).map((message, i) => {
    if (dynamic === "" || instructionsEnd + i !== asked) return message;
    return { ...message, content: [{ type: "text", text: dynamic }, ...(message.content as unknown[])] };
  });
  const blocks = stable.map((content, i) => ({
    role: "system",
    content,
    ...(i === stable.length - 1 && { providerOptions: CACHED }),
  }));
  const unasked = dynamic !== "" && asked < 0 ? [{ role: "system", content: dynamic }] : [];
  return [...prompt.slice(0, instructionsEnd), ...blocks, ...unasked, ...turns] as Message[];
}
