import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { createOrganization } from "../support/client.ts";
import { conversation, memory, message, send } from "../support/imports.ts";
import { Service } from "../support/invocations.ts";
import { promptRuntime } from "../support/runtime.ts";

const SLICE = 1_000;
const SLICES = 10;
const TEXT = "The walrus sat on the ice and looked at the sea for a long time. "
  .repeat((SLICE * SLICES) / 60)
  .slice(0, SLICE * SLICES);

/** Rare characters without blanks, of which one piece needs the tokenizer's most work. */
const RARE = Array.from({ length: 8_000 }, (_, i) =>
  String.fromCharCode(0x4e00 + 37 * ((i * 7_919) % 500)),
).join("");

/** A service that counts its pauses. */
async function openCounting() {
  const { secret } = await createOrganization();
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    await new Promise((resolve) => setTimeout(resolve));
  };
  const service = new Service({}, { ...promptRuntime, pause }, { sliceCharacters: SLICE });
  /** The number of pauses during some work. */
  const during = async (work: () => Promise<unknown>): Promise<number> => {
    const before = pauses;
    await work();
    return pauses - before;
  };
  return { service, caller: service.callerOf(secret), during };
}

test("long texts are processed with pauses between slices, in requests and in the background", async () => {
  const { service, caller, during } = await openCounting();
  const { id: conversation_id } = await caller.call(contracts.createConversation, { body: {} });
  const params = { conversation_id };
  const messages = [{ role: "user" as const, content: TEXT }];
  const appended = await during(() => caller.call(contracts.appendMessages, { params, body: { messages } }));
  const indexed = await during(() => service.settle());
  const { items } = await caller.call(contracts.listMessages, { params });
  const updated = await during(() =>
    caller.call(contracts.updateMessage, {
      params: { ...params, message_id: items[0]?.id ?? "" },
      body: { content: `Again. ${TEXT}` },
    }),
  );
  await service.settle();
  const forked = await during(() => caller.call(contracts.forkConversation, { params, body: {} }));
  await service.settle();
  const captured = await during(() => caller.call(contracts.createMemory, { body: { content: TEXT } }));
  await service.settle();
  const imported = await during(() =>
    send(caller, [conversation("1"), message("1", 1, { content: TEXT })]).then(() => {}),
  );
  await service.settle();
  const placed = await during(async () => send(caller, [await memory("1", `Placed. ${TEXT}`)]));
  await service.settle();
  const found = { appended, indexed, updated, forked, captured, imported, placed };
  for (const [work, count] of Object.entries(found)) expect([work, count >= SLICES]).toEqual([work, true]);
});

test("long texts are highlighted by a search with pauses between them", async () => {
  const { service, caller, during } = await openCounting();
  const memories = Array.from({ length: SLICES }, (_, i) => ({
    content: `${i} ${TEXT.slice(0, 2 * SLICE)}`,
  }));
  await caller.call(contracts.createMemories, { body: { memories } });
  await service.settle();
  const search = (query: string) => () =>
    caller.call(contracts.searchMemories, { body: { query, mode: "keyword", limit: SLICES } });
  expect(await during(search("walrus"))).toBeGreaterThanOrEqual(SLICES);
  expect(await during(search("unicorn"))).toBe(0);
});

test("tokens of long texts are counted with pauses by contexts, searches and tools", async () => {
  const { service, caller, during } = await openCounting();
  const { id: conversation_id } = await caller.call(contracts.createConversation, { body: {} });
  const messages = [1, 2].map((n) => ({ role: "user" as const, content: `walrus ${n} ${RARE}` }));
  await caller.call(contracts.appendMessages, { params: { conversation_id }, body: { messages } });
  await caller.call(contracts.createMemory, { body: { content: `walrus ${RARE}`, user_id: "ada" } });
  await service.settle();
  const max_tokens = 4_000;
  const found = { query: "walrus", mode: "keyword" as const, max_tokens };
  /** Reads the whole response: the tool runs while it is read. */
  const callTool = async (name: string, args: object) => {
    const response = await service.send("/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${caller.secret}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name, arguments: args },
      }),
    });
    return response.text();
  };
  const works = {
    context: () => caller.call(contracts.getContext, { body: { conversation_id, max_tokens } }),
    contextOfMemories: () =>
      caller.call(contracts.getContext, { body: { query: "walrus", user_id: "ada", max_tokens } }),
    search: () => caller.call(contracts.search, { body: { ...found, limit: 10 } }),
    searchMemories: () => caller.call(contracts.searchMemories, { body: found }),
    getConversation: () => callTool("get_conversation", { conversation_id }),
  };
  const pauses: Record<string, number> = {};
  for (const [work, run] of Object.entries(works)) {
    pauses[work] = await during(run);
    expect([work, (pauses[work] ?? 0) >= SLICES]).toEqual([work, true]);
  }
  // The tools count what they return besides what the API counts.
  const searched = await during(() => callTool("search", { query: "walrus", max_tokens }));
  expect(searched).toBeGreaterThan((pauses.search ?? 0) + SLICES);
});
