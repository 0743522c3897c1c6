import { mayHideMore } from "../model/deletion-receipts.ts";
import type { ConversationModel, ReceiptType } from "../model/model.ts";
import { isLanded, mayShow, mustShow } from "../model/presence.ts";
import { noteMissed } from "../model/restorations.ts";
import { type Span, Write } from "../model/write.ts";
import { expect } from "../violation.ts";
import type { Answer } from "../world.ts";
import { type Client, USERS } from "./client.ts";
import { maySkip } from "./holds.ts";
import { chooseForget, isForgotten } from "./tombstones.ts";

/** External ids that clients choose for conversations. Few, so that they collide. */
export const EXTERNAL_IDS = ["ticket-1", "ticket-2", "ticket-3"];

/** A conversation whose id is known; occasionally the one deleted last. */
export function pickConversation({ organization, random, step }: Client): ConversationModel | null {
  const named = organization.conversations.filter((one) => one.id !== null && isLanded(one, step));
  const isLive = (conversation: ConversationModel) =>
    conversation.deletions.length === 0 && mayShow(conversation, { begin: step, end: step });
  const live = named.filter(isLive);
  if (live.length === 0 || random.chance(0.1)) {
    return named.findLast((conversation) => !isLive(conversation)) ?? null;
  }
  // Favors low positions, so that several clients use the same conversations.
  const last = live.length - 1;
  return live[Math.min(random.between(0, last), random.between(0, last))] ?? null;
}

export async function createConversation(client: Client): Promise<void> {
  const { model, organization, random } = client;
  const marker = model.nextMarker();
  const externalId = random.chance(0.3) ? random.pick(EXTERNAL_IDS) : undefined;
  const title = random.chance(0.5) ? `title ${marker}` : null;
  const userId = random.chance(0.3) ? random.pick(USERS) : undefined;
  const sent = {
    metadata: { marker },
    external_id: externalId,
    ...(userId === undefined ? {} : { user_id: userId, tags: ["a", "b"] }),
    ...(userId === undefined && random.chance(0.2) ? { shared: true } : {}),
  };
  const conversation = model.addConversation(organization, marker, { sent, title, step: client.step });
  const outcome = await client.ask({
    name: "create",
    method: "POST",
    path: "/v1/conversations",
    body: { ...sent, ...(title === null ? {} : { title }) },
    once: random.chance(0.8),
  });
  if (outcome.answer === null || outcome.answer.status >= 300) {
    client.settle(conversation.creation, outcome);
    expect(
      outcome.answer?.status !== 409 || isForgotten(client, userId, outcome.answer, outcome.span),
      "answers",
      () => `creating ${marker} meets a conflict`,
    );
    return;
  }
  const { status, body } = outcome.answer;
  if (body.metadata.marker !== marker) {
    // Its external id was in use, so no conversation was created.
    conversation.creation.isRefused = true;
    const other = client.judge.conversation(body, outcome.span);
    expect(
      status === 200 &&
        externalId !== undefined &&
        other.sent.external_id === externalId &&
        other.sent.user_id === userId,
      "answers",
      () => `creating ${marker} answers ${other.marker}`,
    );
    return;
  }
  client.judge.conversation(body, outcome.span);
  client.settle(conversation.creation, outcome);
}

export async function updateConversation(client: Client): Promise<void> {
  const { random } = client;
  const conversation = pickConversation(client);
  if (conversation === null) return;
  // Often an outdated version.
  const version = [...conversation.versions].at(-random.between(1, 2)) ?? 0;
  const isGuarded = version > 0 && random.chance(0.7);
  const title = `title ${client.model.nextMarker()}`;
  const write = new Write(client.step);
  conversation.title.add(title, write);
  const outcome = await client.ask({
    name: "retitle",
    method: "PATCH",
    path: `/v1/conversations/${conversation.id}`,
    body: { title },
    ...(isGuarded ? { ifMatch: `"${version}"` } : {}),
  });
  const isDone = client.settle(write, outcome);
  judgeAbsence(client, conversation, outcome.answer, outcome.span);
  if (outcome.answer === null || !isDone) return;
  expect(outcome.answer.body.title === title, "verbatim", () => `${conversation.id} is not retitled`);
  const now = Number(/\d+/.exec(outcome.answer.headers.get("etag") ?? "")?.[0]);
  expect(!conversation.versions.has(now), "versions", () => `${conversation.id} is given ${now} twice`);
  expect(!isGuarded || now === version + 1, "versions", () => `${conversation.id}: ${version} to ${now}`);
  conversation.versions.add(now);
}

