import type { Usage } from "@engram/spec";
import type { RequestContext, ServiceContext } from "../context.ts";
import { withTimeout } from "../ports/calls.ts";
import * as queries from "../queries/usage.ts";
import { type CursorScope, fromCursor, PAGE_ITEMS_DEFAULT, toPage } from "./cursors.ts";

/** So that whoever watched longest learns what became of its write before it is ended. */
const WRITE_TIMEOUT_MS = 4_000;

/** Count what was done for the caller's key. */
export function countUsage(
  { usage, principal, runtime }: RequestContext,
  amounts: Partial<queries.UsageAmounts>,
): void {
  usage.add(principal, amounts, runtime.nowMs());
}

/** Count messages that were stored for the caller's key. */
export function countStored(ctx: RequestContext, messages: { bytes: number }[]): void {
  const message_bytes = messages.reduce((sum, { bytes }) => sum + bytes, 0);
  countUsage(ctx, { messages: messages.length, message_bytes });
}

/**
 * See to it that what is counted is written behind the answer, whether or not another request comes.
 *
 * @param fromMs when the work began, behind the answer or with it, that watches over the counts.
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

/** Write all that is counted. @throws what the database threw; then the counts wait for the next write. */
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

/** A page of the organization's usage, newest day first. */
export async function listUsage(
  ctx: RequestContext,
  input: {
    from: string | undefined;
    to: string | undefined;
    keyId: string | undefined;
    limit: number | undefined;
    cursor: string | undefined;
    withTotal: boolean;
  },
): Promise<{ items: Usage[]; next_cursor: string | null; total?: number }> {
  const { organizationId, agentId } = ctx.principal;
  const filter = { from: input.from ?? null, to: input.to ?? null, keyId: input.keyId ?? null };
  const scope: CursorScope = { list: "usage", organizationId, agentId, parameters: filter };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const { usage, total } = await queries.selectUsage(ctx.db, {
    organizationId,
    ...filter,
    after: await fromCursor(scope, input.cursor, isPosition),
    limit: limit + 1,
    withTotal: input.withTotal,
  });
  return toPage(scope, usage, { limit, total, positionOf: ({ day, key_id }) => [day, key_id ?? ""] });
}

const isPosition = (value: unknown): value is queries.UsagePosition =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
