import assert from "node:assert/strict";
import type { AppendMessagesBody, CreateMemoryBody } from "@engram/sdk";
import { HOSTILE, HOSTILE_NAMES } from "./hostile.ts";
import type { Site } from "./pages.ts";

/** Messages of the long conversation. */
export const LONG = 10_000;
const ROLES = ["user", "assistant", "system", "tool"] as const;

/** Ids of what is stored. */
export interface Seeded {
  hostile: string;
  long: string;
  memory: string;
  operation: string;
  entity: string;
  recall: string;
}

/** A name for the place `i`. Each is used in several fields. */
const name = (i: number): string => HOSTILE_NAMES[i % HOSTILE_NAMES.length] ?? "";
/** A text for metadata, which has at most 16,384 bytes. */
const text = (i: number): string => HOSTILE[i % HOSTILE.length]?.slice(0, 2_000) ?? "";

/** Stores conversations and memories with hostile strings in every field, and a long conversation. */
export async function seed({ client }: Site, key: string): Promise<Seeded> {
  const engram = client(key);
  const { conversations, messages, memories, users, keys, members, entities } = engram;
  const appendAll = async (id: string, all: AppendMessagesBody["messages"], atOnce: number) => {
    for (let i = 0; i < all.length; i += atOnce)
      await messages.append(id, { messages: all.slice(i, i + atOnce) });
  };
  const hostile = await conversations.create({
    ...{ title: name(3), user_id: name(0), agent_id: name(1), external_id: name(2) },
    ...{ tags: [name(4), name(5)], metadata: { text: text(6) } },
  });
  const said = HOSTILE.map((content, i) => ({
    ...{ role: ROLES[i % 4] ?? "user", content, name: name(i), metadata: { i, text: text(i + 1) } },
    ...(i % 4 === 3 && { tool_call_id: name(i + 1), tool_name: name(i + 2) }),
    parts: [{ type: "text", text: text(i + 2) }],
  }));
  await appendAll(hostile.id, said, 50);
  for (let i = 0; i < 30; i++)
    await conversations.create({
      ...{ title: name(i), user_id: name(i), agent_id: name(i + 7), tags: [name(i + 9)] },
    });
  const remembered: CreateMemoryBody[] = HOSTILE.map((content, i) => ({
    ...{ content: `${i} ${content}`, user_id: name(i), source: name(i + 1), tags: [name(i + 2)] },
    metadata: { text: text(i) },
  }));
  for (let i = 0; i < remembered.length; i += 50)
    await memories.createMany({ memories: remembered.slice(i, i + 50) });
  const long = await conversations.create({
    ...{ title: "Support, order 1029", user_id: "user_4711", agent_id: "support", tags: ["billing", "vip"] },
  });
  const lines = Array.from({ length: LONG }, (_, i) => ({
    role: i % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: `Message ${i + 1}. ${"Where is the refund for order 1029? ".repeat(1 + (i % 7))}`,
  }));
  await appendAll(long.id, lines, 1_000);
  const doomed = await memories.create({ content: "Soon deleted." });
  const operation = await memories.delete(doomed.id, { forget: true });
  await memories.create({ content: "Of a user who leaves.", user_id: name(12) });
  await users.delete(name(12));
  for (let i = 0; i < 3; i++)
    await keys.create({ name: name(i), scopes: ["read", "search"], user_id: name(i + 1) });
  for (let i = 0; i < 3; i++)
    await members.create({ name: name(i), role: "reader", agent_id: name(i + 1), user_id: name(i + 2) });
  await appendAll(hostile.id, [{ role: "user", content: "x".repeat(1_000_000) }], 1);
  const [memory] = (await memories.list({ limit: 1 }).page()).items;
  const [entity] = (await entities.list({ limit: 1 }).page()).items;
  assert.ok(memory && entity, "the items are listed");
  const { recall_id } = await engram.search({
    ...{ query: `refund ${name(7)}`, in: ["conversations", "memories"], limit: 50 },
    record: { run_id: name(8), metadata: { text: text(9) } },
  });
  assert.ok(recall_id, "the search is recorded");
  const { id } = await engram.evaluations.create({ from_recall: recall_id, expected: [memory.id] });
  await engram.evaluations.run(id);
  return {
    ...{ hostile: hostile.id, long: long.id, memory: memory.id },
    ...{ operation: operation.id, entity: entity.id, recall: recall_id },
  };
}