/** Resolves to the chosen conversation, whatever the outcome. */
export async function deleteConversation(client: Client): Promise<ConversationModel | null> {
  const conversation = pickConversation(client);
  if (conversation === null) return null;
  const write = new Write(client.step);
  conversation.deletions.push(write);
  const outcome = await client.ask({
    name: "delete conversation",
    method: "DELETE",
    path: `/v1/conversations/${conversation.id}${chooseForget(client, write) ? "?forget=true" : ""}`,
  });
  const isDone = client.settle(write, outcome);
  judgeAbsence(client, conversation, outcome.answer, outcome.span);
  if (isDone) keepReceipt(client, "delete_conversation", conversation.id ?? "", outcome.answer?.body);
  return conversation;
}

/** Deletes by filter: by metadata that only one conversation and its forks have. */
export async function deleteConversations(client: Client): Promise<void> {
  const { organization, random } = client;
  const conversation = pickConversation(client);
  if (conversation === null) return;
  const { marker } = conversation.sent.metadata;
  const write = new Write(client.step);
  const covers = (other: ConversationModel) => other.sent.metadata.marker === marker;
  const wipe = { write, covers, counted: Number.POSITIVE_INFINITY };
  organization.conversationWipes.push(wipe);
  const outcome = await client.ask({
    name: "delete by filter",
    method: "POST",
    path: "/v1/conversations/delete",
    body: { filter: { metadata: { marker } }, forget: chooseForget(client, write) },
    once: random.chance(0.8),
  });
  if (!client.settle(write, outcome)) return;
  wipe.counted = client.step;
  const receipt = outcome.answer?.body;
  // The rest is soft-deleted in steps, unless a client cancels the operation.
  const skips = maySkip(client, write, receipt);
  if (mayHideMore(receipt) || skips) write.done = Number.POSITIVE_INFINITY;
  const found = organization.conversations.filter(
    (other) =>
      covers(other) &&
      !skips &&
      other.creation.done <= write.sent &&
      // A conversation that another deletion covers may be gone already.
      [...other.deletions, ...other.hazards].every(({ isRefused }) => isRefused) &&
      organization.conversationWipes.every(
        (another) => another === wipe || another.write.isRefused || !another.covers(other),
      ),
  );
  expect(
    receipt.progress.total === null || receipt.progress.total >= found.length,
    "receipts",
    () => `deleting ${found.length} conversations is receipted as ${JSON.stringify(receipt)}`,
  );
  const foundIds = found.flatMap(({ id }) => id ?? []);
  keepReceipt(client, "delete_conversations", organization.id, receipt, foundIds);
}

export function keepReceipt(
  { model, organization }: Client,
  type: ReceiptType,
  targetId: string,
  operation: { id: string; type: string; target_id: string },
  foundIds: string[] = [],
): void {
  expect(
    operation.type === type && operation.target_id === targetId,
    "receipts",
    () => `${targetId} is receipted as ${JSON.stringify(operation)}`,
  );
  model.receipts.push({ organization, operationId: operation.id, type, targetId, foundIds });
}

/** A 404 requires a possible deletion, and any other response a possible presence. */
export function judgeAbsence(
  client: Client,
  conversation: ConversationModel,
  answer: Answer | null,
  span: Span,
): void {
  // A repeat replays the first response, whatever has changed since.
  if (answer === null || answer.headers.has("idempotent-replayed")) return;
  if (answer.status === 404) {
    expect(!mustShow(conversation, span), "durable", () => `${conversation.id} is answered as absent`);
    noteMissed(conversation, span);
  } else if (answer.status < 300) {
    expect(
      mayShow(conversation, span) && conversation.organization === client.organization,
      "deleted",
      () => `${conversation.id} takes a request`,
    );
  }
}
