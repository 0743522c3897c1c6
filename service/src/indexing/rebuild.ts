import type { ServiceContext } from "../context.ts";
import { batch, run } from "../platform/sql.ts";
import * as queries from "./rebuild-queries.ts";

/**
 * After the rules for words have changed, queues conversations and memories whose words the keyword index has by the
 * earlier rules. None while as many are still queued, so that the queue has a maximum length.
 */
export async function queueKeywordIndexRebuild(ctx: ServiceContext): Promise<void> {
  const limit = ctx.limits.repairStepConversations;
  if (await run(ctx.db, queries.isRebuildWaiting(limit)))
    await batch(ctx.db, queries.queuedRebuildStep({ nowMs: ctx.runtime.nowMs(), limit }));
}
