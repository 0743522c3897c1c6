import { runInDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { background, createApp } from "../../src/app.ts";
import { OrganizationCell } from "../../src/cell.ts";
import type { Env } from "../../src/invocation.ts";
import { openIsolate } from "../../src/isolate.ts";
import { COPIED, LAST, NOT_COPIED } from "../../src/moves/tables.ts";
import scan from "../../src/platform/cell-vectors/scan-int8.wasm";
import { cellOf } from "../support/cells.ts";
import { type Caller, operator, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Clock, Service, selectRows, sweepUntilIdle } from "../support/invocations.ts";
import { createWorld } from "../support/worlds.ts";

const SECOND = 1_000;

/** Runs the alarm of the organization's cell at the time of the clock. */
const alarm = (organizationId: string, clock: Clock) =>
  runInDurableObject(cellOf(organizationId), async (_, state) => {
    const isolate = openIsolate(clock);
    const parts = { isolate, fetch: createApp(isolate).fetch, background, scan };
    await new OrganizationCell(state, env as unknown as Env, parts).alarm();
  }).catch((error: unknown) => {
    // An object that is erased resets itself.
    if (!String(error).includes("its organization was deleted")) throw error;
  });

const moveOf = (id: string) =>
  operator.call(contracts.getOperation, { params: { operation_id: id } }) as Promise<
    contracts.OperationOf<"move_organization">
  >;

/** Moves an organization, and removes its old rows. */
async function move(
  organizationId: string,
  place: contracts.Place,
): Promise<contracts.OperationOf<"move_organization">> {
  const params = { organization_id: organizationId };
  const { id } = await operator.call(contracts.moveOrganization, { params, body: { place } });
  const clock = new Clock();
  for (let i = 0; i < 40; i++) {
    await alarm(organizationId, clock);
    const operation = await moveOf(id);
    if (operation.completed_at !== null) return operation;
    clock.advance(10 * SECOND);
  }
  throw new Error("the move does not end");
}

type Row = Record<string, string | number | null>;

const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%organization_id TEXT%' ORDER BY name";

/** Rows with the id of an organization, by table, apart from what a move leaves to say that it has been. */
async function rowsOf(
  select: (sql: string) => Promise<Row[]>,
  organizationId: string,
): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {};
  for (const { name } of await select(TABLES)) {
    const rows = await select(`SELECT * FROM ${name} WHERE organization_id = '${organizationId}'`);
    const sorted = rows.map((row) => JSON.stringify(row)).sort();
    if (rows.length > 0 && name !== "moves")
      found[String(name)] = sorted.map((row) => JSON.parse(row) as Row);
  }
  return found;
}

const inD1 = (organizationId: string) => rowsOf((sql) => selectRows<Row>(sql), organizationId);
const inCell = (organizationId: string) =>
  runInDurableObject(cellOf(organizationId), (_, { storage }) =>
    rowsOf(async (sql) => Array.from(storage.sql.exec(sql) as Iterable<Row>), organizationId),
  );

/** The rows without the numbers that change in a move to D1. */
function withoutNumbers(tables: Record<string, Row[]>): Record<string, string[]> {
  const NUMBERS = ["row_key", "conversation_row_key", "vector_id", "last_row_key"];
  const bare = (row: Row) =>
    JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !NUMBERS.includes(name))));
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.map(bare).sort()]));
}

const search = (caller: Caller, query: string, mode = "hybrid") =>
  caller
    .call(contracts.search, { body: { query, mode } })
    .then(({ results }) => results.map(({ conversation_id }) => conversation_id));

test("each table with rows of organizations moves, or it is said why not", async () => {
  const tables = await selectRows<{ name: string }>(TABLES);
  const known = [...COPIED, ...LAST].map(({ name }) => name);
  expect(tables.map(({ name }) => name)).toEqual([...known, ...NOT_COPIED].sort());
});

test("an organization moves to a cell and back, with all that it has", async () => {
  const { caller } = await createWorld();
  const { organizationId } = caller;
  const text = { role: "user", content: "The zeppelin lands at noon.", name: "Ada" };
  const id = await seedConversation(caller, [text, "Bring an umbrella."]);
  const all = await caller.call(contracts.exportData);
  const clock = new Clock();
  // A sweep of the cell would do meanwhile what is left to do.
  await sweepUntilIdle(new Service({}, clock), clock, organizationId);
  await new Service({}, clock).sweep();
  const before = await inD1(organizationId);
  expect(Object.keys(before).length).toBeGreaterThan(15);

  const there = await move(organizationId, "cell");
  expect(there).toMatchObject({ status: "succeeded", place: "cell" });
  expect(there.progress.done).toBe(there.progress.total);
  const { idempotency_keys: _, moved_keys, ...left } = await inD1(organizationId);
  expect(left).toEqual({});
  expect(moved_keys?.length).toBe(before.api_keys?.length);
  const moved = await inCell(organizationId);
  expect(moved).toEqual(before);
  const params = { organization_id: organizationId };
  expect(await operator.call(contracts.getOrganization, { params })).toMatchObject({ place: "cell" });
  expect(await caller.call(contracts.exportData)).toEqual(all);
  for (const mode of ["hybrid", "semantic", "keyword"])
    expect(await search(caller, "zeppelin landing at noon", mode)).toContain(id);

  expect(await move(organizationId, "d1")).toMatchObject({ status: "succeeded", place: "d1" });
  // The reads between the moves are audited and counted, and each search is a receipt.
  const { audit_events: __, usage: ___, ...others } = withoutNumbers(await inD1(organizationId));
  const { audit_events: ____, usage: _____, ...expected } = withoutNumbers(before);
  expect(others).toEqual(expected);
  expect(await inCell(organizationId)).toEqual({});
  expect(await caller.call(contracts.exportData)).toEqual(all);
  for (const mode of ["hybrid", "semantic", "keyword"])
    expect(await search(caller, "zeppelin landing at noon", mode)).toContain(id);
});
