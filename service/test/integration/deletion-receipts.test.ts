import * as contracts from "@engram/spec";
import { afterEach, describe, expect, test } from "vitest";
import type { AiBinding } from "../../src/platform/ai.ts";
import { createOrganization, operator, seedConversation } from "../support/client.ts";
import { databaseWith, openIndexed } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import {
  Clock,
  Service,
  selectChunks,
  selectRows,
  sweepUntilIdle,
  vectorsOf,
} from "../support/invocations.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

afterEach(async () => {
  await env.CONTROL.clearFaults();
  await env.CONTROL.setVisibilityDelayMs(0);
  await env.CONTROL.flush();
});

/** The embedding model, which responds only when the test lets it. */
function gatedAi() {
  let isAsked = () => {};
  let release = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const AI: AiBinding = {
    run: async (...input) => {
      isAsked();
      await gate;
      return env.AI.run(...input);
    },
  };
  return { AI, asked, release };
}

describe("the receipt of a deletion", () => {
  test("reports each part when it is gone, and vectors only when the store no longer returns them", async () => {
    // Of Vectorize, which shows a change later than a cell.
    const { caller, params, clock, service, operation } = await openIndexed({}, "d1");
    await env.CONTROL.setVisibilityDelayMs(HOUR_MS);
    const opened = await caller.call(contracts.deleteConversation, { params });
    const running = { status: "running", completed_at: null, vectors_deleted_at: null };
    expect(opened).toMatchObject({
      ...running,
      type: "delete_conversation",
      target_id: params.conversation_id,
      rows_deleted_at: null,
      recoverable_until: null,
    });
    clock.advance(60_000);
    await service.sweep();
    const rowsGone = clock.nowMs();
    const iso = (ms: number) => new Date(ms).toISOString();
    const halfway = {
      ...running,
      rows_deleted_at: iso(rowsGone),
      recoverable_until: iso(rowsGone + 30 * DAY_MS),
    };
    expect(await operation(opened.id)).toMatchObject(halfway);
    for (let i = 0; i < 3; i++) {
      clock.advance(60_000);
      await service.sweep();
    }
    expect(await operation(opened.id)).toMatchObject(halfway);
    await env.CONTROL.flush();
    clock.advance(180_000);
    await service.sweep();
    const all = iso(clock.nowMs());
    expect(await operation(opened.id)).toMatchObject({
      ...halfway,
      status: "succeeded",
      completed_at: all,
      vectors_deleted_at: all,
    });
  });

  test("does not report a vector as deleted while its stored version is not visible yet", async () => {
    const { caller, clock, service, operation, organizationId } = await openIndexed();
    await env.CONTROL.setVisibilityDelayMs(HOUR_MS);
    const params = { conversation_id: await seedConversation(caller, ["I will be late."]) };
    const { id } = await caller.call(contracts.deleteConversation, { params });
    await service.sweep();
    clock.advance(65_000);
    await service.sweep();
    expect(await operation(id)).toMatchObject({ vectors_deleted_at: null });
    await env.CONTROL.flush();
    await sweepUntilIdle(service, clock, organizationId);
    expect(await operation(id)).toMatchObject({ status: "succeeded" });
  });

  // Workers have different clocks, and a batch can take long to arrive.
  test.for(["message", "conversation"])(
    "of a %s waits for vectors that a Worker with a later clock has queued",
    async (what) => {
      const { caller, message, params, service, clock, operation, organizationId } = await openIndexed();
      await env.CONTROL.setVisibilityDelayMs(HOUR_MS);
      const { items } = await caller.call(contracts.listMessages, { params });
      await caller.call(contracts.deleteMessage, {
        params: { ...params, message_id: items.at(-1)?.id ?? "" },
      });
      clock.advance(-10_000);
      const { id } =
        what === "message"
          ? await caller.call(contracts.deleteMessage, { params: message })
          : await caller.call(contracts.deleteConversation, { params });
      await service.settle();
      // Leaves only the vectors that the Worker with the later clock has queued.
      await env.DB.prepare("DELETE FROM vector_deletions WHERE organization_id = ?1 AND due_at_ms <= ?2")
        .bind(organizationId, clock.nowMs())
        .run();
      await service.sweep();
      expect(await operation(id)).toMatchObject({ vectors_deleted_at: null });
    },
  );

  test("of a message reports its rows as deleted at once", async () => {
    const { caller, message, idle, operation, clock } = await openIndexed();
    const receipt = await caller.call(contracts.deleteMessage, { params: message });
    expect(receipt).toMatchObject({
      type: "delete_message",
      status: "running",
      rows_deleted_at: new Date(clock.nowMs()).toISOString(),
    });
    await idle();
    expect(await operation(receipt.id)).toMatchObject({ status: "succeeded", target_id: message.message_id });
  });

  test.for([
    ["of a user", "a filter"],
    ["of a user", "id"],
    ["by a filter", "id"],
  ])("%s waits for an item that a deletion by %s marked before it came to it", async ([what, by]) => {
    const { organizationId, secret } = await createOrganization();
    const clock = new Clock();
    const limits = { softDeleteStepConversations: 1 };
    const service = new Service({}, clock, limits);
    const caller = service.callerOf(secret);
    await seedConversation(caller, ["We met at the harbour."], { user_id: "ann" });
    clock.advance(1);
    const second = await seedConversation(caller, ["The zeppelin lands at noon."], { user_id: "ann" });
    await service.settle();
    let steps = 0;
    const DB = databaseWith("conversation_count - count(*)", async () => {
      if (++steps > 1) throw new Error("the Worker is gone");
    });
    const dying = new Service({ DB: Object.assign(Object.create(env.DB), DB) }, clock, limits);
    const filter = { user_id: "ann" };
    const params = { conversation_id: second, user_id: "ann" };
    const opened =
      what === "of a user"
        ? await dying.callerOf(secret).call(contracts.deleteUser, { params })
        : await dying.callerOf(secret).call(contracts.deleteConversations, { body: { filter } });
    const receipt = () =>
      caller.call(contracts.getOperation, { params: { operation_id: "id" in opened ? opened.id : "" } });
    // The first item and its vectors are gone, and the Workers end before they mark the second one.
    for (let i = 0; i < 5; i++) {
      clock.advance(65_000);
      await dying.sweep();
    }
    const left = () =>
      selectRows<{ id: string }>(
        `SELECT id FROM conversations WHERE organization_id = ?1 UNION ALL
         SELECT vector_id FROM vector_deletions WHERE organization_id = ?1`,
        organizationId,
      );
    expect(await left()).toEqual([{ id: second }]);
    if (by === "a filter") await caller.call(contracts.deleteConversations, { body: { filter } });
    else await caller.call(contracts.deleteConversation, { params });
    await new Service({}, clock, { purgeSweepSteps: 0 }).sweep();
    expect(await receipt()).toMatchObject({ rows_deleted_at: null });
    await service.sweep();
    expect(await left()).toHaveLength(1);
    expect(await receipt()).toMatchObject({
      rows_deleted_at: expect.any(String),
      vectors_deleted_at: null,
    });
    await sweepUntilIdle(service, clock, organizationId);
    expect(await receipt()).toMatchObject({ status: "succeeded", vectors_deleted_at: expect.any(String) });
  });

  test("by a filter does not wait for deletions that begin when all its items are marked", async () => {
    const { organizationId, secret } = await createOrganization();
    const clock = new Clock();
    const service = new Service({}, clock);
    const caller = service.callerOf(secret);
    await seedConversation(caller, ["We met at the harbour."], { user_id: "ann" });
    const others: string[] = [];
    for (let i = 0; i < 5; i++) others.push(await seedConversation(caller, ["See you there."]));
    await service.settle();
    const operation = ({ id }: { id: string }) =>
      caller.call(contracts.getOperation, { params: { operation_id: id } });
    const receipt = await caller.call(contracts.deleteUser, { params: { user_id: "ann" } });
    const later: { id: string }[] = [];
    for (const conversation_id of others) {
      later.push(await caller.call(contracts.deleteConversation, { params: { conversation_id } }));
      await service.sweep();
      clock.advance(65_000);
    }
    await service.sweep();
    expect(await operation(receipt)).toMatchObject({ status: "succeeded" });
    expect(await operation(later.at(-1) ?? receipt)).toMatchObject({ status: "running" });
    await sweepUntilIdle(service, clock, organizationId);
  });

  test("of an organization also waits for vectors left over from earlier changes", async () => {
    const { caller, organizationId, message, params, service, clock } = await openIndexed({}, "d1");
    await env.CONTROL.setVisibilityDelayMs(HOUR_MS);
    await caller.call(contracts.deleteMessage, { params: message });
    await service.settle();
    await caller.call(contracts.deleteConversation, { params });
    await service.sweep();
    const { id: operation_id } = await caller.call(contracts.deleteOrganization, {
      params: { organization_id: organizationId },
    });
    const receipt = () => operator.call(contracts.getOperation, { params: { operation_id } });
    for (let i = 0; i < 4; i++) {
      clock.advance(65_000);
      await service.sweep();
    }
    expect(await receipt()).toMatchObject({ status: "running", vectors_deleted_at: null });
    await env.CONTROL.flush();
    await sweepUntilIdle(service, clock, organizationId);
    expect(await receipt()).toMatchObject({ status: "succeeded" });
    expect(await vectorsOf(organizationId)).toEqual([]);
  });
});

