import * as contracts from "@engram/spec";
import { scale } from "../../../proof/support/scale.ts";
import { type Caller, createKey, seedConversation } from "./client.ts";
import { fullItem } from "./document.ts";
import { type Clock, Service } from "./invocations.ts";

/** A line of an export, except the last. */
export type Told = Exclude<contracts.ExportLine, { type: "end" }>;

/** One response: its lines, and separately the last line. */
export async function exportOnce(caller: Caller, query: Record<string, string | number> = {}) {
  const lines = await caller.call(contracts.exportData, { query });
  const end = lines.pop();
  if (end?.type !== "end") throw new Error(`ends with ${JSON.stringify(end)}`);
  return { lines: lines as Told[], end };
}

/** The id of a line's item. That of a version is made of its memory and number. */
export const idOf = (line: Told): string =>
  line.type === "memory_version" ? `${line.memory_id} ${line.version}` : line.id;

/** The query that continues an export after a line. */
export const behind = (line: Told | undefined): Record<string, string | number> =>
  line === undefined ? {} : positionOf(line);

function positionOf(line: Told): Record<string, string | number> {
  if (line.type === "message") return { after: line.conversation_id, after_sequence: line.sequence };
  if (line.type === "memory_version") return { after: line.memory_id, after_version: line.version };
  return { after: line.id };
}

/** Everything that the other operations return of an organization, in the order of an export. */
export async function readAll(caller: Caller): Promise<unknown[]> {
  const { items } = await caller.call(contracts.listConversations, { query: { limit: 100 } });
  const all: unknown[] = [];
  for (const conversation of items.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    all.push({ type: "conversation", ...conversation });
    const page = { params: { conversation_id: conversation.id }, query: { limit: 1_000 } };
    const { items: messages } = await caller.call(contracts.listMessages, page);
    all.push(...messages.map((message) => ({ type: "message", ...message })));
  }
  const { items: memories } = await caller.call(contracts.listMemories, { query: { limit: 100 } });
  const byId = memories.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  all.push(...byId.map((memory) => ({ type: "memory", ...memory })));
  for (const { id: memory_id } of byId) {
    const [, ...earlier] = (await caller.call(contracts.listMemoryVersions, { params: { memory_id } })).items;
    all.push(...earlier.map((version) => ({ type: "memory_version", memory_id, ...version })));
  }
  return all;
}

/** Lines without the fields that only an export has, and with the content of each version. */
export function asRead(lines: Told[]): unknown[] {
  const contents = new Map<string, string>();
  return lines.map((line) => {
    const own = { ...line, external_digest: undefined, given: undefined };
    if (line.type === "memory") contents.set(`${line.id} ${line.content_hash}`, line.content);
    if (line.type === "memory")
      return { ...own, version: undefined, key_id: undefined, stored_at: undefined };
    if (line.type !== "memory_version") return own;
    const key = `${line.memory_id} ${line.content_hash}`;
    const content = line.content ?? contents.get(key) ?? "";
    contents.set(key, content);
    return { ...own, content };
  });
}

/** A message with every field of the contract. */
export const FULL_MESSAGE = {
  ...fullItem("NewMessage"),
  content: " \u0000\r\n👩‍👩‍👧 ".repeat(40),
  metadata: { b: [1, null, { c: 0.1 }], a: "\u0000" },
  created_at: "2019-01-02T03:04:05.678+01:00",
};

/**
 * Creates conversations that differ: empty, with gaps, changed, deleted from the end, and with all fields.
 */
export async function seedRich(caller: Caller): Promise<string[]> {
  const ids = [
    await seedConversation(caller, [], { title: "\u0000 empty", tags: ["b", "a"], metadata: { "": null } }),
    await seedConversation(caller, [FULL_MESSAGE, "two", "three", "four"], {
      title: "all",
      external_id: "ticket-1",
      agent_id: "bot",
      user_id: "maria",
    }),
    await seedConversation(caller, ["one", "two"]),
    await seedConversation(caller, ["never exported"]),
    await seedConversation(caller),
    await seedConversation(caller, [{ role: "user", content: "", parts: {} }]),
  ];
  const of = (at: number) => ({ conversation_id: ids[at] ?? "" });
  const messagesOf = async (at: number) =>
    (await caller.call(contracts.listMessages, { params: of(at) })).items;
  const [, second, , fourth] = await messagesOf(1);
  for (const message_id of [second?.id ?? "", fourth?.id ?? ""])
    await caller.call(contracts.deleteMessage, { params: { ...of(1), message_id } });
  const [changed, last] = await messagesOf(2);
  await caller.call(contracts.updateMessage, {
    params: { ...of(2), message_id: changed?.id ?? "" },
    body: { content: "changed", metadata: { by: "hand" } },
  });
  await caller.call(contracts.deleteMessage, { params: { ...of(2), message_id: last?.id ?? "" } });
  await caller.call(contracts.deleteConversation, { params: of(3) });
  return ids;
}

/** Captures six memories that differ, and one that it deletes. @returns The id of the deleted memory. */
export async function seedMemories(service: Service, clock: Clock, secret: string): Promise<string> {
  const caller = service.callerOf(secret);
  // This one has a text model.
  const describing = new Service({}, clock);
  const bound = await createKey(caller, { scopes: ["write"], agent_id: "bot" });
  const capture = (by: Caller, body: object) => {
    // Ids of the same millisecond have no defined order.
    clock.advance(1);
    return by.call(contracts.createMemory, { body });
  };
  await capture(caller, { content: "The ferry leaves at dusk." });
  await capture(service.callerOf(bound.secret), { content: "The ferry leaves at dusk.", tags: [] });
  await capture(caller, { content: "é".repeat(scale(500_000, 50_000)), summary: "" });
  await capture(caller, {
    content: "  # Ünïcødé\r\n\u0000 👩‍👩‍👧\n ".repeat(20),
    kind: "summary",
    source: "slack",
    tags: ["b", "a"],
    summary: "“—”",
    metadata: { b: [1, null, { c: 0.1 }], a: "\u0000", "": null },
    created_at: "2019-01-02T03:04:05.678+01:00",
  });
  const changed = await capture(caller, { content: "before", tags: [], summary: "Before." });
  const params = { memory_id: changed.id };
  await caller.call(contracts.updateMemory, { params, body: { content: "after", summary: null } });
  await capture(describing.callerOf(secret), {
    content: "Refunds go to the card. Maria asked for that.",
    tags: ["mine"],
  });
  await describing.settle();
  const gone = await capture(caller, { content: "never exported" });
  await caller.call(contracts.deleteMemory, { params: { memory_id: gone.id } });
  return gone.id;
}
