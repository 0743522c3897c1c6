import {
  ARCHIVES_MAX,
  type Archive,
  type ArchiveManifest,
  type ArchiveSchedule,
  type OperationOf,
} from "@engram/spec";
import * as queries from "../archives/queries.ts";
import { auditEvent } from "../audit/service.ts";
import { ApiError, notFound } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { openOperation } from "../operations/service.ts";
import { assertKeyActive, wholeOrganization } from "../platform/batch.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import type { Idempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import { drawRound } from "../platform/round-robin.ts";
import { assertThat, batch, run } from "../platform/sql.ts";
import { keyOf, removeObjects, writeArchive, writeArchives } from "./archive-parts.ts";
import { EXPORT_START } from "./exports-queries.ts";
import { insertedArchiving } from "./operations-queries.ts";

const RETRY_AFTER_SECONDS = 60;
const START = JSON.stringify(EXPORT_START);

const refOf = ({ principal }: KeyCaller, id: string): queries.ArchiveRef => ({
  organizationId: principal.organizationId,
  id,
});

/** @throws {ApiError} `not_configured` without an object store. */
function assertStore({ archives }: Invocation): void {
  if (archives === null)
    throw new ApiError(
      "not_configured",
      "This deployment has no object store for archives. Its operator can bind a bucket as `ARCHIVES`.",
    );
}

/** @throws {ApiError} `not_configured`, `too_many_archives`. */
export async function createArchive(
  caller: KeyCaller,
  { expiresInDays }: { expiresInDays: number | null },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<OperationOf<"create_archive">>> {
  assertStore(caller);
  const { principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const operationId = createId(runtime, "op");
  const id = createId(runtime, "arc");
  const expiresAtMs = expiresInDays === null ? null : nowMs + expiresInDays * queries.DAYS_MS;
  const statements = {
    key: assertKeyActive({ ...principal, nowMs }),
    room: queries.assertRoom(organizationId, ARCHIVES_MAX),
    archive: queries.insertedArchive({ organizationId, id, operationId, start: START, nowMs }, expiresAtMs),
    event: auditEvent(caller, principal, {
      ...{ organizationId, action: "archive.created", targetId: id, operationId, nowMs },
    }),
    opened: insertedArchiving({ owner: principal, id: operationId, targetId: id, nowMs }),
  };
  const opened = await openOperation(
    caller,
    { id: operationId, type: "create_archive" },
    statements,
    idempotency,
  );
  if (!opened.replayed)
    caller.defer("archive", (later) =>
      writeArchive(later, { organizationId, id }, later.limits.archiveRequestParts),
    );
  return opened;
}

/** @throws {ApiError} `invalid_cursor`. */
export async function listArchives(
  caller: KeyCaller,
  input: { limit: number | undefined; cursor: string | undefined },
): Promise<{ items: Archive[]; next_cursor: string | null }> {
  const { organizationId } = caller.principal;
  const scope: CursorScope = { list: "archives", owner: caller.principal, parameters: null };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const beforeId = await fromCursor(scope, input.cursor, isId);
  const found = await queries.selectArchives(caller.db, { organizationId, beforeId, limit: limit + 1 });
  return toPage(scope, found, { limit, positionOf: ({ id }) => id });
}

/** @throws {ApiError} `not_found`. */
export async function getArchive(caller: KeyCaller, id: string): Promise<ArchiveManifest> {
  const ref = refOf(caller, id);
  const { archive, parts } = await batch(caller.db, {
    archive: queries.archiveById(ref),
    parts: queries.partsOf(ref),
  });
  if (archive === null) throw notFound("archive");
  return { ...archive, parts };
}

/**
 * The lines of a part.
 *
 * @throws {ApiError} `not_found`, or `unavailable` when the object store does not have them.
 */
export async function readLines(
  caller: KeyCaller,
  { id, number }: { id: string; number: number },
): Promise<ReadableStream<Uint8Array>> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const ref = refOf(caller, id);
  const { part } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    exists: assertThat("not_found", queries.hasPart(ref, number)),
    event: auditEvent(caller, principal, { organizationId, action: "data.exported", targetId: id, nowMs }),
    part: queries.partByNumber(ref, number),
  });
  if (part === null) throw notFound("part of an archive");
  const stored = await readObject(caller, keyOf(ref, part));
  return stored.pipeThrough(new DecompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);
}

async function readObject({ archives }: Invocation, key: string): Promise<ReadableStream<Uint8Array>> {
  const stored = await archives?.get(key).catch((cause: unknown) => {
    throw lacking(cause);
  });
  if (stored == null) throw lacking(undefined);
  return stored;
}

