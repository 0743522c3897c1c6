import { mayHideMore } from "../model/deletion-receipts.ts";
import { isExempt, isSameOwner } from "../model/memory-judge.ts";
import type { MemoryModel, SentMemory } from "../model/model.ts";
import { isLanded, mayHold, mayShowMemory, mustShowMemory, mustShowMessage } from "../model/presence.ts";
import { noteMissed } from "../model/restorations.ts";
import { isOf } from "../model/sharing.ts";
import { type Span, Write } from "../model/write.ts";
import { GIVEN_TAG } from "../ports/text-model.ts";
import { expect } from "../violation.ts";
import type { Answer } from "../world.ts";
import { AGENT, type Client, type Outcome, USERS } from "./client.ts";
import { keepReceipt } from "./conversations.ts";
import { isHeld, maySkip } from "./holds.ts";
import { cancel } from "./operations.ts";
import { randomNote } from "./texts.ts";
import { chooseForget, isForgotten } from "./tombstones.ts";

/** Days before the run, so that a memory that supersedes another one holds. */
const FIRST_DAY_MS = Date.parse("2025-01-01T00:00:00Z");
const DAY_MS = 86_400_000;
/** Upper bound on a client's checks whether its deletion is complete. */
const WIPE_LOOKS = 5;

/** A memory whose id is known; occasionally the one deleted last. */
export function pickMemory(client: Client): MemoryModel | null {
  const { organization, random, step } = client;
  const named = organization.memories.filter(
    (memory) => memory.id !== null && isLanded(memory, step) && isOf(client, memory),
  );
  const isLive = (memory: MemoryModel) =>
    memory.deletions.length === 0 && mayShowMemory(memory, { begin: step, end: step });
  const live = named.filter(isLive);
  if (live.length === 0 || random.chance(0.1)) return named.findLast((memory) => !isLive(memory)) ?? null;
  // Favors the newest memories.
  const newest = random.chance(0.6) ? live.slice(-3) : live;
  return newest[random.between(0, newest.length - 1)] ?? null;
}

/** New content, or content that this or another organization has captured before. */
function compose(client: Client): SentMemory {
  const { random } = client;
  const marker = client.model.nextMarker();
  const before = random.chance(0.4) ? pickBefore(client) : undefined;
  const isOfSame = before !== undefined && random.chance(0.8);
  const isOfAgent =
    client.agentId !== undefined || (isOfSame ? before.sent.agent_id !== undefined : random.chance(0.3));
  const anyUser = isOfSame ? before.sent.user_id : random.chance(0.3) ? random.pick(USERS) : undefined;
  const userId = client.userId ?? anyUser;
  return {
    content: before === undefined ? randomNote(random, marker) : latestContent(before),
    metadata: { marker },
    ...(isOfAgent ? { agent_id: AGENT } : {}),
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(userId === undefined && client.agentId === undefined && random.chance(0.2) ? { shared: true } : {}),
    ...(random.chance(0.1) ? { kind: "summary" as const } : {}),
    ...(random.chance(0.2) ? { source: "slack" } : {}),
    ...(random.chance(0.4) ? { tags: tagsOf(marker) } : {}),
    ...(random.chance(0.3) ? { summary: `summary ${marker}` } : {}),
    ...(random.chance(0.1) ? { created_at: "2024-02-29T23:59:59.999Z" } : {}),
    ...(marker % 3 === 0 ? { sources: citable(client, marker, userId) } : {}),
  };
}

/** A quotation has at most this number of characters. */
const QUOTED_CHARACTERS = 12;

/** The newest message that a memory of the user can cite, whole or with its first characters. */
function citable(
  { organization, agentId, userId: boundUserId, step }: Client,
  marker: number,
  userId: string | undefined,
) {
  const message = organization.conversations
    .filter(
      (one) =>
        isLanded(one, step) &&
        one.origin === null &&
        one.deletions.length === 0 &&
        agentId === undefined &&
        (one.sent.user_id === userId || (one.sent.user_id === undefined && boundUserId === undefined)),
    )
    .flatMap(({ messages }) => messages)
    .findLast(
      ({ id, sequence, sent, deletions }) =>
        // With an external id, it can be stored again under another id.
        id !== null && sequence !== null && sent.external_id === undefined && deletions.length === 0,
    );
  if (message?.id == null) return [];
  const text = message.content.writes.at(-1)?.value ?? "";
  const quote = Array.from(text).slice(0, QUOTED_CHARACTERS).join("");
  return [{ message_id: message.id, ...(marker % 2 === 0 && quote !== "" ? { quote } : {}) }];
}

