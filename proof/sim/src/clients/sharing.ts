import type { AnsweredConversation, AnsweredMessage } from "../model/judge.ts";
import type { ConversationModel, MemoryModel } from "../model/model.ts";
import { isLanded, mayShow, mayShowMemory, mustShow, mustShowMemory } from "../model/presence.ts";
import { mayRead, mustRead } from "../model/sharing.ts";
import { type Span, Write } from "../model/write.ts";
import { expect } from "../violation.ts";
import type { Client } from "./client.ts";
import { judgeAbsence } from "./conversations.ts";
import { isHeld } from "./holds.ts";
import { judgeMemoryAbsence, latestContent } from "./memories.ts";
import { judgeResults, MODES } from "./searches.ts";
import { randomNote, randomText, wordIn } from "./texts.ts";
import { isForgotten } from "./tombstones.ts";

type Item = { conversation: ConversationModel } | { memory: MemoryModel };

/** A conversation or memory without a user, mostly one that exists. */
function pickItem({ organization, random, step }: Client): Item | null {
  const now = { begin: step, end: step };
  const isKnown = (one: ConversationModel | MemoryModel) =>
    one.id !== null && one.sent.user_id === undefined && isLanded(one, step);
  const items: Item[] = random.chance(0.5)
    ? organization.conversations
        .filter((one) => isKnown(one) && (mayShow(one, now) || random.chance(0.1)))
        .map((conversation) => ({ conversation }))
    : organization.memories
        .filter((one) => isKnown(one) && (mayShowMemory(one, now) || random.chance(0.1)))
        .map((memory) => ({ memory }));
  const newest = items.slice(-4);
  return newest[random.between(0, Math.max(0, newest.length - 1))] ?? null;
}

const pathOf = (item: Item): string =>
  "memory" in item ? `/v1/memories/${item.memory.id}` : `/v1/conversations/${item.conversation.id}`;

/** Shares a conversation or memory with all users, or no longer. */
export async function share(client: Client): Promise<void> {
  const item = pickItem(client);
  if (item === null) return;
  const known = "memory" in item ? item.memory : item.conversation;
  const last = known.shared.writes.at(-1)?.value ?? false;
  const shared = client.random.chance(0.8) ? !last : last;
  const write = new Write(client.step);
  known.shared.add(shared, write);
  const outcome = await client.ask({ name: "share", method: "PATCH", path: pathOf(item), body: { shared } });
  const { answer, span } = outcome;
  const isDone = client.settle(write, outcome);
  if ("memory" in item) judgeMemoryAbsence(item.memory, answer, span);
  else judgeAbsence(client, item.conversation, answer, span);
  if (isDone)
    expect(answer?.body.shared === shared, "verbatim", () => `${known.id} is answered as shared: ${!shared}`);
}

/** Reads and tries to change what is shared or not, with a key that is bound to a user. */
export async function accessShared(client: Client): Promise<void> {
  const { random } = client;
  const item = pickItem(client);
  if (item === null) return;
  const path = pathOf(item);
  const marker = client.model.nextMarker();
  const isMemory = "memory" in item;
  const messages = [{ role: "user", content: randomText(random, marker) }];
  const ask = random.pick([
    { method: "GET", path },
    { method: "GET", path },
    { method: "PATCH", path, body: isMemory ? { tags: ["mine"] } : { title: "mine" } },
    { method: "PATCH", path, body: { shared: false } },
    { method: "DELETE", path },
    ...(isMemory
      ? [
          {
            method: "POST",
            path: "/v1/memories",
            body: { content: randomNote(random, marker), supersedes: item.memory.id },
          },
        ]
      : [
          { method: "POST", path: `${path}/messages`, body: { messages } },
          { method: "POST", path: `${path}/fork`, body: {} },
        ]),
  ] as { method: "GET" | "PATCH" | "DELETE" | "POST"; path: string; body?: object }[]);
  const { answer, span } = await client.ask({ name: "access shared", ...ask, expected: 403 });
  if (answer === null || answer.status === 401) return;
  // Nothing is stored for a user who was deleted.
  if (isHeld(answer)) return;
  if (answer.status === 409 && isForgotten(client, client.userId, answer, span)) return;
  const known = isMemory ? item.memory : item.conversation;
  const mustExist = isMemory ? mustShowMemory(item.memory, span) : mustShow(item.conversation, span);
  const isRefused = answer.status === 404 && !(mustExist && mustRead(client, known, span));
  const isReadOnly = answer.status === 403 && ask.method !== "GET" && mayRead(client, known, span);
  const isRead = answer.status === 200 && ask.method === "GET" && mayRead(client, known, span);
  expect(
    isRefused || isReadOnly || isRead,
    "isolation",
    () => `${ask.method} of ${known.id} answers ${answer.status} to a user`,
  );
  if (answer.status !== 200) return;
  if (isMemory) client.memoryJudge.memory(answer.body, span);
  else judgeConversation(client, answer.body, span);
}

function judgeConversation(
  client: Client,
  { messages, ...shown }: AnsweredConversation & { messages: { items: AnsweredMessage[] } },
  span: Span,
): void {
  client.judge.conversation(shown as AnsweredConversation, span);
  for (const message of messages.items) client.judge.message(message, span);
}

/** Lists conversations with a key that is bound to a user: the user's own, and all that is shared. */
export async function listShared(client: Client): Promise<void> {
  const { random, organization } = client;
  const all: AnsweredConversation[] = [];
  const begin = client.step;
  const only = random.pick(["", "&visibility=shared", "&visibility=own"]);
  const query = `limit=${random.between(2, 10)}&order=${random.pick(["asc", "desc"])}&sort=created_at${only}`;
  for (let cursor = ""; ; ) {
    const path = `/v1/conversations?${query}${cursor}`;
    const { answer, span } = await client.ask({ name: "list shared", method: "GET", path });
    if (answer?.status !== 200) return;
    for (const shown of answer.body.items) {
      const known = client.judge.conversation(shown, span);
      expect(mayRead(client, known, span), "isolation", () => `a list of a user has ${known.id}`);
    }
    all.push(...answer.body.items);
    if (answer.body.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(answer.body.next_cursor)}`;
  }
  const span = { begin, end: client.step };
  const ids = all.map(({ id }) => id);
  expect(new Set(ids).size === ids.length, "lists", () => "a list shows a conversation twice");
  for (const one of organization.conversations) {
    const isOwn = one.sent.user_id === client.userId;
    const isListed = only === "" || isOwn === (only === "&visibility=own");
    if (!isListed || one.id === null || ids.includes(one.id)) continue;
    const isMissed = mustShow(one, span) && mustRead(client, one, span);
    expect(!isMissed, "durable", () => `${one.id} is missing from the list of a user`);
  }
}

/** Searches for what a shared or other item says, as a user, in both corpora. */
export async function searchShared(client: Client): Promise<void> {
  const { random } = client;
  const item = pickItem(client);
  if (item === null) return;
  const said = "memory" in item ? latestContent(item.memory) : item.conversation.messages[0]?.sent.content;
  const query = wordIn(said ?? "");
  if (query === "") return;
  const mode = random.pick(MODES);
  const { answer, span } = await client.ask({
    name: `search shared ${mode}`,
    method: "POST",
    path: "/v1/search",
    body: { query, mode, limit: 10, in: ["conversations", "memories"] },
    isRepeatable: true,
  });
  if (answer?.status === 200) judgeResults(client, answer.body.results, span);
}
