import type { Tombstone, TombstoneKind } from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { ApiError, notFound } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { assertKeyActive, assertMayStore } from "../platform/batch.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { toHex } from "../platform/digest.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { batch, type Statement } from "../platform/sql.ts";
import { hashNames, type Name } from "./hashes.ts";
import * as queries from "./queries.ts";

const SECRET_BYTES = 32;
/** Items of a problem's `errors`. */
const ERRORS_MAX = 100;

/**
 * Runs a write with the secret of the organization's tombstones, or null if it has none. If the organization has got its
 * first tombstone since the principal was read, the write fails with `tombstones_unknown`, stores nothing, and runs again.
 */
export async function withTombstoneKey<T>(
  caller: KeyCaller,
  write: (key: string | null) => Promise<T>,
): Promise<T> {
  const { organizationId, tombstoneKey } = caller.principal;
  try {
    return await write(tombstoneKey);
  } catch (error) {
    if (!(error instanceof PreconditionFailed) || error.code !== "tombstones_unknown") throw error;
    caller.caches.principals.forget((held) => held.organizationId === organizationId);
    return write(await queries.selectTombstoneKey(caller.db, organizationId));
  }
}

/** The organization's secret. Creates it if this is its first tombstone. */
export async function tombstoneKeyFor({ caches, db, principal, runtime }: KeyCaller): Promise<string> {
  const { organizationId, tombstoneKey } = principal;
  if (tombstoneKey !== null) return tombstoneKey;
  const key = await queries.ensureTombstoneKey(db, organizationId, toHex(runtime.randomBytes(SECRET_BYTES)));
  caches.principals.forget((held) => held.organizationId === organizationId);
  return key;
}

/** Statements that come first in the batch of a write. */
export type Guard = { key: Statement<void>; forgotten: Statement<void>[] };

interface NewTombstone {
  kind: TombstoneKind;
  operationId: string;
  hashes: Iterable<string>;
  /** Of items that are deleted in the same batch. */
  counts: queries.ForgottenCounts;
}

/** Statements for the batch of a deletion that leave a tombstone. */
export const insertedForgotten = (
  { principal, runtime }: KeyCaller,
  { kind, operationId, hashes, counts }: NewTombstone,
) => {
  const ref = { organizationId: principal.organizationId, id: queries.toTombstoneId(operationId) };
  return {
    tombstone: queries.insertedTombstone(ref, { kind, operationId, nowMs: runtime.nowMs() }),
    hashes: queries.insertedHashes(ref, hashes),
    counted: queries.countedForgotten(ref, counts),
  };
};

/** An item that a write stores. */
export interface GuardedItem {
  /** Its place in the request, such as `messages.0`; empty if it is the only one. */
  path: string;
  names: Name[];
}

/**
 * Runs a write that stores all of the items or nothing. `guard` checks, in the batch of the write, that the key is active
 * and that none of the items is refused by a tombstone.
 *
 * @throws {ApiError} `forgotten`, with the paths of the refused items.
 */
export const refusingForgotten = <T>(
  caller: KeyCaller,
  items: GuardedItem[],
  write: (guard: (nowMs: number) => Guard) => Promise<T>,
): Promise<T> =>
  withTombstoneKey(caller, async (tombstoneKey) => {
    const { db, principal } = caller;
    const { organizationId } = principal;
    const names = items.flatMap((item) => item.names);
    const hashes = tombstoneKey === null ? new Map<Name, string>() : await hashNames(tombstoneKey, names);
    try {
      return await write((nowMs) => ({
        key: assertMayStore({ ...principal, tombstoneKey, nowMs }),
        forgotten: queries.assertNoneForgotten(organizationId, hashes.values()),
      }));
    } catch (error) {
      if (!(error instanceof PreconditionFailed) || error.code !== "forgotten") throw error;
      const refused = await queries.selectForgotten(db, organizationId, hashes.values());
      throw toForgotten(
        items.filter((item) => item.names.some((name) => refused.has(hashes.get(name) ?? ""))),
        error,
      );
    }
  });

function toForgotten(items: GuardedItem[], cause: unknown): ApiError {
  const errors = items
    .filter(({ path }) => path !== "")
    .slice(0, ERRORS_MAX)
    .map(({ path }) => ({ path, message: "Was deleted with `forget`." }));
  const what = errors.length === 0 ? "It" : errors.map(({ path }) => `\`${path}\``).join(", ");
  return new ApiError(
    "forgotten",
    `${what} ${errors.length > 1 ? "were" : "was"} deleted with \`forget\`, or the user was deleted. Nothing was stored.`,
    { cause, ...(errors.length > 0 && { errors }) },
  );
}

/** The items of which a tombstone refuses a name. Without a secret, there are none. */
export async function findForgotten<Item>(
  { db, principal }: KeyCaller,
  key: string | null,
  items: readonly Item[],
  namesOf: (item: Item) => Name[],
): Promise<Set<Item>> {
  if (key === null) return new Set();
  const hashes = await hashNames(key, items.flatMap(namesOf));
  const refused = await queries.selectForgotten(db, principal.organizationId, hashes.values());
  return new Set(items.filter((item) => namesOf(item).some((name) => refused.has(hashes.get(name) ?? ""))));
}

/** The hashes of names. Without a secret, there are none. */
export const hashesOf = async (key: string | null, names: Iterable<Name>): Promise<Iterable<string>> =>
  key === null ? [] : (await hashNames(key, names)).values();

export async function listTombstones(
  caller: KeyCaller,
  input: { limit: number | undefined; cursor: string | undefined },
): Promise<{ items: Tombstone[]; next_cursor: string | null }> {
  const { organizationId } = caller.principal;
  const scope: CursorScope = { list: "tombstones", owner: caller.principal, parameters: null };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const beforeId = await fromCursor(scope, input.cursor, isId);
  const tombstones = await queries.selectTombstones(caller.db, {
    organizationId,
    beforeId,
    limit: limit + 1,
  });
  return toPage(scope, tombstones, { limit, positionOf: ({ id }) => id });
}

/** Lifts a tombstone. The sweep removes its hashes later. @throws {ApiError} `not_found`. */
export async function deleteTombstone(caller: KeyCaller, id: string): Promise<Tombstone> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const { lifted } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    lifted: queries.liftedTombstone({ organizationId, id }, nowMs),
    audit: auditEvent(caller, principal, {
      organizationId,
      action: "tombstone.deleted",
      targetId: id,
      operationId: id.replace(/^tomb_/, "op_"),
      nowMs,
    }),
  });
  if (lifted.tombstone === null) throw notFound("tombstone");
  return lifted.tombstone;
}

/** Removes what lifted tombstones have left, in steps. */
export async function removeLiftedHashes({ db, limits }: Invocation): Promise<void> {
  const { liftedRoundHashes: limit, liftedSweepRounds } = limits;
  for (let round = 0; round < liftedSweepRounds; round++)
    if ((await queries.deleteLiftedHashes(db, limit)) < limit) return;
}
