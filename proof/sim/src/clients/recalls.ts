import type { MemoryModel, MessageModel, OrganizationModel, RecallModel } from "../model/model.ts";
import { isLanded, mayShowMemory, mayShowMessage, mayShowRecall, mustShowRecall } from "../model/presence.ts";
import { isOf } from "../model/sharing.ts";
import { Write } from "../model/write.ts";
import { expect } from "../violation.ts";
import { type Client, USERS } from "./client.ts";
import { deleteMemory, latestContent, pickMemory } from "./memories.ts";
import { pickMessage } from "./messages.ts";
import { wordIn, wordOf } from "./texts.ts";
import { mayBeForgotten } from "./tombstones.ts";

interface RecalledItem {
  id: string;
}

interface AnsweredResult {
  type: "memory" | "messages";
  memory: { id: string };
  messages: { id: string }[];
}

/** Records a search, which then must have a receipt with the items of the answer. */
export async function recordSearch(client: Client): Promise<void> {
  const { agentId, organization, random } = client;
  const userId = client.userId ?? (random.chance(0.6) ? random.pick(USERS) : undefined);
  const write = new Write(client.step);
  const { answer, span } = await client.ask({
    name: "record",
    method: "POST",
    path: "/v1/search",
    body: {
      query: wordToFind(client),
      mode: random.pick(["keyword", "hybrid"]),
      in: ["conversations", "memories"],
      limit: 10,
      record: { run_id: "run" },
      ...(client.userId === undefined && userId !== undefined && { user_id: userId }),
    },
  });
  if (answer?.status !== 200) return;
  const id: string | null = answer.body.recall_id;
  if (id === null) {
    const isRefused = userId !== undefined && mayBeForgotten(organization, userId, span);
    expect(isRefused, "recalls", () => `a search of ${userId} is not recorded, and nothing was forgotten`);
    return;
  }
  write.done = client.step;
  const items = (answer.body.results as AnsweredResult[]).flatMap((result) =>
    result.type === "memory" ? [result.memory.id] : result.messages.map((message) => message.id),
  );
  organization.recalls.push({
    ...{ organization, id, items, userId, agentId, boundUserId: client.userId, creation: write },
    ...{ deletions: [], hazards: [], landing: null },
  });
}

/** A word of a memory or of a message. Of nothing, one that nothing has. */
function wordToFind(client: Client): string {
  const memory = pickMemory(client);
  const message = (client.agentId ?? client.userId) ? null : pickMessage(client);
  if (message !== null && client.random.chance(0.5)) return wordOf(message.marker);
  return memory === null ? "nothing" : wordIn(latestContent(memory));
}

/** A receipt of the organization, of which a bound key may read only its own. */
function pickRecall({ organization, random }: Client): RecallModel | null {
  const { recalls } = organization;
  return recalls[random.between(0, Math.max(0, recalls.length - 1))] ?? null;
}

const mayRead = ({ agentId, userId }: Client, recall: RecallModel): boolean =>
  (agentId === undefined || recall.agentId === agentId) &&
  (userId === undefined || recall.boundUserId === userId);

/** Reads a receipt, or notes its outcome, which no other request changes. */
export async function readRecall(client: Client): Promise<void> {
  const recall = pickRecall(client);
  if (recall === null) return;
  const path = `/v1/recalls/${recall.id}`;
  const isNote = client.random.chance(0.3);
  const { answer, span } = await client.ask(
    isNote
      ? { name: "note recall", method: "PATCH", path, body: { outcome: "answered" }, isRepeatable: true }
      : { name: "get recall", method: "GET", path },
  );
  judgeRecall(client, recall, answer?.status, span);
  if (answer?.status !== 200) return;
  const ids = (answer.body.items as RecalledItem[]).map(({ id }) => id);
  const { items } = recall;
  expect(ids.join() === items.join(), "recalls", () => `${recall.id} has ${ids}, and ${items} were answered`);
}

