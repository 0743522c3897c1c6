import type { Invocation } from "../invocation.ts";
import { batch, run } from "../platform/sql.ts";
import * as queries from "./rebuild-queries.ts";

/**
 * After the rules for words have changed, queues conversations and memories whose words the keyword index has by the
 * earlier rules. None while as many are still queued, so that the queue has a maximum length.
 */
export async function queueKeywordIndexRebuild(invocation: Invocation): Promise<void> {
  const limit = invocation.limits.repairStepConversations;
  if (await run(invocation.db, queries.isRebuildWaiting(limit)))
    await batch(invocation.db, queries.queuedRebuildStep({ nowMs: invocation.runtime.nowMs(), limit }));
}