const lacking = (cause: unknown): ApiError =>
  new ApiError("unavailable", "The object store did not return the lines of the archive.", {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** Deletes an archive. The sweep removes its objects later. @throws {ApiError} `not_found`. */
export async function deleteArchive(caller: KeyCaller, id: string): Promise<Archive> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const { archive } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    archive: queries.deletedArchive(refOf(caller, id), nowMs),
    event: auditEvent(caller, principal, { organizationId, action: "archive.deleted", targetId: id, nowMs }),
  });
  if (archive.deleted === null) throw notFound("archive");
  return archive.deleted;
}

const NO_SCHEDULE: ArchiveSchedule = { every_days: null, keep_days: null, next_at: null };

export const getSchedule = async ({ db, principal }: KeyCaller): Promise<ArchiveSchedule> =>
  (await run(db, queries.scheduleOf(principal.organizationId))) ?? NO_SCHEDULE;

/** @throws {ApiError} `not_configured` for a schedule without an object store. */
export async function setSchedule(
  caller: KeyCaller,
  { everyDays, keepDays }: { everyDays: number | null; keepDays: number | null },
): Promise<ArchiveSchedule> {
  if (everyDays !== null) assertStore(caller);
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const { schedule } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    set:
      everyDays === null
        ? queries.deletedSchedule(organizationId)
        : queries.setSchedule(organizationId, { everyDays, keepDays, nowMs }),
    event: auditEvent(caller, principal, {
      ...{ organizationId, action: "archive_schedule.updated", targetId: organizationId, nowMs },
    }),
    schedule: queries.scheduleOf(organizationId),
  });
  return schedule ?? NO_SCHEDULE;
}

/**
 * Begins archives of schedules, deletes expired ones, and removes the objects of deleted ones, some of each. Without an
 * object store, the rows of deleted archives stay, so the deletion of their organization is not complete: they alone say
 * which objects are left.
 */
export async function keepArchives(invocation: Invocation): Promise<void> {
  const { archives: store, db, limits, runtime } = invocation;
  const limit = limits.archiveSweepArchives;
  const nowMs = runtime.nowMs();
  const work = await batch(db, {
    expired: queries.expiredArchives({ nowMs, limit }),
    due: queries.dueSchedules({ nowMs, limit, archivesMax: ARCHIVES_MAX }),
    deleted: queries.deletedArchives({ ...drawRound(invocation), rowsMax: limit }),
  });
  for (const ref of work.expired) await expire(invocation, ref);
  if (store === null) {
    const left = work.expired.length + work.due.length + work.deleted.length;
    if (left > 0 || (await hasOpenArchives(invocation)))
      invocation.log.error("archives wait for an object store", new Error("`ARCHIVES` is not bound"));
    return;
  }
  for (const due of work.due) await beginScheduled(invocation, due);
  for (const ref of [...work.deleted, ...work.expired]) {
    try {
      await removeObjects(store, ref);
      await batch(db, queries.removedArchive(ref, nowMs));
    } catch (error) {
      invocation.log.error("archive not removed", error, { archive_id: ref.id });
    }
  }
}

/** The archives of one invocation of the Worker that a sweep starts. Resolves to true if more is left. */
export const archiveApart = (invocation: Invocation): Promise<boolean> =>
  writeArchives(invocation, invocation.limits.archiveInvocationParts);

async function expire(invocation: Invocation, ref: queries.ArchiveRef): Promise<void> {
  const { organizationId, id } = ref;
  const nowMs = invocation.runtime.nowMs();
  await batch(invocation.db, {
    event: auditEvent(
      invocation,
      null,
      { organizationId, action: "archive.deleted", targetId: id, nowMs },
      queries.exists(ref),
    ),
    deleted: queries.expiredArchive(ref, nowMs),
  });
}

/** Begins an archive, unless another run has begun it. */
async function beginScheduled(invocation: Invocation, due: queries.DueSchedule): Promise<void> {
  const { db, runtime } = invocation;
  const { organizationId } = due;
  const nowMs = runtime.nowMs();
  const operationId = createId(runtime, "op");
  const id = createId(runtime, "arc");
  const ref = { organizationId, id };
  await batch(db, {
    archive: queries.scheduledArchive({ ...ref, operationId, start: START, nowMs }, due),
    event: auditEvent(
      invocation,
      null,
      { organizationId, action: "archive.created", targetId: id, operationId, nowMs },
      queries.exists(ref),
    ),
    opened: insertedArchiving(
      { owner: wholeOrganization(organizationId), id: operationId, targetId: id, nowMs },
      queries.exists(ref),
    ),
    schedule: queries.advancedSchedule(due, nowMs),
  });
}

/** Whether an archive of any organization is to be written. */
export const hasOpenArchives = ({ db }: Invocation): Promise<boolean> => run(db, queries.hasOpenArchives);
