import * as contracts from "@engram/spec";
import { afterAll, describe, expect, test } from "vitest";
import { type Caller, createKey, createOrganization } from "../support/client.ts";
import { expectEveryStatusRead } from "../support/contract.ts";
import { databaseWith } from "../support/deletions.ts";
import { env } from "../support/env.ts";
import { exportOnce } from "../support/exports.ts";
import { conversation, message, nothing, send as sendLines } from "../support/imports.ts";
import { open, Service } from "../support/invocations.ts";
import { expectBodyRefusals, expectKeyRefusals } from "../support/refusals.ts";

const DAY_MS = 24 * 3_600_000;

/** An import that was begun, and its parts. */
async function begin(caller: Caller, body: object = {}) {
  const { id } = await caller.call(contracts.beginImport, { body });
  const query = (after: number, more: Record<string, string>) => ({
    query: { operation_id: id, after_line: String(after), ...more },
  });
  return {
    id,
    get: () => caller.call(contracts.getOperation, { params: { operation_id: id } }),
    cancel: () => caller.call(contracts.cancelOperation, { params: { operation_id: id } }),
    send: (after: number, lines: unknown[], more: Record<string, string> = {}) =>
      sendLines(caller, lines, query(after, more).query),
    refuse: async (after: number, lines: unknown[], more: Record<string, string> = {}) => {
      const rawBody = lines.map((line) => JSON.stringify(line)).join("\n");
      return (await caller.fail(contracts.importConversations, { rawBody, ...query(after, more) })).code;
    },
  };
}

describe("begin import", () => {
  const contract = contracts.beginImport;
  afterAll(() => expectEveryStatusRead(contract));

  test("opens an operation that knows how many lines there will be, if that was said", async () => {
    const caller = await createOrganization();
    const unknown = await caller.call(contract, { body: {} });
    expect(unknown).toMatchObject({
      type: "import",
      status: "running",
      target_id: caller.organizationId,
      progress: { done: 0, total: null },
      completed_at: null,
    });
    const known = await caller.call(contract, { body: { lines: 12 } });
    expect(known.progress).toEqual({ done: 0, total: 12 });
    const { items } = await caller.call(contracts.listOperations, { query: { type: "import" } });
    expect(items).toEqual([known, unknown]);
  });

  test("asked for twice under one key is one", async () => {
    const caller = await createOrganization();
    const parts = { body: { lines: 3 }, headers: { "idempotency-key": "import-1" } };
    const first = await caller.call(contract, parts);
    const again = await caller.fetch(contract, parts);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await again.json()).toEqual(first);
    expect((await caller.fail(contract, { ...parts, body: { lines: 4 } })).code).toBe("idempotency_mismatch");
  });

  test("refuses what is not for it", async () => {
    const caller = await createOrganization();
    await expectBodyRefusals(contract, caller);
    await expectKeyRefusals(contract, await createKey(caller, { scopes: ["read", "write", "delete"] }), {
      body: {},
    });
    for (const lines of [-1, 1.5, "3"])
      expect((await caller.fail(contract, { body: { lines } })).code).toBe("validation_failed");
  });
});

