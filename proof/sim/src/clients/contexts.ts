import type { ContextAnswer, ContextMemory, ContextMessage } from "@engram/spec";
import { copyable, mayMove, takeCopies } from "../model/forks.ts";
import { possibleTitles } from "../model/judge.ts";
import type { ConversationModel, MemoryModel, MessageModel } from "../model/model.ts";
import {
  mayShow,
  mayShowMemory,
  mayShowMessage,
  mustShowMessage,
  possibleContents,
} from "../model/presence.ts";
import { isOf, mayRead } from "../model/sharing.ts";
import type { Span } from "../model/write.ts";
import { expect } from "../violation.ts";
import { type Client, USERS } from "./client.ts";
import { pickConversation } from "./conversations.ts";
import { deleteMemory } from "./memories.ts";
import { judgeSummary } from "./summaries.ts";
import { wordIn, wordOf } from "./texts.ts";

type Body = Record<string, unknown> & {
  conversation_id?: string;
  exclude_conversation?: string;
  user_id?: string;
  max_tokens: number;
};
type Result = ContextAnswer["results"]["items"][number];
type Shown = Pick<ContextMessage, "content" | "content_start" | "content_end" | "content_length">;

const SHARES = [
  {},
  { shares: { messages: 1, memories: 0, results: 0 } },
  { shares: { messages: 0, memories: 1, results: 0 } },
  { shares: { messages: 0.5, memories: 0.5, results: 0 } },
  { shares: { messages: 0.3, memories: 0, results: 0.2, summaries: 0.5 } },
];
/** Contexts that continue the stable part of one. */
const CONTINUED_MAX = 4;

/** Asks for a context, and for some that continue its stable part while others write. Checks all that they show. */
export async function getContext(client: Client): Promise<void> {
  const { random } = client;
  const picked = [pickConversation(client), pickConversation(client), pickConversation(client)];
  const [longest = null] = picked.sort((a, b) => (b?.messages.length ?? 0) - (a?.messages.length ?? 0));
  const conversation = random.chance(0.8) ? longest : null;
  const user_id = client.userId ?? conversation?.sent.user_id ?? random.pick(USERS);
  const word = conversation === null ? wordIn(longest?.messages[0]?.sent.content ?? "") : "";
  const body: Body = {
    ...(conversation?.id ? { conversation_id: conversation.id } : {}),
    ...(random.chance(0.8) ? { user_id } : {}),
    ...(random.chance(0.7) ? { layout: "stable" } : {}),
    ...random.pick(SHARES),
    max_tokens: random.pick([1_000, 4_000]),
    // Its first message has a word that no other one has.
    ...(longest?.id && word !== ""
      ? {
          exclude_conversation: longest.sent.external_id ?? longest.id,
          ...{ query: word, shares: { results: 1 } },
        }
      : {}),
  };
  let context = await ask(client, { ...queryOf(client), ...body });
  for (let i = 0; i < CONTINUED_MAX && context?.stable_id; i++) {
    await client.world.clock.sleep(random.between(0, 20_000));
    // What is deleted in between must not be in the next one. A bound key can delete only its own, and not what is shared.
    const ids = context.memories.items.map(({ id }) => id);
    const shown = client.organization.memories.filter(
      (memory) => memory.id !== null && ids.includes(memory.id) && isOf(client, memory),
    );
    if (shown.length > 0 && random.chance(0.3)) await deleteMemory(client, random.pick(shown));
    context = await ask(client, { ...queryOf(client), ...body, previous: context.stable_id }, context);
  }
}

const queryOf = ({ random, model }: Client) =>
  random.chance(0.5) ? { query: wordOf(random.between(1, Math.max(1, model.messages.size))) } : {};

async function ask(client: Client, body: Body, before?: ContextAnswer): Promise<ContextAnswer | null> {
  const { answer, span } = await client.ask({
    name: `context${body.layout === "stable" ? " stable" : ""}`,
    method: "POST",
    path: "/v1/context",
    body,
    isRepeatable: true,
  });
  if (answer?.status !== 200) return null;
  const context: ContextAnswer = answer.body;
  judgeContext(client, body, context, span);
  if (body.layout !== "stable") return context;
  const { stable = [], dynamic = "", stable_changed } = context;
  if (before?.stable !== undefined && stable_changed === null)
    expect(
      before.stable.every((block, i) => stable[i] === block),
      "stable",
      () => "the stable part of a context has other bytes than before",
    );
  expect(
    context.text === [...stable, ...(dynamic === "" ? [] : [dynamic])].join("\n\n"),
    "stable",
    () => "the parts of a context are not its text",
  );
  return context;
}

function judgeContext(client: Client, body: Body, context: ContextAnswer, span: Span): void {
  const { messages, memories, results, text, tokens } = context;
  expect(tokens <= body.max_tokens, "budget", () => `a context of ${body.max_tokens} has ${tokens} tokens`);
  const ids = [
    ...messages.items.map(({ id }) => id),
    ...results.items.flatMap((result) => result.messages.map(({ id }) => id)),
    ...memories.items.map(({ id }) => id),
  ];
  expect(new Set(ids).size === ids.length, "lists", () => "a context shows something twice");
  for (const memory of memories.items) judgeMemory(client, body, memory, text, span);
  for (const result of results.items) {
    if (!isIdentified(client, body, result, span)) continue;
    const conversation = conversationOf(client, result.conversation_id, span);
    expect(!isExcluded(body, conversation), "excluded", () => `a context shows ${conversation.id}`);
    for (const message of result.messages) judgeMessage(conversation, message, text, span);
  }
  if (body.conversation_id === undefined) return;
  const conversation = conversationOf(client, body.conversation_id, span);
  const shown = messages.items.map((message) => judgeMessage(conversation, message, text, span));
  const sequences = messages.items.map(({ sequence }) => sequence);
  expect(
    sequences.every((sequence, i) => sequence > (sequences[i - 1] ?? 0)),
    "sequences",
    () => `a context shows ${sequences}`,
  );
  judgeSummaries(conversation, context, span);
  // With a stable part, only the newest one is known not to be left out.
  const from = body.layout === "stable" ? sequences.at(-1) : sequences[0];
  for (const message of conversation.messages) {
    const { sequence } = message;
    if (sequence === null || from === undefined || sequence < from) continue;
    if (mustShowMessage(message, span))
      expect(shown.includes(message), "newest", () => `${message.id} is not among the newest messages`);
  }
}

