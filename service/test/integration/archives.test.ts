import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import type { Invocation } from "../../src/invocation.ts";
import type { ServiceLimits } from "../../src/limits.ts";
import { selectDeletedOrganizations } from "../../src/organizations/queries.ts";
import type { ArchiveStore } from "../../src/platform/archive-store.ts";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { nothing, run, sql } from "../../src/platform/sql.ts";
import { writeArchive } from "../../src/transfer/archive-parts.ts";
import { archiveApart, keepArchives } from "../../src/transfer/archives.ts";
import type { Caller } from "../support/client.ts";
import { env } from "../support/env.ts";
import { seedMemories, seedRich } from "../support/exports.ts";
import { send } from "../support/imports.ts";
import { open, selectRows } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";

const DAY_MS = 24 * 3_600_000;
/** So small that an archive has several parts, of several pages each. */
const LIMITS = { exportStepRows: 6, archivePartBytes: 12_000 };
/** Only the sweep writes it. */
const SWEPT = { ...LIMITS, archiveRequestParts: 0 };

/** An organization with everything that an export can have. */
async function openRich(limits: Partial<ServiceLimits> = LIMITS) {
  const opened = await open({}, limits);
  const { clock, service, caller, organizationId } = opened;
  await seedRich(caller);
  await seedMemories(service, clock, caller.secret);
  await caller.call(contracts.search, { body: { query: "ferry", mode: "keyword", record: true } });
  await service.settle();
  return { ...opened, objects: () => keysOf(organizationId) };
}

const keysOf = async (organizationId: string): Promise<string[]> => {
  const { objects } = await env.ARCHIVES.list({ prefix: `organizations/${organizationId}/` });
  return objects.map(({ key }) => key);
};

const create = (caller: Caller, body: object = {}) => caller.call(contracts.createArchive, { body });
const get = (caller: Caller, archive_id: string) =>
  caller.call(contracts.getArchive, { params: { archive_id } });
const listed = async (caller: Caller) => (await caller.call(contracts.listArchives)).items;

/** The lines of all parts, whose digests are compared with the manifest. */
async function linesOf(caller: Caller, archive_id: string): Promise<string> {
  const { parts, bytes } = await get(caller, archive_id);
  let all = "";
  for (const part of parts) {
    const response = await caller.fetch(contracts.getArchiveLines, {
      params: { archive_id },
      query: { part: part.number },
    });
    const text = await response.text();
    expect([await sha256Hex(text), text.split("\n").length - 1]).toEqual([part.sha256, part.lines]);
    all += text;
  }
  expect(new TextEncoder().encode(all).byteLength).toBe(bytes);
  return all;
}

const exportText = async (caller: Caller): Promise<string> =>
  (await caller.fetch(contracts.exportData)).text();

/** A store and a database that stop working after a number of calls, as for an invocation that is killed. */
function killedAfter(calls: number) {
  let left = calls;
  const spend = async <T>(call: () => Promise<T>): Promise<T> => {
    if (left <= 0) throw new Error("killed");
    left -= 1;
    return call();
  };
  const store = (real: ArchiveStore): ArchiveStore => ({
    put: (...of) => spend(() => real.put(...of)),
    get: (...of) => spend(() => real.get(...of)),
    list: (...of) => spend(() => real.list(...of)),
    delete: (...of) => spend(() => real.delete(...of)),
  });
  const database = (real: D1Database) => interceptCalls(real, (_, send) => spend(send));
  return { store, database, isSpent: () => left <= 0 };
}

test("an archive that is killed after any call continues, and has the lines of an export", async () => {
  const { service, clock, caller, objects, organizationId } = await openRich(SWEPT);
  const whole = await exportText(caller);
  for (let calls = 0, isKilled = true; isKilled; calls += scale(1, 3)) {
    const { id, target_id } = await create(caller);
    const kill = killedAfter(calls);
    const context = service.context(organizationId);
    const dying = {
      ...context,
      db: kill.database(context.db),
      archives: context.archives && kill.store(context.archives),
    };
    await archiveApart(dying).catch(() => {});
    isKilled = kill.isSpent();
    for (let runs = 0; (await get(caller, target_id)).completed_at === null; runs++) {
      expect(runs).toBeLessThan(9);
      clock.advance(61_000);
      await archiveApart(context);
    }
    expect((await get(caller, target_id)).part_count).toBeGreaterThan(2);
    expect(await linesOf(caller, target_id)).toBe(whole);
    expect(await caller.call(contracts.getOperation, { params: { operation_id: id } })).toMatchObject({
      status: "succeeded",
      progress: { done: whole.split("\n").length - 1, total: whole.split("\n").length - 1 },
    });
    // Nothing is left of the parts of dead runs.
    const { part_count, parts } = await get(caller, target_id);
    const own = (await objects()).filter((key) => key.includes(target_id));
    expect(own).toHaveLength(part_count + 1);
    const manifest = await env.ARCHIVES.get(own.find((key) => key.endsWith("manifest.json")) ?? "");
    expect(await manifest?.json()).toMatchObject({ organization_id: organizationId, id: target_id, parts });
    await caller.call(contracts.deleteArchive, { params: { archive_id: target_id } });
    clock.advance(16 * 60_000);
    await keepArchives(context);
    expect(await objects()).toEqual([]);
  }
});