describe("an import of many requests", () => {
  const first = [conversation("1"), message("1", 1)];
  const second = [message("1", 2), conversation("2")];

  test("counts its lines and succeeds with the last", async () => {
    const caller = await createOrganization();
    const { get, send } = await begin(caller, { lines: 4 });
    await send(0, first);
    expect(await get()).toMatchObject({ status: "running", progress: { done: 2, total: 4 } });
    expect(await send(2, second, { last: "true" })).toMatchObject({ messages: { created: 1, existing: 0 } });
    expect(await get()).toMatchObject({
      status: "succeeded",
      progress: { done: 4, total: 4 },
      lines_processed: 4,
      completed_at: expect.any(String),
    });
    expect(
      await caller.call(contracts.getOrganization, { params: { organization_id: caller.organizationId } }),
    ).toMatchObject({ conversation_count: 2, message_count: 2 });
  });

  test("counts blank lines and those that are refused, so that a line's number is its place in the file", async () => {
    const { get, send } = await begin(await createOrganization());
    const { problems } = await send(0, ["", conversation("1"), "{", message("1", 1), "", ""]);
    expect(problems.map(({ line, code }) => [line, code])).toEqual([[3, "invalid_json"]]);
    // The last was no line, but the end of the one before.
    expect(await get()).toMatchObject({ progress: { done: 5, total: null } });
    await send(5, [], { last: "true" });
    expect(await get()).toMatchObject({ status: "succeeded", progress: { done: 5, total: 5 } });
  });

  test("takes what it has had again, also once it is complete, and changes nothing", async () => {
    const caller = await createOrganization();
    const { get, send } = await begin(caller);
    await send(0, first);
    await send(2, second, { last: "true" });
    const before = [await get(), await exportOnce(caller)];
    expect(await send(0, first)).toMatchObject({ messages: { created: 0, existing: 1 } });
    expect(await send(2, second, { last: "true" })).toMatchObject({ messages: { created: 0, existing: 1 } });
    expect([await get(), await exportOnce(caller)]).toEqual(before);
  });

  test("of more lines than expected reports how many there are", async () => {
    const { get, send } = await begin(await createOrganization(), { lines: 1 });
    await send(0, first);
    expect(await get()).toMatchObject({ status: "running", progress: { done: 2, total: 2 } });
  });

  test("continues after the lines that an operation has processed, for every caller that has its id", async () => {
    const caller = await createOrganization();
    const lost = await begin(caller);
    await lost.send(0, first);
    const { lines_processed } = (await caller.call(contracts.getOperation, {
      params: { operation_id: lost.id },
    })) as contracts.OperationOf<"import">;
    expect(await lost.send(lines_processed, second, { last: "true" })).toEqual({
      conversations: { created: 1, existing: 0 },
      messages: { created: 1, existing: 0 },
      memories: nothing,
      problems: [],
    });
  });

  test("refuses lines with a gap before them, and stores nothing of them", async () => {
    const caller = await createOrganization();
    const { get, send, refuse } = await begin(caller);
    await send(0, first);
    const before = await exportOnce(caller);
    expect(await refuse(3, second)).toBe("lines_missing");
    expect(await refuse(3, second, { last: "true" })).toBe("lines_missing");
    expect(await get()).toMatchObject({ status: "running", progress: { done: 2 } });
    expect(await exportOnce(caller)).toEqual(before);
  });

  test("reports no missing conversation when the part before is stored at the same time", async () => {
    const caller = await createOrganization();
    const { id, get, send } = await begin(caller);
    let isSent = false;
    const DB = databaseWith("lines_missing", async () => {
      if (isSent) return;
      isSent = true;
      await send(0, first);
    });
    const racing = new Service({ DB: Object.assign(Object.create(env.DB), DB) }).callerOf(caller.secret);
    const query = { operation_id: id, after_line: "2", last: "true" };
    expect(await sendLines(racing, second, query)).toMatchObject({ messages: { created: 1 }, problems: [] });
    expect(await get()).toMatchObject({ status: "succeeded", progress: { done: 4 } });
    expect((await exportOnce(caller)).lines).toHaveLength(4);
  });

  test("rejects lines after its last", async () => {
    const caller = await createOrganization();
    const { send, refuse } = await begin(caller);
    await send(0, first, { last: "true" });
    const before = await exportOnce(caller);
    expect(await refuse(2, second)).toBe("operation_ended");
    expect(await refuse(1, second)).toBe("operation_ended");
    expect(await exportOnce(caller)).toEqual(before);
  });

  test("that is canceled keeps what it has stored and accepts nothing more", async () => {
    const { caller, service } = await open();
    const { get, cancel, send, refuse } = await begin(caller);
    await send(0, first);
    expect(await cancel()).toMatchObject({ status: "canceled", progress: { done: 2, total: null } });
    const before = await exportOnce(caller);
    expect(await refuse(2, second)).toBe("operation_ended");
    // Not even what it has had: some of it may have been deleted meanwhile.
    expect(await refuse(0, first)).toBe("operation_ended");
    expect(await exportOnce(caller)).toEqual(before);
    await service.sweep();
    expect(await get()).toMatchObject({ status: "canceled", completed_at: expect.any(String) });
    expect(await cancel()).toMatchObject({ status: "canceled", progress: { done: 2 } });
  });

  test("that has succeeded cannot be canceled", async () => {
    const caller = await createOrganization();
    const { id, send } = await begin(caller);
    await send(0, first, { last: "true" });
    const { code } = await caller.fail(contracts.cancelOperation, { params: { operation_id: id } });
    expect(code).toBe("not_cancelable");
  });

  test("that stays unfinished is canceled after 7 days", async () => {
    const { caller, service, clock } = await open();
    const { get, send, refuse } = await begin(caller);
    await send(0, first);
    clock.advance(contracts.IMPORT_DAYS_MAX * DAY_MS - 1);
    await service.sweep();
    expect(await get()).toMatchObject({ status: "running" });
    clock.advance(1);
    await service.sweep();
    expect(await get()).toMatchObject({ status: "canceled", progress: { done: 2 } });
    expect(await refuse(2, second)).toBe("operation_ended");
  });

  test("accepts no id of another organization or of another kind of operation", async () => {
    const caller = await createOrganization();
    const other = await createOrganization();
    const { id } = await begin(caller);
    const rawBody = JSON.stringify(conversation("1"));
    const code = async (asking: Caller, operation_id: string) =>
      (await asking.fail(contracts.importConversations, { rawBody, query: { operation_id } })).code;
    expect(await code(other, id)).toBe("not_found");
    expect(await code(caller, "op_00000000000000000000")).toBe("not_found");
    const repair = await caller.call(contracts.repairIndex, { body: {} });
    expect(await code(caller, repair.id)).toBe("not_found");
    expect(await caller.call(contracts.listConversations, {})).toMatchObject({ items: [] });
  });

  test("refuses a place without an operation", async () => {
    const caller = await createOrganization();
    for (const [name, value] of [
      ["after_line", 1],
      ["last", "true"],
    ] as const) {
      const { code, errors } = await caller.fail(contracts.importConversations, {
        rawBody: "",
        query: { [name]: value },
      });
      expect([code, errors?.[0]?.path]).toEqual(["validation_failed", name]);
    }
  });
});
