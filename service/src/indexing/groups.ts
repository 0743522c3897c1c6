import type { ServiceContext } from "../context.ts";
import { isMemoryId } from "../platform/ids.ts";
import type { DueConversation } from "./jobs-queries.ts";
import { createRun } from "./leases.ts";
import { indexTogether } from "./run.ts";

/** Number of memories that are indexed together. It is limited, because each can have a megabyte. */
const GROUP_MEMORIES = 10;
/**
 * Pause between two groups, in which other requests of the isolate run. Short texts never fill a slice of `Pace`, so
 * without it a backlog of them would keep all requests waiting for seconds.
 */
const PAUSE_MS = 5;

/**
 * Indexes conversations one after the other, and memories in groups, in at most `stepsMax` steps. Resolves to the
 * number of texts that were embedded for each. Ends at the first failure, because the others would probably fail too.
 */
export async function indexConversations(
  ctx: ServiceContext,
  due: DueConversation[],
  stepsMax: number,
): Promise<{ indexed: { organizationId: string; embedded: number }[]; failed: boolean }> {
  const indexed: { organizationId: string; embedded: number }[] = [];
  const byKind = [true, false].flatMap((kind) =>
    due.filter(({ conversationId }) => isMemoryId(conversationId) === kind),
  );
  let steps = 0;
  while (indexed.length < due.length && steps < stepsMax) {
    if (indexed.length > 0) await ctx.runtime.pause(PAUSE_MS);
    const stepsLeft = stepsMax - steps;
    const group = nextGroup(byKind.slice(indexed.length), Math.min(GROUP_MEMORIES, stepsLeft));
    const runs = group.map((conversation) => createRun(ctx, conversation));
    await indexTogether(ctx, runs, Math.floor(stepsLeft / group.length));
    for (const run of runs) indexed.push({ organizationId: run.due.organizationId, embedded: run.embedded });
    if (runs.some(({ failed }) => failed)) return { indexed, failed: true };
    steps += runs.reduce((sum, run) => sum + run.steps, 0);
  }
  return { indexed, failed: false };
}

/** The first items of the list, if they are memories: at most `memoriesMax`. Otherwise its first conversation. */
function nextGroup(due: DueConversation[], memoriesMax: number): DueConversation[] {
  const groupEnd = due.findIndex(({ conversationId }) => !isMemoryId(conversationId));
  return due.slice(0, Math.max(1, Math.min(memoriesMax, groupEnd === -1 ? due.length : groupEnd)));
}