test("an import of an archive restores everything, with the same ids and sequences", async () => {
  const { caller, service } = await openRich();
  const { target_id } = await create(caller);
  await service.settle();
  await service.sweep();
  const lines = (await linesOf(caller, target_id)).trimEnd().split("\n");
  const restored = await open();
  expect((await send(restored.caller, lines)).problems).toEqual([]);
  expect(await exportText(restored.caller)).toBe(await exportText(caller));
});

test("receipts of deletions name the archives that may have what was deleted, until their objects are gone", async () => {
  const { caller, service, clock, idle, append, organizationId } = await open();
  const { id } = await caller.call(contracts.createConversation, { body: {} });
  await append(id, ["The zeppelin lands at noon."]);
  const kept = await create(caller);
  // Archives are in the order of their ids, which is that of their times to the millisecond.
  clock.advance(1);
  const short = await create(caller, { expires_in_days: 2 });
  await service.settle();
  const deletion = await caller.call(contracts.deleteConversation, { params: { conversation_id: id } });
  const archivesOf = async () => {
    const operation = await caller.call(contracts.getOperation, { params: { operation_id: deletion.id } });
    return (operation as typeof deletion).archives.map((archive) => archive.id).sort();
  };
  expect(deletion.archives).toEqual([
    { id: kept.target_id, expires_at: null },
    { id: short.target_id, expires_at: new Date(Date.parse(short.created_at) + 2 * DAY_MS).toISOString() },
  ]);
  await idle();
  await create(caller);
  await service.settle();
  expect(await archivesOf()).toEqual([kept.target_id, short.target_id].sort());
  clock.advance(2 * DAY_MS);
  await service.sweep();
  expect(await archivesOf()).toEqual([kept.target_id]);
  clock.advance(1);
  await caller.call(contracts.deleteArchive, { params: { archive_id: kept.target_id } });
  expect(await archivesOf()).toEqual([kept.target_id]);
  expect(await caller.fail(contracts.getArchive, { params: { archive_id: kept.target_id } })).toMatchObject({
    code: "not_found",
  });
  await service.sweep();
  expect(await archivesOf()).toEqual([]);
  expect((await keysOf(organizationId)).every((key) => !key.includes(kept.target_id))).toBe(true);
  const { items } = await caller.call(contracts.listAuditEvents, { query: { action: "archive.deleted" } });
  expect(items.map(({ target_id, key_id }) => [target_id, key_id === null])).toEqual([
    [kept.target_id, false],
    [short.target_id, true],
  ]);
});

test("a receipt names the archives that are kept longest, and counts all", async () => {
  const { caller, service, append, organizationId } = await open();
  const { id } = await caller.call(contracts.createConversation, { body: {} });
  await append(id, ["The zeppelin lands at noon."]);
  await run(
    service.context(organizationId).db,
    nothing(sql`
      INSERT INTO archives (organization_id, id, operation_id, created_at_ms, completed_at_ms, expires_at_ms)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25)
      SELECT ${organizationId}, printf('arc_%02d', i), 'op_none', 1, 1, iif(i = 7, NULL, 9000000000000 + i) FROM n`),
  );
  const { archives, archive_count } = await caller.call(contracts.deleteConversation, {
    params: { conversation_id: id },
  });
  expect([archive_count, archives.length]).toEqual([25, 20]);
  expect(archives.map((archive) => archive.id).slice(0, 3)).toEqual(["arc_07", "arc_25", "arc_24"]);
  const { items } = await caller.call(contracts.listOperations);
  expect(items[0]).toMatchObject({ archives, archive_count });
});

