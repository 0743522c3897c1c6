import {
  type CreateHoldBody,
  HOLDS_MAX,
  type Hold,
  type HoldDetails,
  type HoldFilter,
  type HoldStatus,
} from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { ApiError, notFound } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { assertKeyActive, toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { type Idempotent, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { batch, run, sql } from "../platform/sql.ts";
import * as queries from "./queries.ts";

/** After the ids of all holds. */
const AFTER_ALL = "hold_~";
/** Holds that the detail of a problem names. */
const NAMED_MAX = 10;

const toFilter = (row: queries.HoldRow): HoldFilter => ({
  ...(row.corpus !== null && { corpus: row.corpus }),
  ...(row.agent_id !== null && { agent_id: row.agent_id }),
  ...(row.user_id !== null && { user_id: row.user_id }),
  ...(row.tags_any !== null && { tags_any: JSON.parse(row.tags_any) as string[] }),
  ...(row.tags_all !== null && { tags_all: JSON.parse(row.tags_all) as string[] }),
  ...(row.metadata !== null && { metadata: JSON.parse(row.metadata) as HoldFilter["metadata"] }),
  ...(row.created_after_ms !== null && { created_after: toTimestamp(row.created_after_ms) }),
  ...(row.created_before_ms !== null && { created_before: toTimestamp(row.created_before_ms) }),
});

const toHold = (row: queries.HoldRow): Hold => ({
  id: row.id,
  status: row.lifted_at_ms === null ? "active" : "lifted",
  reason: row.reason,
  filter: row.has_ids ? null : toFilter(row),
  item_count: row.has_ids ? row.item_count : null,
  created_at: toTimestamp(row.created_at_ms),
  created_by: row.created_by,
  lifted_at: toTimestampOrNull(row.lifted_at_ms),
  lifted_by: row.lifted_by,
});

/** @throws {ApiError} `not_found` for an unknown item, `too_many_holds`. */
export function createHold(
  caller: KeyCaller,
  input: CreateHoldBody,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<Hold>> {
  const { db, principal, runtime } = caller;
  const { organizationId, keyId } = principal;
  const nowMs = runtime.nowMs();
  const ref = { organizationId, id: createId(runtime, "hold") };
  return runIdempotent(db, idempotency, {
    statements: {
      key: assertKeyActive({ ...principal, nowMs }),
      created: queries.insertedHold(ref, {
        ...{ reason: input.reason, ids: input.ids, filter: input.filter },
        ...{ keyId, nowMs, holdsMax: HOLDS_MAX },
      }),
      audit: auditEvent(caller, principal, {
        organizationId,
        action: "hold.created",
        targetId: ref.id,
        nowMs,
      }),
      hold: queries.holdById(ref),
    },
    answer: sql`json_object('id', ${ref.id})`,
    read: async ({ id }: { id: string }, results) => toHold(results?.hold ?? (await getRow(caller, id))),
  });
}

async function getRow({ db, principal }: KeyCaller, id: string): Promise<queries.HoldRow> {
  const found = await run(db, queries.holdById({ organizationId: principal.organizationId, id }));
  if (found === null) throw notFound("hold");
  return found;
}

/** @throws {ApiError} `invalid_cursor`. */
export async function listHolds(
  { db, principal }: KeyCaller,
  input: { status: HoldStatus | undefined; limit: number | undefined; cursor: string | undefined },
): Promise<{ items: Hold[]; next_cursor: string | null }> {
  const { status = null } = input;
  const scope: CursorScope = { list: "holds", owner: principal, parameters: { status } };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const found = await queries.selectHolds(db, {
    organizationId: principal.organizationId,
    isActive: status && status === "active",
    beforeId: (await fromCursor(scope, input.cursor, isId)) ?? AFTER_ALL,
    limit: limit + 1,
  });
  return toPage(scope, found.map(toHold), { limit, positionOf: ({ id }) => id });
}

/** @throws {ApiError} `not_found`. */
export async function getHold(caller: KeyCaller, id: string): Promise<HoldDetails> {
  const { db, limits, principal } = caller;
  const ref = { organizationId: principal.organizationId, id };
  const row = await getRow(caller, id);
  const comparesJson = row.tags_any !== null || row.tags_all !== null || row.metadata !== null;
  const rowsMax = comparesJson ? limits.filteredConversations : limits.scannedConversations;
  const { ids, counts } = await batch(db, {
    ids: row.has_ids ? queries.holdItemIds(ref) : null,
    counts: queries.heldCounts(ref, row, rowsMax),
  });
  const { conversations, memories, scanned } = counts;
  return { ...toHold(row), ids, conversations, memories, complete: row.has_ids === 1 || scanned < rowsMax };
}

/** @throws {ApiError} `not_found`. */
export async function liftHold(caller: KeyCaller, id: string): Promise<Hold> {
  const { db, principal, runtime } = caller;
  const { organizationId, keyId } = principal;
  const nowMs = runtime.nowMs();
  const ref = { organizationId, id };
  const { lifted } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    // Before the lift, because lifting it again is no event.
    audit: auditEvent(
      caller,
      principal,
      { organizationId, action: "hold.lifted", targetId: id, nowMs },
      queries.isActiveHold(ref),
    ),
    lifted: queries.liftedHold(ref, { keyId, nowMs }),
  });
  if (lifted.hold === null) throw notFound("hold");
  return toHold(lifted.hold);
}

/** The problem of a request that a hold refuses. Its detail names some of the holds, if they are still active. */
const heldBy = (what: string, holdIds: readonly string[], cause?: unknown): ApiError =>
  new ApiError(
    "held",
    `${what} is under legal hold${holdIds.length === 0 ? "" : `: ${holdIds.join(", ")}`}. Nothing was changed.`,
    { cause },
  );

async function refusing<T>(
  what: string,
  holdIds: () => Promise<string[]>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof PreconditionFailed) || error.code !== "held") throw error;
    throw heldBy(what, await holdIds(), error);
  }
}

/**
 * Runs a write whose batch fails with `held` if one of the items is held.
 *
 * @throws {ApiError} `held`, with the ids of the holds.
 */
export const refusingHeld = <T>(
  { db, principal: { organizationId } }: KeyCaller,
  itemIds: readonly string[],
  write: () => Promise<T>,
): Promise<T> =>
  refusing("It", () => queries.selectHoldIds(db, { organizationId, itemIds, limit: NAMED_MAX }), write);

/** Continues, after the lift of holds, with what they have kept. */
export async function releaseHeldItems({ db, limits }: Invocation): Promise<void> {
  const step = { holds: limits.releaseRoundHolds, items: limits.releaseRoundItems };
  for (let round = 0; round < limits.releaseSweepRounds; round++)
    if ((await queries.releaseItems(db, step)) === 0) return;
}

const holdIdsOf = (db: D1Database, organizationId: string): Promise<string[]> =>
  run(db, queries.activeHoldIds(organizationId, NAMED_MAX));

/** Runs a write whose batch fails with `held` if the organization has an active hold. */
export const refusingWithHolds = <T>(
  db: D1Database,
  organizationId: string,
  write: () => Promise<T>,
): Promise<T> => refusing("The organization", () => holdIdsOf(db, organizationId), write);

/** @throws {ApiError} `held` if the organization has an active hold. */
export async function refuseWithHolds(db: D1Database, organizationId: string): Promise<void> {
  const holdIds = await holdIdsOf(db, organizationId);
  if (holdIds.length > 0) throw heldBy("The organization", holdIds);
}
