import { USAGE_DIMENSIONS, type Usage, type UsageDimension, type UsageGroup } from "@engram/spec";
import { ApiError } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { withTimeout } from "../platform/calls.ts";
import { type CursorScope, fromCursor, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { type GroupPosition, selectUsageGroups, selectUsersOfKeys } from "./group-queries.ts";
import * as queries from "./queries.ts";

/** Time limit of a write. The request that writes must see the result before Cloudflare ends its background work. */
const WRITE_TIMEOUT_MS = 4_000;

export function countUsage(
  { usage, principal, place, runtime }: KeyCaller,
  amounts: Partial<queries.UsageAmounts>,
): void {
  usage.add({ ...principal, place }, amounts, runtime.nowMs());
}

/**
 * Counts a request of a key, and of its operation and tool.
 *
 * @param counts numbers of requests: 0 for one that is part of a request or of a tool call that was counted.
 */
export function countRequest(
  { usage, principal, place, runtime }: KeyCaller,
  { requests, calls, isError }: { requests: 0 | 1; calls: 0 | 1; isError: boolean },
): void {
  usage.add({ ...principal, place }, { requests, errors: isError ? 1 : 0 }, runtime.nowMs(), calls);
}

export function countStored(caller: KeyCaller, messages: { bytes: number }[]): void {
  const message_bytes = messages.reduce((sum, { bytes }) => sum + bytes, 0);
  countUsage(caller, { messages: messages.length, message_bytes });
}

/**
 * Lets the background work of a request write the counts later, unless another request does.
 *
 * @param fromMs start of that background work, or of its request.
 */
export function watchUsage(invocation: Invocation, fromMs: number): void {
  const { runtime, usage } = invocation;
  const watch = usage.watch(fromMs);
  if (watch === null) return;
  const delayMs = Math.max(0, watch.untilMs - runtime.nowMs());
  invocation.waitUntil(
    runtime.after(delayMs, async () => {
      if (usage.isWatching(watch)) invocation.defer("usage", writeUsage);
    }),
  );
}

/** @throws the error of the database or of the time limit; the counts then wait for the next write. */
export async function writeUsage(invocation: Invocation): Promise<void> {
  const { runtime, usage } = invocation;
  const counts = usage.take();
  if (counts.length === 0) return;
  /** Does the work, or puts the counts back. */
  const guarded = async <T>(part: queries.UsageCount[], work: Promise<T>): Promise<T> => {
    try {
      return await withTimeout(work, WRITE_TIMEOUT_MS);
    } catch (error) {
      usage.putBack(part, runtime.nowMs());
      throw error;
    }
  };
  const parts = await guarded(counts, byDatabase(invocation, counts));
  await Promise.all([...parts].map(([db, part]) => guarded(part, queries.upsertUsage(db, part))));
}

/** The counts by the database of their organizations. */
async function byDatabase(
  { at, directory, placeOf }: Invocation,
  counts: queries.UsageCount[],
): Promise<Map<D1Database, queries.UsageCount[]>> {
  const ids = [...new Set(counts.map((count) => count.organization_id))];
  const places = await Promise.all(ids.map(placeOf));
  const databases = new Map(ids.map((id, i) => [id, places[i] === "cell" ? at(id).db : directory]));
  return Map.groupBy(counts, (count) => databases.get(count.organization_id) ?? directory);
}

interface UsageQuery {
  from: string | undefined;
  to: string | undefined;
  keyId: string | undefined;
  limit: number | undefined;
  cursor: string | undefined;
}

interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

export async function listUsage(caller: KeyCaller, input: UsageQuery): Promise<Page<Usage>> {
  const { organizationId } = caller.principal;
  const filter = { from: input.from ?? null, to: input.to ?? null, keyId: input.keyId ?? null };
  const scope: CursorScope = { list: "usage", owner: caller.principal, parameters: filter };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const { usage, scanEnd } = await queries.selectUsage(caller.db, {
    organizationId,
    ...filter,
    after: await fromCursor(scope, input.cursor, isPosition),
    limit: limit + 1,
    rowsMax: caller.limits.scannedRows,
  });
  return toPage(scope, usage, {
    limit,
    positionOf: ({ day, key_id }) => [day, key_id ?? ""],
    scanEnd,
  });
}

const isPosition = (value: unknown): value is queries.UsagePosition => isTexts(value) && value.length === 2;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((part) => typeof part === "string");

/**
 * Sums of usage by the dimensions, in the order of {@link USAGE_DIMENSIONS}.
 *
 * @throws {ApiError} `validation_failed` if the days have more rows than one request reads.
 */
export async function listUsageGroups(
  caller: KeyCaller,
  input: UsageQuery & { groupBy: readonly UsageDimension[] },
): Promise<Page<UsageGroup>> {
  const by = USAGE_DIMENSIONS.filter((dimension) => input.groupBy.includes(dimension));
  const filter = { from: input.from ?? null, to: input.to ?? null, keyId: input.keyId ?? null };
  const scope: CursorScope = { list: "usage groups", owner: caller.principal, parameters: { ...filter, by } };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const rowsMax = caller.limits.usageGroupRows;
  const isOfGroup = (value: unknown): value is GroupPosition => isTexts(value) && value.length === by.length;
  const { groups, isWhole } = await selectUsageGroups(caller.db, {
    organizationId: caller.principal.organizationId,
    ...filter,
    by,
    after: await fromCursor(scope, input.cursor, isOfGroup),
    limit: limit + 1,
    rowsMax,
    users: by.includes("user")
      ? await selectUsersOfKeys(caller.db, {
          organizationId: caller.principal.organizationId,
          ...filter,
          rowsMax,
        })
      : [],
  });
  if (!isWhole) {
    const message = `The days have more than ${rowsMax.toLocaleString("en-US")} rows of usage. Choose fewer days with \`from\` and \`to\`.`;
    throw new ApiError("validation_failed", message, { errors: [{ path: "from", message }] });
  }
  const positionOf = (group: UsageGroup) => by.map((dimension) => group[FIELDS[dimension]] ?? "");
  return toPage(scope, groups, { limit, positionOf });
}

const FIELDS = {
  day: "day",
  key: "key_id",
  operation: "operation",
  tool: "tool",
  user: "user_id",
} as const;