test("an archive that is canceled or deleted while it is written is removed with its operation canceled", async () => {
  const { caller, service, clock, objects, organizationId } = await openRich(SWEPT);
  for (const end of ["cancel", "delete"]) {
    const { id, target_id } = await create(caller);
    // A run stores a part, and dies before it says so.
    const context = service.context(organizationId);
    const put: ArchiveStore["put"] = async (...of) => {
      await context.archives?.put(...of);
      throw new Error("killed");
    };
    await archiveApart({ ...context, archives: context.archives && { ...context.archives, put } });
    expect((await objects()).length).toBeGreaterThan(0);
    if (end === "cancel") await caller.call(contracts.cancelOperation, { params: { operation_id: id } });
    else await caller.call(contracts.deleteArchive, { params: { archive_id: target_id } });
    expect(await caller.call(contracts.getOperation, { params: { operation_id: id } })).toMatchObject({
      status: "canceled",
    });
    expect(await listed(caller)).toEqual([]);
    const { items } = await caller.call(contracts.listAuditEvents, { query: { action: "archive.deleted" } });
    expect(items[0]).toMatchObject({ target_id, key_id: expect.any(String) });
    await service.sweep();
    expect(await objects()).toEqual([]);
    // Until the dying run cannot store anything any more, what it may store is looked for.
    await env.ARCHIVES.put(`organizations/${organizationId}/${target_id}/late`, "x");
    clock.advance(16 * 60_000);
    await service.sweep();
    expect(await objects()).toEqual([]);
    expect(await selectRows("SELECT * FROM archives WHERE organization_id = ?1", organizationId)).toEqual([]);
    expect(
      await selectRows("SELECT * FROM archive_parts WHERE organization_id = ?1", organizationId),
    ).toEqual([]);
  }
});

test("an object that a run stores after another has taken its archive over is found when the archive is deleted", async () => {
  const { caller, service, clock, objects, organizationId } = await openRich(SWEPT);
  const { target_id } = await create(caller);
  const context = service.context(organizationId);
  const real = context.archives as ArchiveStore;
  const late = Promise.withResolvers<void>();
  const storing = Promise.withResolvers<void>();
  const put: ArchiveStore["put"] = async (...of) => {
    storing.resolve();
    await late.promise;
    return real.put(...of);
  };
  const slow = archiveApart({ ...context, archives: { ...real, put } });
  await storing.promise;
  // As long as the run may be alive, no other writes the same part, whoever starts it.
  const ref = { organizationId, id: target_id };
  await archiveApart(context);
  await writeArchive(context, ref, 9);
  expect(await objects()).toEqual([]);
  clock.advance(61_000);
  while ((await get(caller, target_id)).completed_at === null) await writeArchive(context, ref, 1);
  await caller.call(contracts.deleteArchive, { params: { archive_id: target_id } });
  await keepArchives(context);
  expect(await objects()).toEqual([]);
  late.resolve();
  await slow;
  expect((await objects()).length).toBe(1);
  clock.advance(16 * 60_000);
  await keepArchives(context);
  expect(await objects()).toEqual([]);
  expect(await selectRows("SELECT * FROM archives WHERE organization_id = ?1", organizationId)).toEqual([]);
});

test("nothing of an organization that is being deleted is archived, unless its deletion is canceled", async () => {
  const { caller, service, objects, organizationId } = await openRich(SWEPT);
  const context = service.context(organizationId);
  const params = { organization_id: organizationId };
  const cancel = (operation_id: string) =>
    service.callerOf(env.ADMIN_TOKEN).call(contracts.cancelOperation, { params: { operation_id } });
  await caller.call(contracts.setArchiveSchedule, { body: { every_days: 1 } });
  const first = await caller.call(contracts.deleteOrganization, { params });
  await keepArchives(context);
  await cancel(first.id);
  expect(await listed(caller)).toEqual([]);
  // It is deleted after the sweep has read its schedule.
  let later = "";
  const db = interceptCalls(context.db, async ({ statements }, send) => {
    if (later === "" && statements.some(({ sql }) => sql.includes("INSERT INTO archives")))
      later = (await caller.call(contracts.deleteOrganization, { params })).id;
    return send();
  });
  await keepArchives({ ...context, db });
  await cancel(later);
  expect(await listed(caller)).toEqual([]);
  const { target_id } = await create(caller);
  const { id } = await caller.call(contracts.deleteOrganization, { params });
  await archiveApart(context);
  await writeArchive(context, { organizationId, id: target_id }, 1);
  expect(await objects()).toEqual([]);
  await cancel(id);
  await archiveApart(context);
  expect((await objects()).length).toBeGreaterThan(1);
});