describe("an indexing run that overlaps a deletion", () => {
  const appended = ["The password is swordfish.", "Forget that again."];
  const start = async (bindings: ConstructorParameters<typeof Service>[0]) => {
    const opened = await openIndexed();
    const indexing = new Service(bindings, opened.clock);
    const body = { messages: appended.map((content) => ({ role: "user", content })) };
    const { message_ids } = await indexing
      .callerOf(opened.secret)
      .call(contracts.appendMessages, { params: opened.params, body });
    return { ...opened, indexing, secretMessage: { ...opened.params, message_id: message_ids[0] ?? "" } };
  };

  test.for(["message", "conversation", "organization"])("leaves no orphan vector of the %s", async (what) => {
    const { AI, asked, release } = gatedAi();
    const { caller, organizationId, params, secretMessage, indexing, service, idle } = await start({ AI });
    await asked;
    const deletion = {
      message: () => caller.call(contracts.deleteMessage, { params: secretMessage }),
      conversation: () => caller.call(contracts.deleteConversation, { params }),
      organization: () =>
        caller.call(contracts.deleteOrganization, { params: { organization_id: organizationId } }),
    }[what];
    await deletion?.();
    await service.sweep();
    release();
    await indexing.settle();
    await idle();
    const chunks = (await selectChunks(organizationId)).map(({ vector_id }) => vector_id);
    expect(chunks).toHaveLength(what === "message" ? 2 : 0);
    expect(await vectorsOf(organizationId)).toEqual(chunks.toSorted());
  });

  test("does not undo the work of the run that took over its lease", async () => {
    const planning = { before: async () => {} };
    const DB = databaseWith("INSERT INTO conversation_chunks", () => planning.before());
    const { organizationId, clock, service, params, idle, secret } = await openIndexed();
    const slow = new Service({ DB }, clock);
    planning.before = async () => {
      planning.before = async () => {};
      clock.advance(65_000);
      await service.sweep();
    };
    const body = { messages: appended.map((content) => ({ role: "user", content })) };
    await slow.callerOf(secret).call(contracts.appendMessages, { params, body });
    await slow.settle();
    expect((await selectChunks(organizationId)).map(({ is_indexed }) => is_indexed)).toEqual([1, 1]);
    await idle();
    const chunks = await selectChunks(organizationId);
    expect(await vectorsOf(organizationId)).toEqual(chunks.map(({ vector_id }) => vector_id).toSorted());
  });

  test("stores no vector for a message that was deleted after the run read it", async () => {
    const planning = { before: async () => {} };
    const DB = databaseWith("INSERT INTO conversation_chunks", () => planning.before());
    const { secret, organizationId, clock } = await createOrganization().then((o) => ({
      ...o,
      clock: new Clock(),
    }));
    const plain = new Service({}, clock);
    const indexing = new Service({ DB }, clock);
    const id = await seedConversation(plain.callerOf(secret));
    const body = { messages: appended.map((content) => ({ role: "user", content })) };
    let receipt = "";
    planning.before = async () => {
      planning.before = async () => {};
      const { items } = await plain
        .callerOf(secret)
        .call(contracts.listMessages, { params: { conversation_id: id } });
      const params = { conversation_id: id, message_id: items[0]?.id ?? "" };
      receipt = (await plain.callerOf(secret).call(contracts.deleteMessage, { params })).id;
    };
    await indexing.callerOf(secret).call(contracts.appendMessages, { params: { conversation_id: id }, body });
    await indexing.settle();
    expect(receipt).not.toBe("");
    await plain.settle();
    const chunks = await selectChunks(organizationId);
    expect(await vectorsOf(organizationId)).toEqual(chunks.map(({ vector_id }) => vector_id));
    await sweepUntilIdle(plain, clock, organizationId);
    const [chunk] = await selectChunks(organizationId);
    expect(chunk).toMatchObject({ start_sequence: 2, end_sequence: 2 });
    expect(await vectorsOf(organizationId)).toEqual([chunk?.vector_id]);
  });
});
