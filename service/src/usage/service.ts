import type { Usage } from "@engram/spec";
import type { KeyCaller, ServiceContext } from "../context.ts";
import { withTimeout } from "../platform/calls.ts";
import { type CursorScope, fromCursor, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import * as queries from "./queries.ts";

/** Time limit of a write. The request that writes must see the result before Cloudflare ends its background work. */
const WRITE_TIMEOUT_MS = 4_000;

export function countUsage(
  { usage, principal, runtime }: KeyCaller,
  amounts: Partial<queries.UsageAmounts>,
): void {
  usage.add(principal, amounts, runtime.nowMs());
}

export function countStored(ctx: KeyCaller, messages: { bytes: number }[]): void {
  const message_bytes = messages.reduce((sum, { bytes }) => sum + bytes, 0);
  countUsage(ctx, { messages: messages.length, message_bytes });
}

/**
 * Lets the background work of a request write the counts later, unless another request does.
 *
 * @param fromMs start of that background work, or of its request.
 */
export function watchUsage(ctx: ServiceContext, fromMs: number): void {
  const { runtime, usage } = ctx;
  const watch = usage.watch(fromMs);
  if (watch === null) return;
  const delayMs = Math.max(0, watch.untilMs - runtime.nowMs());
  ctx.waitUntil(
    runtime.after(delayMs, async () => {
      if (usage.isWatching(watch)) ctx.defer("usage", writeUsage);
    }),
  );
}

/** @throws the error of the database or of the time limit; the counts then wait for the next write. */
export async function writeUsage({ db, runtime, usage }: ServiceContext): Promise<void> {
  const counts = usage.take();
  if (counts.length === 0) return;
  try {
    await withTimeout(queries.upsertUsage(db, counts), WRITE_TIMEOUT_MS);
  } catch (error) {
    usage.putBack(counts, runtime.nowMs());
    throw error;
  }
}

export async function listUsage(
  ctx: KeyCaller,
  input: {
    from: string | undefined;
    to: string | undefined;
    keyId: string | undefined;
    limit: number | undefined;
    cursor: string | undefined;
    withTotal: boolean;
  },
): Promise<{ items: Usage[]; next_cursor: string | null; total?: number | null }> {
  const { organizationId, agentId } = ctx.principal;
  const filter = { from: input.from ?? null, to: input.to ?? null, keyId: input.keyId ?? null };
  const scope: CursorScope = { list: "usage", organizationId, agentId, parameters: filter };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const { usage, scanEnd, total } = await queries.selectUsage(ctx.db, {
    organizationId,
    ...filter,
    after: await fromCursor(scope, input.cursor, isPosition),
    limit: limit + 1,
    rowsMax: ctx.limits.scannedRows,
    withTotal: input.withTotal,
  });
  return toPage(scope, usage, {
    limit,
    total,
    positionOf: ({ day, key_id }) => [day, key_id ?? ""],
    scanEnd,
  });
}

const isPosition = (value: unknown): value is queries.UsagePosition =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