/** Summaries are of messages before those shown, each covered once. */
function judgeSummaries(
  conversation: ConversationModel,
  { messages, summaries, text }: ContextAnswer,
  span: Span,
): void {
  const first = messages.items[0]?.sequence ?? Number.POSITIVE_INFINITY;
  let last = 0;
  for (const summary of summaries?.items ?? []) {
    const { from_sequence: from, to_sequence: to, sentences } = summary;
    expect(
      from > last && from < first,
      "summaries",
      () => `${from} to ${to} is after ${last}, before ${first}`,
    );
    last = to;
    judgeSummary(conversation, summary, span);
    for (const { text: sentence } of sentences) judgeText({ content: sentence }, text);
  }
}

/**
 * Whether it is known from which conversation a result is. A conversation that has messages has a known id, unless it is
 * a fork whose response was lost: the title and the messages then tell which, and its id is known from now on. If they
 * fit several such forks, the result may be from any.
 */
function isIdentified(client: Client, body: Body, result: Result, span: Span): boolean {
  const { conversation_id, messages, title } = result;
  const { conversations } = client.organization;
  if (conversations.some(({ id }) => id === conversation_id)) return true;
  const mayBe = (one: ConversationModel): boolean => {
    const copied = { begin: one.creation.sent, end: span.end };
    const copies = copyable(one, copied);
    const hasCopy = (shown: ContextMessage) =>
      copies.some((message) => possibleContents(message, copied).some((content) => isPart(content, shown)));
    return (
      one.origin !== null &&
      one.id === null &&
      mayShow(one, span) &&
      isReadable(client, one, span) &&
      !isExcluded(body, one) &&
      possibleTitles(one, span).includes(title) &&
      messages.every(hasCopy)
    );
  };
  const forks = conversations.filter(mayBe);
  if (forks.length > 1) return false;
  // If there is none, the id is another organization's, and no conversation has it.
  for (const fork of forks) fork.id = conversation_id;
  return true;
}

/** Conversations in the simulator have no agent. */
const isReadable = ({ agentId, userId }: Client, one: ConversationModel, span: Span): boolean =>
  agentId === undefined && mayRead({ userId }, one, span);

const isExcluded = ({ exclude_conversation: excluded }: Body, { id, sent }: ConversationModel): boolean =>
  excluded !== undefined && [id, sent.external_id].includes(excluded);

function conversationOf(client: Client, id: string, span: Span): ConversationModel {
  const known = client.organization.conversations.find((conversation) => conversation.id === id);
  expect(known !== undefined, "isolation", () => `a context shows ${id}, which is another's`);
  expect(isReadable(client, known, span), "isolation", () => `a bound key gets messages of ${id}`);
  known.creation.done = Math.min(known.creation.done, span.end);
  takeCopies(client.model, known);
  return known;
}

function judgeMessage(
  conversation: ConversationModel,
  shown: ContextMessage,
  text: string,
  span: Span,
): MessageModel {
  const holds = (message: MessageModel) => possibleContents(message, span).some((one) => isPart(one, shown));
  const known =
    conversation.messages.find(({ id }) => id === shown.id) ??
    conversation.messages.find((message) => (message.id === null || mayMove(message)) && holds(message));
  expect(known !== undefined, "verbatim", () => `never sent: ${JSON.stringify(shown)}`);
  expect(mayShowMessage(known, span), "deleted", () => `${shown.id} is in a context`);
  expect(holds(known), "verbatim", () => `${shown.id} holds ${JSON.stringify(shown.content)}`);
  judgeText(shown, text);
  return known;
}

function judgeMemory(
  client: Client,
  body: Body,
  shown: ContextMemory,
  text: string,
  span: Span,
): MemoryModel {
  const holds = (memory: MemoryModel) => memory.content.possible(span).some((one) => isPart(one, shown));
  const owner = { agentId: client.agentId, userId: client.userId ?? body.user_id };
  const all = client.organization.memories;
  // Several captures may have had the same content, of which one was stored.
  const known =
    all.find(({ id }) => id === shown.id) ??
    all.find((memory) => memory.id === null && mayRead(owner, memory, span) && holds(memory));
  expect(known !== undefined, "isolation", () => `${shown.id} is another's, or was never captured`);
  expect(mayRead(owner, known, span), "isolation", () => `${shown.id} is another agent's or user's`);
  expect(mayShowMemory(known, span), "deleted", () => `${shown.id} is in a context`);
  expect(holds(known), "verbatim", () => `${shown.id} holds ${JSON.stringify(shown.content)}`);
  judgeText(shown, text);
  return known;
}

const isPart = (content: string, shown: Shown): boolean =>
  content.slice(shown.content_start ?? 0, shown.content_end ?? content.length) === shown.content &&
  (shown.content_length ?? content.length) === content.length;

/** What the lists have stands in the text, too: its unique word does. */
function judgeText({ content }: Shown, text: string): void {
  const word = wordIn(content);
  expect(text.includes(word), "verbatim", () => `a context lists ${word}, and its text has it not`);
}