/** A source is refused only if its message may be deleted, or may have another content. */
function judgeSources({ organization }: Client, sent: SentMemory[], { answer, span }: Outcome): void {
  if (answer?.status !== 400) return;
  const messages = organization.conversations.flatMap(({ messages: all }) => all);
  const cited = sent.flatMap(({ sources = [] }) => sources);
  const mayBeRefused = cited.some(({ message_id, quote = "" }) => {
    const message = messages.find(({ id }) => id === message_id);
    return (
      message === undefined ||
      !mustShowMessage(message, span) ||
      message.content.possible(span).some((content) => !content.includes(quote))
    );
  });
  expect(
    mayBeRefused,
    "sources",
    () => `${JSON.stringify(cited)} is refused: ${JSON.stringify(answer.body)}`,
  );
}

/** One of the last captured memories, mostly of this organization. */
function pickBefore({ model, organization, random }: Client): MemoryModel | undefined {
  const all = random.chance(0.25) ? [...model.memories.values()] : organization.memories;
  const last = all.slice(-6);
  return last[random.between(0, Math.max(0, last.length - 1))];
}

/** The request body. The agent or user that the key is bound to is sometimes left out. */
function toBody({ agentId, userId, random }: Client, { agent_id, user_id, ...sent }: SentMemory): object {
  const namesAgent = agent_id !== undefined && (agentId === undefined || random.chance(0.5));
  const namesUser = user_id !== undefined && (userId === undefined || random.chance(0.5));
  return { ...sent, ...(namesAgent ? { agent_id } : {}), ...(namesUser ? { user_id } : {}) };
}

const tagsOf = (marker: number): string[] => [`${GIVEN_TAG}${marker}`, "note"];

export const latestContent = ({ content, sent }: MemoryModel): string =>
  content.writes.at(-1)?.value ?? sent.content;

/** Captures a memory, and sometimes updates it before the text model has read it. */
export async function captureMemory(client: Client): Promise<void> {
  const { model, organization, random } = client;
  const sent = compose(client);
  const memory = model.addMemory(organization, sent, client.step);
  const isAwaited = random.chance(0.1);
  const outcome = await client.ask({
    name: "capture",
    method: "POST",
    path: "/v1/memories",
    body: { ...toBody(client, sent), ...(isAwaited ? { wait: "indexed" } : {}) },
    once: random.chance(0.7),
    expected: 400,
  });
  judgeCapture(client, sent, outcome, isAwaited);
  judgeSources(client, [sent], outcome);
  const { answer, span } = outcome;
  if (answer === null || answer.status >= 300) {
    client.settle(memory.creation, outcome);
    return;
  }
  const shown = client.memoryJudge.memory(answer.body, span);
  const isReplayed = answer.headers.has("idempotent-replayed");
  expect(
    answer.status === (shown === memory ? 201 : 200) &&
      isSameOwner(shown, memory) &&
      !isExempt(shown) &&
      (isReplayed || answer.body.content === sent.content),
    "once",
    () => `capturing ${memory.marker} answers ${answer.status} ${JSON.stringify(answer.body)}`,
  );
  // If its content already existed, no memory was created.
  if (shown === memory) client.settle(memory.creation, outcome);
  else memory.creation.isRefused = true;
  if (!isReplayed) client.memoryJudge.soleHolder(shown, sent.content, span);
  if (random.chance(0.2)) await updateMemory(client, shown);
}

/** Creates a memory under an external id, with which it may have the content of other memories. */
export async function putMemory(client: Client): Promise<void> {
  const { model, organization, random } = client;
  const composed = compose(client);
  const sent = { ...composed, external_id: `note-${composed.metadata.marker}` };
  const memory = model.addMemory(organization, sent, client.step);
  const isAwaited = random.chance(0.1);
  const outcome = await client.ask({
    name: "put",
    method: "PUT",
    path: "/v1/memories",
    body: { ...toBody(client, sent), ...(isAwaited ? { wait: "indexed" } : {}) },
    expected: 400,
  });
  judgeCapture(client, sent, outcome, isAwaited);
  judgeSources(client, [sent], outcome);
  const { answer, span } = outcome;
  client.settle(memory.creation, outcome);
  if (answer === null || answer.status >= 300) return;
  const shown = client.memoryJudge.memory(answer.body, span);
  expect(
    answer.status === 201 && shown === memory && answer.body.content === sent.content,
    "once",
    () => `putting ${memory.marker} answers ${answer.status} ${JSON.stringify(answer.body)}`,
  );
}