test("a schedule begins archives that expire, one at a time", async () => {
  const { caller, service, clock } = await open();
  expect(await caller.call(contracts.getArchiveSchedule)).toEqual({
    ...{ every_days: null, keep_days: null, next_at: null },
  });
  await caller.call(contracts.setArchiveSchedule, { body: { every_days: 1, keep_days: 2 } });
  const days: number[] = [];
  for (let day = 0; day < 5; day++) {
    // Two sweeps at once begin one archive.
    const context = service.context();
    await Promise.all([keepArchives(context), keepArchives(context), service.sweep()]);
    await service.sweep();
    const archives = await listed(caller);
    expect(archives.every(({ completed_at }) => completed_at !== null)).toBe(true);
    days.push(archives.length);
    clock.advance(DAY_MS);
  }
  expect(days).toEqual([1, 2, 2, 2, 2]);
  await caller.call(contracts.setArchiveSchedule, { body: { every_days: null } });
  clock.advance(9 * DAY_MS);
  await service.sweep();
  expect(await listed(caller)).toEqual([]);
});

test("the deletion of an organization removes its archives, objects first", async () => {
  const { caller, service, clock, objects, organizationId } = await openRich();
  await caller.call(contracts.setArchiveSchedule, { body: { every_days: 1 } });
  await create(caller);
  await service.settle();
  expect((await objects()).length).toBeGreaterThan(1);
  const { id } = await caller.call(contracts.deleteOrganization, {
    params: { organization_id: organizationId },
  });
  for (let sweeps = 0; sweeps < 20; sweeps++) {
    clock.advance(65_000);
    await service.sweep();
    const hasRow =
      (
        await selectRows(
          "SELECT 1 FROM organizations WHERE id = ?1 AND deleted_at_ms IS NOT NULL",
          organizationId,
        )
      ).length > 0;
    // The organization's own rows go after the objects.
    if (!hasRow) break;
  }
  expect(await objects()).toEqual([]);
  expect(
    await service.callerOf(env.ADMIN_TOKEN).call(contracts.getOperation, { params: { operation_id: id } }),
  ).toMatchObject({ rows_deleted_at: expect.any(String), archives: [] });
});

test("without an object store, archives answer that it is missing, and nothing is begun", async () => {
  const { caller } = await open({ ARCHIVES: undefined });
  expect(await caller.fail(contracts.createArchive, { body: {} })).toMatchObject({ code: "not_configured" });
  expect(await caller.fail(contracts.setArchiveSchedule, { body: { every_days: 1 } })).toMatchObject({
    code: "not_configured",
  });
  expect(await listed(caller)).toEqual([]);
});

test("archives that are left without an object store are logged, and the deletion of their organization waits", async () => {
  const limits = { purgeSweepSteps: 5, purgeInvocationSteps: 1 };
  const { caller, service, clock, append, organizationId } = await open({}, limits);
  const { id } = await caller.call(contracts.createConversation, { body: {} });
  await append(id, ["The zeppelin lands at noon."]);
  await create(caller);
  await service.settle();
  const params = { organization_id: organizationId };
  const deletion = await caller.call(contracts.deleteOrganization, { params });
  const operator = service.callerOf(env.ADMIN_TOKEN);
  const receipt = () => operator.call(contracts.getOperation, { params: { operation_id: deletion.id } });
  const lines = captureLog();
  const sweep = async (times: number, more: Partial<Invocation>) => {
    const logged = lines.length;
    for (let sweeps = 0; sweeps < times; sweeps++) {
      clock.advance(65_000);
      await service.sweep(more);
    }
    return lines.slice(logged).filter(({ event }) => event === "archives wait for an object store").length;
  };
  expect(await sweep(4, { archives: null })).toBeGreaterThan(0);
  expect(await receipt()).toMatchObject({ rows_deleted_at: null });
  expect((await keysOf(organizationId)).length).toBeGreaterThan(0);
  // It takes no step of a sweep while it waits.
  const round = { chance: 0, organizationsMax: 1_000, rowsMax: 1_000 };
  const waiting = await selectDeletedOrganizations(env.DB as never, { limit: 1_000, round });
  expect(waiting.map((deleted) => deleted.id)).not.toContain(organizationId);
  expect(await sweep(4, {})).toBe(0);
  expect(await receipt()).toMatchObject({ rows_deleted_at: expect.any(String) });
  expect(await keysOf(organizationId)).toEqual([]);
});