function judgeRecall(
  client: Client,
  recall: RecallModel,
  status: number | undefined,
  span: { begin: number; end: number },
): void {
  if (status === 200) {
    expect(mayRead(client, recall), "isolation", () => `a bound key reads ${recall.id}`);
    expect(mayShowRecall(recall, span), "deleted", () => `${recall.id} of a deleted user is answered`);
  }
  const isMissing = status === 404 && mayRead(client, recall) && mustShowRecall(recall, span);
  expect(!isMissing, "durable", () => `${recall.id} is lost`);
}

/** Lists the receipts of a user, or of all. */
export async function listRecalls(client: Client): Promise<void> {
  const { organization, random } = client;
  const userId = random.chance(0.5) ? random.pick(USERS) : undefined;
  const begin = client.step;
  const shown = new Set<string>();
  for (let cursor = ""; ; ) {
    const query = `limit=${random.between(1, 5)}${userId === undefined ? "" : `&user_id=${userId}`}${cursor}`;
    const { answer, span } = await client.ask({
      name: "list recalls",
      method: "GET",
      path: `/v1/recalls?${query}`,
    });
    if (answer?.status !== 200) return;
    for (const { id } of answer.body.items as RecalledItem[]) {
      expect(!shown.has(id), "lists", () => `${id} is on two pages`);
      shown.add(id);
      const recall = organization.recalls.find((one) => one.id === id);
      if (recall !== undefined) judgeRecall(client, recall, 200, span);
    }
    if (answer.body.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(answer.body.next_cursor)}`;
  }
  const span = { begin, end: client.step };
  const missed = organization.recalls.find(
    (recall) =>
      !shown.has(recall.id) &&
      (userId === undefined || recall.userId === userId) &&
      mayRead(client, recall) &&
      mustShowRecall(recall, span),
  );
  expect(missed === undefined, "lists", () => `${missed?.id} is on no page`);
}

interface Difference {
  change: string;
  cause: string;
  before?: RecalledItem;
}

/** Records a search, deletes a memory that it found, and replays it before the purge. */
export async function replayDeletion(client: Client): Promise<void> {
  const before = client.organization.recalls.length;
  await recordSearch(client);
  const recall = client.organization.recalls.slice(before).findLast((one) => mayRead(client, one)) ?? null;
  const memory = client.organization.memories.find(
    (one) =>
      one.id !== null && recall?.items.includes(one.id) && isOf(client, one) && isLanded(one, client.step),
  );
  if (memory === undefined) return;
  await deleteMemory(client, memory);
  await replayRecall(client, recall);
}

/** Replays a receipt: each item that is deleted for sure must be named as deleted. */
export async function replayRecall(client: Client, recall = pickRecall(client)): Promise<void> {
  if (recall === null || !mayRead(client, recall)) return;
  const { answer, span } = await client.ask({
    name: "replay",
    method: "POST",
    path: `/v1/recalls/${recall.id}/replay`,
    isRepeatable: true,
  });
  judgeRecall(client, recall, answer?.status, span);
  if (answer?.status !== 200) return;
  const differences = answer.body.differences as Difference[];
  for (const item of recall.items) {
    const known = itemOf(client.organization, client, item);
    const isGone =
      known !== undefined &&
      !("conversation" in known ? mayShowMessage : mayShowMemory)(known as never, span);
    if (!isGone) continue;
    const named = differences.find(({ before }) => before?.id === item);
    expect(
      named?.change === "missing" && ["deleted", "forgotten"].includes(named.cause),
      "replays",
      () => `${item} is deleted, and the replay of ${recall.id} says ${JSON.stringify(named)}`,
    );
  }
}

const itemOf = (
  { memories }: OrganizationModel,
  { model }: Client,
  id: string,
): MemoryModel | MessageModel | undefined =>
  memories.find((memory) => memory.id === id) ??
  [...model.messages.values()].flat().find((message) => message.id === id);
