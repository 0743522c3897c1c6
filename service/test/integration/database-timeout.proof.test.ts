import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import { appendText, createOrganization, seedConversation } from "../support/client.ts";
import { readProblem } from "../support/contract.ts";
import { env } from "../support/env.ts";
import { Clock, Service, selectRow } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";
import { promptRuntime } from "../support/runtime.ts";

/** A service with short time limits, whose database can stop responding. */
async function openHanging() {
  const { secret, organizationId } = await createOrganization();
  const database = {
    hangs: (_sql: string) => false,
    /** Whether D1 executes the statements of a call that it does not respond to. */
    executes: false,
  };
  const DB = interceptCalls(env.DB as never, async ({ statements }, send) => {
    if (!statements.some(({ sql }) => database.hangs(sql))) return send();
    if (database.executes) await send();
    return new Promise(() => {});
  }) as unknown as D1Database;
  const limits = { databaseReadMs: 1_000, databaseWriteMs: 1_500 };
  const clock = new Clock();
  const open = (runtime = promptRuntime) => new Service({ DB }, runtime, limits);
  return { database, clock, open, service: open(), secret, organizationId };
}

const MAY_HAVE =
  "The database did not respond in time. The change may have been made. Repeating the request with the same `Idempotency-Key` is safe; without one, first check whether the change was made.";

describe("a database that does not respond", () => {
  test("makes a read fail with 503 and Retry-After", async () => {
    const { database, service, secret } = await openHanging();
    database.hangs = (sql) => /FROM\s+conversations/.test(sql);
    const lines = captureLog();
    const response = await service.fetch(secret, contracts.listConversations);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await readProblem(contracts.listConversations, response)).toMatchObject({
      status: 503,
      code: "unavailable",
      detail: "The database did not respond in time. Nothing was changed; send the request again.",
    });
    expect(lines[0]).toMatchObject({ event: "request failed", error: expect.stringContaining("1000 ms") });
  });

  test("makes the check of the key and the readiness check fail", async () => {
    const { database, service, secret } = await openHanging();
    database.hangs = () => true;
    const listed = await service.fetch(secret, contracts.listKeys);
    expect(await readProblem(contracts.listKeys, listed)).toMatchObject({ code: "unavailable" });
    const ready = await service.fetch(secret, contracts.getReadiness);
    expect(await readProblem(contracts.getReadiness, ready)).toMatchObject({ code: "unavailable" });
  });

  test.for([true, false])(
    "makes a write fail, and its repeat stores the messages once (executed: %s)",
    async (executes) => {
      const { database, service, secret, organizationId } = await openHanging();
      const caller = service.callerOf(secret);
      const conversation_id = await seedConversation(caller);
      const append = {
        params: { conversation_id },
        body: { messages: [{ role: "user", content: "The zeppelin lands at noon." }] },
        headers: { "idempotency-key": "append" },
      };
      Object.assign(database, { executes, hangs: (sql: string) => /INSERT INTO messages\b/.test(sql) });
      const response = await caller.fetch(contracts.appendMessages, append);
      expect(response.headers.get("retry-after")).toBe("5");
      expect(await readProblem(contracts.appendMessages, response)).toMatchObject({
        status: 503,
        code: "unavailable",
        detail: MAY_HAVE,
      });
      database.hangs = () => false;
      const repeated = await caller.fetch(contracts.appendMessages, append);
      expect([repeated.status, repeated.headers.get("idempotent-replayed")]).toEqual([
        201,
        executes ? "true" : null,
      ]);
      const stored = "SELECT count(*) AS messages FROM messages WHERE organization_id = ?1";
      expect(await selectRow(stored, organizationId)).toEqual({ messages: 1 });
    },
  );

  test("stops background work only until it responds again", async () => {
    const { database, clock, open, secret } = await openHanging();
    const service = open(clock);
    const caller = service.callerOf(secret);
    const conversation_id = await seedConversation(caller);
    database.hangs = (sql) => /UPDATE index_jobs/.test(sql);
    const lines = captureLog();
    await appendText(caller, conversation_id, "The zeppelin lands at noon.");
    await service.settle();
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "index failed", error: expect.stringContaining("1500 ms") }),
    );
    await service.sweep();
    const status = () => caller.call(contracts.getIndexStatus, { query: { conversation_id } });
    expect(await status()).toMatchObject({ pending: 1 });
    database.hangs = () => false;
    clock.advance(120_000);
    await service.sweep();
    expect(await status()).toMatchObject({ pending: 0, chunks: 1 });
  });
});
