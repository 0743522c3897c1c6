import * as contracts from "@engram/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import { type Caller, createOrganization, readPages, seedConversation } from "../support/client.ts";
import * as lines from "../support/imports.ts";

const INTERLEAVINGS = scale(400, 40);
/** A few times, so that many items share one and only their ids order them. */
const MOMENTS = ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.001Z", "2026-01-02T00:00:00.000Z"];

/** A list, with functions that insert an item at a position that the test chooses, and delete it. */
interface Listed {
  contract: (typeof contracts.contracts)[number];
  /** `of` is the value by which the list is filtered: a separate one for each run. */
  query(of: string): Record<string, string>;
  params(of: string): Record<string, string>;
  /** Creates what items refer to. */
  first(of: string): object[];
  line(of: string, nth: number, place: number): Promise<{ id: string }>;
  remove: (typeof contracts.contracts)[number];
  removed(of: string, id: string): Record<string, string>;
}

const conversationOf = (of: string) => lines.conversation(of).id;
const moment = (place: number) => ({ created_at: MOMENTS[place % MOMENTS.length] ?? "" });
const CONVERSATIONS = (order: string, sort: string): Listed => ({
  contract: contracts.listConversations,
  query: (of) => ({ agent_id: of, sort, order }),
  params: () => ({}),
  first: () => [],
  line: async (of, nth, place) =>
    lines.conversation(`${of}n${nth}`, {
      agent_id: of,
      ...moment(place),
      updated_at: moment(place).created_at,
    }),
  remove: contracts.deleteConversation,
  removed: (_, conversation_id) => ({ conversation_id }),
});
const MEMORIES = (order: string): Listed => ({
  contract: contracts.listMemories,
  query: (of) => ({ agent_id: of, order }),
  params: () => ({}),
  first: () => [],
  line: (of, nth, place) => lines.memory(`${of}n${nth}`, `${nth}`, { agent_id: of, ...moment(place) }),
  remove: contracts.deleteMemory,
  removed: (_, memory_id) => ({ memory_id }),
});
const LISTS: Record<string, Listed> = {
  "conversations, newest first": CONVERSATIONS("desc", "created_at"),
  "conversations, oldest first": CONVERSATIONS("asc", "created_at"),
  "conversations, last changed first": CONVERSATIONS("desc", "updated_at"),
  "memories, newest first": MEMORIES("desc"),
  "memories, oldest first": MEMORIES("asc"),
  messages: {
    contract: contracts.listMessages,
    query: () => ({}),
    params: (of) => ({ conversation_id: conversationOf(of) }),
    first: (of) => [lines.conversation(of)],
    // Sequences in any order, as an import may have them.
    line: async (of, nth, place) => lines.message(of, 1 + nth + 1_000 * place),
    remove: contracts.deleteMessage,
    removed: (of, message_id) => ({ conversation_id: conversationOf(of), message_id }),
  },
};

/** A change between two pages: an insertion, or the deletion of an inserted item. */
const meanwhile = fc.oneof(
  fc.record({ put: fc.nat(9) }),
  fc.record({ remove: fc.nat(9) }),
  fc.constant({ nothing: true }),
);
const interleaving = fc.record({
  name: fc.constantFrom(...Object.keys(LISTS)),
  places: fc.array(fc.nat(9), { minLength: 1, maxLength: 7 }),
  limit: fc.integer({ min: 1, max: 3 }),
  between: fc.array(meanwhile, { maxLength: 6 }),
});

test("a list that is read in pages during writes has no gaps or repeats of remaining items", async () => {
  const caller = await createOrganization();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(interleaving, async ({ name, places, limit, between }) => {
      const list = LISTS[name] as Listed;
      const of = `p${count++}x`;
      let made = 0;
      const staying = new Set<string>();
      const met: string[] = [];
      const put = async (puts: number[]) => {
        const put = await Promise.all(puts.map((place) => list.line(of, made++, place)));
        const sent = [...(made === puts.length ? list.first(of) : []), ...put];
        expect((await lines.send(caller, sent)).problems).toEqual([]);
        return put.map(({ id }) => id);
      };
      for (const id of await put(places)) staying.add(id);
      const steps = between.values();
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { items, next_cursor } = await readPage(caller, list, of, { limit, cursor });
        expect(items.length).toBeLessThanOrEqual(limit);
        met.push(...items.map(({ id }) => id));
        cursor = next_cursor;
        const step = steps.next().value ?? { nothing: true };
        if ("put" in step) await put([step.put]);
        if ("remove" in step) {
          const id = [...staying][step.remove % Math.max(staying.size, 1)];
          if (id === undefined) continue;
          await caller.call(list.remove, { params: list.removed(of, id) });
          staying.delete(id);
        }
      }
      expect(met.length).toBe(new Set(met).size);
      expect([...staying].filter((id) => !met.includes(id))).toEqual([]);
    }),
    { numRuns: INTERLEAVINGS },
  );
});

async function readPage(
  caller: Caller,
  list: Listed,
  of: string,
  { limit, cursor }: { limit: number; cursor: string },
): Promise<{ items: { id: string }[]; next_cursor: string | null }> {
  const query = { ...list.query(of), limit, ...(cursor === "" ? {} : { cursor }) };
  return (await caller.call(list.contract, { params: list.params(of), query })) as never;
}

test("a thousand messages with the same time keep their order in lists, pages and around a match", async () => {
  const caller = await createOrganization();
  const conversation_id = await seedConversation(caller);
  const created_at = "2026-01-01T00:00:00.000Z";
  const messages = Array.from({ length: 1_000 }, (_, i) => {
    return { role: "user" as const, content: `Line ${i + 1} of word${i + 1}.`, created_at };
  });
  await caller.call(contracts.appendMessages, { params: { conversation_id }, body: { messages } });
  const pages = await readPages(caller, contracts.listMessages, {
    params: { conversation_id },
    query: { limit: 93 },
  });
  const met = pages.flatMap(({ items }) => items.map(({ sequence }) => sequence));
  expect(met).toEqual(messages.map((_, i) => i + 1));
  for (const sequence of [1, 2, 500, 999, 1_000]) {
    const { results } = await caller.call(contracts.search, {
      body: { query: `word${sequence}`, mode: "keyword", limit: 1, neighbors: { before: 2, after: 2 } },
    });
    const around = [-2, -1, 0, 1, 2].map((by) => sequence + by).filter((n) => n >= 1 && n <= 1_000);
    expect(results[0]?.messages.map((message) => message.sequence)).toEqual(around);
  }
});
