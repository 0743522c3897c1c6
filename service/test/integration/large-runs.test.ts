import * as contracts from "@engram/spec";
import { expect, test, vi } from "vitest";
import type { AiBinding, EmbeddingInput } from "../../src/platform/ai.ts";
import { createOrganization, seedConversation } from "../support/client.ts";
import { Ledger } from "../support/counting.ts";
import { conversation, message, send } from "../support/imports.ts";
import { Service } from "../support/invocations.ts";
import { promptRuntime, someTurns } from "../support/runtime.ts";

/**
 * Writes in every way that is indexed after the response. Returns how many writes were embedded at the same time.
 * None is completed before `atLeast` have begun.
 */
async function mostAtOnce(ordinaryIndexBytes: number, atLeast: number): Promise<number> {
  const caller = await createOrganization();
  const conversations = await Promise.all(
    [1, 2, 3, 4].map(() => seedConversation(caller, ["first", "second"])),
  );
  const [appended = "", updated = "", replaced = "", forked = ""] = conversations;
  const { id: memory } = await caller.call(contracts.createMemory, {
    body: { content: "before", wait: "indexed" },
  });
  const { items } = await caller.call(contracts.listMessages, { params: { conversation_id: updated } });
  const atOnce = { now: 0, most: 0 };
  const written = Promise.withResolvers<void>();
  const AI: AiBinding = {
    run: async (model, input: EmbeddingInput) => {
      atOnce.now += 1;
      atOnce.most = Math.max(atOnce.most, atOnce.now);
      await written.promise;
      await someTurns();
      atOnce.now -= 1;
      return new Ledger().sameVectors.run(model, input);
    },
  };
  const service = new Service({ AI, ENRICHMENT_MODEL: "" }, promptRuntime, { ordinaryIndexBytes });
  const { call } = service.callerOf(caller.secret);
  const messages = [{ role: "user", content: "The zeppelin lands at noon." }];
  await call(contracts.appendMessages, { params: { conversation_id: appended }, body: { messages } });
  await call(contracts.updateMessage, {
    params: { conversation_id: updated, message_id: items[0]?.id ?? "" },
    body: { content: "changed" },
  });
  await call(contracts.replaceMessages, {
    params: { conversation_id: replaced },
    body: { expected_last_sequence: 2, from_sequence: 2, messages },
  });
  await call(contracts.forkConversation, { params: { conversation_id: forked }, body: {} });
  await call(contracts.createMemories, { body: { memories: [{ content: "one" }, { content: "two" }] } });
  await call(contracts.updateMemory, { params: { memory_id: memory }, body: { content: "after" } });
  await send(service.callerOf(caller.secret), [conversation("1"), message("1", 1)]);
  await vi.waitFor(() => expect(atOnce.most).toBeGreaterThanOrEqual(atLeast), { timeout: 60_000 });
  written.resolve();
  await service.settle();
  const status = await call(contracts.getIndexStatus, {});
  expect(status).toMatchObject({ pending: 0, failed: 0 });
  return atOnce.most;
}

test("an isolate indexes large writes one at a time", async () => {
  expect(await mostAtOnce(1, 1)).toBe(1);
  expect(await mostAtOnce(1_000, 4)).toBeGreaterThan(3);
});