/** Captures a memory that supersedes another one of its agent and user. */
export async function supersedeMemory(client: Client): Promise<void> {
  const { model, organization, random } = client;
  const old = pickMemory(client);
  if (old === null || old.id === null) return;
  const marker = model.nextMarker();
  const { agent_id, user_id } = old.sent;
  const sent: SentMemory = {
    content: randomNote(random, marker),
    metadata: { marker },
    ...(agent_id === undefined ? {} : { agent_id }),
    ...(user_id === undefined ? {} : { user_id }),
    ...(random.chance(0.3) ? { tags: tagsOf(marker) } : {}),
    supersedes: old.id,
    valid_from: new Date(FIRST_DAY_MS + random.between(0, 300) * DAY_MS).toISOString(),
  };
  const memory = model.addMemory(organization, sent, client.step);
  old.successor.add(memory, memory.creation);
  const outcome = await client.ask({
    name: "supersede",
    method: "POST",
    path: "/v1/memories",
    body: toBody(client, sent),
    once: random.chance(0.7),
  });
  const { answer, isRepeated, span } = outcome;
  if (!client.settle(memory.creation, outcome)) {
    // A repeat may also find that the new memory was deleted, and a first attempt may have ended the old one.
    if (answer?.status === 404 && !isRepeated) judgeMemoryAbsence(old, answer, span);
    if (answer?.status !== 409 || isHeld(answer) || isForgotten(client, user_id, answer, span)) return;
    const holder = organization.memories.find(
      (other) => other !== memory && isSameOwner(other, memory) && mayHold(other, sent.content, span),
    );
    expect(holder !== undefined, "answers", () => `no memory has what ${memory.marker} is refused`);
    return;
  }
  expect(
    client.memoryJudge.memory(answer?.body, span) === memory,
    "once",
    () => `superseding ${old.id} answers ${JSON.stringify(answer?.body)}`,
  );
}

/** Captures several memories in one request, sometimes with a duplicate. */
export async function captureMemories(client: Client): Promise<void> {
  const { model, organization, random } = client;
  const count = random.between(1, random.pick([4, 4, 4, 30]));
  const sent = Array.from({ length: count }, () => compose(client));
  if (random.chance(0.5)) {
    const marker = model.nextMarker();
    sent.push({ ...random.pick(sent), metadata: { marker } });
  }
  const captured = sent.map((one) => model.addMemory(organization, one, client.step));
  const outcome = await client.ask({
    name: "capture many",
    method: "POST",
    path: "/v1/memories/bulk",
    body: { memories: sent.map((one) => toBody(client, one)) },
    once: random.chance(0.7),
    expected: 400,
  });
  judgeCapture(client, null, outcome, false);
  judgeSources(client, sent, outcome);
  const { answer, span } = outcome;
  if (answer === null || answer.status >= 300) {
    for (const { creation } of captured) client.settle(creation, outcome);
    return;
  }
  const items: { id: string; created: boolean; skipped?: string }[] = answer.body.items;
  const isReplayed = answer.headers.has("idempotent-replayed");
  expect(items.length === captured.length, "once", () => `${captured.length} captured as ${items.length}`);
  const holders = new Map<string, string>();
  for (const [i, memory] of captured.entries()) {
    const { id, created, skipped } = items[i] ?? { id: "", created: false };
    const { agent_id, user_id, content } = memory.sent;
    const identity = JSON.stringify([agent_id, user_id, content]);
    const first = holders.get(identity);
    holders.set(identity, id);
    expect(
      first === undefined || (first === id && !created),
      "once",
      () => `content that a request repeats is captured as ${first} and ${id}`,
    );
    if (created) {
      expect(
        memory.id === null || memory.id === id,
        "durable",
        () => `${memory.id} is acknowledged as ${id}`,
      );
      memory.id = id;
      client.settle(memory.creation, outcome);
      if (!isReplayed) client.memoryJudge.soleHolder(memory, content, span);
      continue;
    }
    memory.creation.isRefused = true;
    if (skipped !== undefined) {
      const refusal = { ...answer, status: 409, body: { code: skipped } };
      expect(
        id === null && isForgotten(client, memory.sent.user_id, refusal, span),
        "answers",
        () => `${memory.marker} is skipped as ${skipped}`,
      );
      continue;
    }
    const holder = organization.memories.find((other) => other.id === id);
    const mayBe =
      holder === undefined ||
      (isSameOwner(holder, memory) && !isExempt(holder) && (isReplayed || mayHold(holder, content, span)));
    expect(mayBe, "once", () => `capturing ${memory.marker} answers ${id}, which holds something else`);
  }
}

/**
 * A capture succeeds, whatever the models do, unless a tombstone refuses it. Only a repeat may find that its memory was
 * deleted.
 *
 * @param sent null for several memories, which are refused one by one.
 */
function judgeCapture(
  client: Client,
  sent: SentMemory | null,
  { answer, isRepeated, span }: Outcome,
  isAwaited: boolean,
): void {
  if (answer === null) return;
  const isRefused = sent !== null && isForgotten(client, sent.user_id, answer, span);
  expect(isRefused || answer.status !== 409, "answers", () => "a capture meets a conflict");
  expect(answer.status !== 404 || isRepeated, "answers", () => "a capture is answered as absent");
  expect(isAwaited || !answer.hasCalledModel, "available", () => "a capture waits for a model");
}

export async function updateMemory(
  client: Client,
  memory: MemoryModel | null = pickMemory(client),
): Promise<void> {
  const { model, random } = client;
  if (memory === null) return;
  const marker = model.nextMarker();
  const what = random.weigh({ content: 4, tags: 2, summary: 2, all: 1 });
  const before = random.chance(0.3) ? pickBefore(client) : undefined;
  const content = before === undefined ? randomNote(random, marker) : latestContent(before);
  const tags = random.chance(0.2) ? [] : tagsOf(memory.marker).toReversed();
  const body: { content?: string; tags?: string[]; summary?: string | null } = {
    ...(what === "content" || what === "all" ? { content } : {}),
    ...(what === "tags" || what === "all" ? { tags } : {}),
    ...(what === "summary" || what === "all" ? { summary: random.pick([null, `summary ${marker}`]) } : {}),
  };
  const isGuarded = memory.version > 0 && random.chance(0.3);
  const write = new Write(client.step);
  if (body.content !== undefined) memory.content.add(body.content, write);
  if (body.tags !== undefined) memory.tags.add(body.tags, write);
  if (body.summary !== undefined) memory.summary.add(body.summary, write);
  const outcome = await client.ask({
    name: "update memory",
    method: "PATCH",
    path: `/v1/memories/${memory.id}`,
    body,
    ...(isGuarded ? { ifMatch: `"${memory.version}"` } : {}),
  });
  const { answer, span } = outcome;
  const isDone = client.settle(write, outcome);
  judgeMemoryAbsence(memory, answer, span);
  if (answer?.status === 409 && !isHeld(answer) && !isForgotten(client, memory.sent.user_id, answer, span)) {
    const holder = client.organization.memories.find(
      (other) =>
        other !== memory && isSameOwner(other, memory) && !isExempt(other) && mayHold(other, content, span),
    );
    expect(holder !== undefined, "answers", () => `no memory has what ${memory.id} is refused`);
  }
  if (answer === null || !isDone) return;
  const shown = client.memoryJudge.memory(answer.body, span);
  expect(
    shown === memory && Object.entries(body).every(([name, value]) => same(answer.body[name], value)),
    "verbatim",
    () => `${memory.id} is updated with ${JSON.stringify(body)} to ${JSON.stringify(answer.body)}`,
  );
  if (body.content !== undefined) client.memoryJudge.soleHolder(memory, body.content, span);
  const now = noteVersion(memory, answer);
  expect(!memory.versions.has(now), "versions", () => `${memory.id} is given ${now} twice`);
  memory.versions.add(now);
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export function noteVersion(memory: MemoryModel, { headers }: Answer): number {
  memory.version = Number(/\d+/.exec(headers.get("etag") ?? "")?.[0]);
  return memory.version;
}

/** Resolves to the chosen memory, whatever the outcome. */
export async function deleteMemory(
  client: Client,
  memory: MemoryModel | null = pickMemory(client),
): Promise<MemoryModel | null> {
  if (memory === null) return null;
  const write = new Write(client.step);
  memory.deletions.push(write);
  const path = `/v1/memories/${memory.id}${chooseForget(client, write) ? "?forget=true" : ""}`;
  const outcome = await client.ask({ name: "delete memory", method: "DELETE", path });
  const isDone = client.settle(write, outcome);
  judgeMemoryAbsence(memory, outcome.answer, outcome.span);
  if (isDone) keepReceipt(client, "delete_memory", memory.id ?? "", outcome.answer?.body);
  return memory;
}

/** Deletes by filter: by metadata that only one memory has. */
export async function deleteMemories(client: Client): Promise<void> {
  const memory = pickMemory(client);
  if (memory === null) return;
  const write = new Write(client.step);
  memory.deletions.push(write);
  const outcome = await askDeletion(client, {
    filter: { metadata: { marker: memory.marker } },
    forget: chooseForget(client, write),
  });
  if (!client.settle(write, outcome)) return;
  const receipt = outcome.answer?.body;
  if (mayHideMore(receipt) || maySkip(client, write, receipt)) write.done = Number.POSITIVE_INFINITY;
  // If the filter found nothing, another deletion covers the memory.
  const isFound = receipt.progress.total === 1 && !maySkip(client, write, receipt);
  const found = isFound && memory.id !== null ? [memory.id] : [];
  keepReceipt(client, "delete_memories", client.organization.id, receipt, found);
}

/** Deletes all memories of an agent or user, or all of the organization. */
export async function wipeMemories(client: Client): Promise<void> {
  const { organization, random } = client;
  const isBound = client.agentId !== undefined || client.userId !== undefined;
  const isAll = isBound || random.chance(0.5);
  const owner = isAll ? client : { agentId: AGENT };
  const write = new Write(client.step);
  const covers = (memory: MemoryModel) => isOf(owner, memory);
  const wipe = { write, covers, counted: Number.POSITIVE_INFINITY };
  organization.memoryWipes.push(wipe);
  const forget = chooseForget(client, write);
  const body = isAll ? { all: true, forget } : { filter: { agent_id: AGENT }, forget };
  const outcome = await askDeletion(client, body);
  if (!client.settle(write, outcome)) return;
  wipe.counted = client.step;
  const receipt = outcome.answer?.body;
  // The rest is soft-deleted in steps, unless a client cancels the operation.
  const skips = maySkip(client, write, receipt);
  if (mayHideMore(receipt) || skips) write.done = Number.POSITIVE_INFINITY;
  const found = organization.memories.filter(
    (memory) =>
      covers(memory) &&
      !skips &&
      memory.creation.done <= write.sent &&
      isLanded(memory, write.sent) &&
      // A memory that another deletion covers may be gone already.
      [...memory.deletions, ...memory.hazards].every(({ isRefused }) => isRefused) &&
      organization.memoryWipes.every((other) => other === wipe || other.write.isRefused),
  );
  expect(
    receipt.progress.total === null || receipt.progress.total >= found.length,
    "receipts",
    () => `deleting ${found.length} memories is receipted as ${JSON.stringify(receipt)}`,
  );
  const foundIds = found.flatMap(({ id }) => id ?? []);
  keepReceipt(client, "delete_memories", organization.id, receipt, foundIds);
  if (receipt.status !== "running" || write.done !== Number.POSITIVE_INFINITY) return;
  if (random.chance(0.8)) await cancel(client, { type: "delete_memories", operationId: receipt.id });
  else await watchWipe(client, receipt.id, write);
}

/** Polls a deletion, and records when it has soft-deleted everything it found. */
async function watchWipe(client: Client, operationId: string, write: Write): Promise<void> {
  for (let looks = 0; looks < WIPE_LOOKS; looks++) {
    await client.world.clock.sleep(client.random.between(1_000, 20_000));
    const path = `/v1/operations/${operationId}`;
    const { answer } = await client.ask({ name: "look at the wipe", method: "GET", path });
    if (answer?.status !== 200) continue;
    const { status, progress } = answer.body;
    if (status === "canceled") return;
    if (progress.total === null || progress.done < progress.total) continue;
    if (maySkip(client, write, answer.body)) return;
    write.done = client.step;
    return;
  }
}

const askDeletion = (client: Client, body: unknown): Promise<Outcome> =>
  client.ask({
    name: "delete memories",
    method: "POST",
    path: "/v1/memories/delete",
    body,
    once: client.random.chance(0.8),
  });

/** Enriches all memories again, as an operator does after an outage. */
export async function enrichMemories(client: Client): Promise<void> {
  const { answer } = await client.ask({
    name: "enrich",
    method: "POST",
    path: "/v1/memories/enrich",
    body: {},
    once: true,
  });
  if (answer?.status !== 202) return;
  const type = "enrich_memories";
  keepReceipt(client, type, client.organization.id, answer.body);
  if (!client.isClear && client.random.chance(0.5))
    await cancel(client, { type, operationId: answer.body.id });
}

/** A 404 requires a possible deletion, and any other response a possible presence. */
export function judgeMemoryAbsence(memory: MemoryModel, answer: Answer | null, span: Span): void {
  if (answer?.status === 404) {
    expect(!mustShowMemory(memory, span), "durable", () => `${memory.id} is answered as absent`);
    noteMissed(memory, span);
  } else if (answer !== null && answer.status < 300) {
    expect(mayShowMemory(memory, span), "deleted", () => `${memory.id} takes a request`);
  }
}
