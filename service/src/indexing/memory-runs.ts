import type { Invocation, KeyCaller, MemoryRun } from "../invocation.ts";
import type { DueConversation } from "../jobs/queries.ts";
import { RESPONSE_MS } from "../platform/runtime.ts";
import { countUsage } from "../usage/service.ts";
import { GROUP_SHORT_MEMORIES, indexConversations, indexLater, runInBackground } from "./service.ts";

/** Time in which a run of memories gathers writes for its next group: a large group takes as many calls as a small one. */
const GATHER_MS = 200;
/** How long a run of memories takes over what is written. Cloudflare ends background work after 30 seconds. */
const MEMORY_RUN_MS = 10_000;

/**
 * Indexes memories that a request has written, after its response. An isolate runs one such run of an organization at a
 * time: it takes over what is written meanwhile, so that memories written one by one are indexed in groups.
 */
export function indexMemoriesLater(caller: KeyCaller, due: DueConversation[], contentBytes: number): void {
  const { caches, limits, principal, runtime } = caller;
  if (contentBytes > limits.ordinaryIndexBytes) {
    indexLater(caller, due, contentBytes);
    return;
  }
  const write = { caller, due, contentBytes };
  const running = caches.memoryRuns.get(principal.organizationId);
  // Half of the steps stay for groups with less than the most memories.
  const memoriesMax = (limits.indexRunSteps / 2) * GROUP_SHORT_MEMORIES;
  if (running && running.untilMs > runtime.nowMs() && running.memories + due.length <= memoriesMax) {
    running.memories += due.length;
    running.waiting.push(write);
    return;
  }
  const run: MemoryRun = {
    untilMs: runtime.nowMs() + MEMORY_RUN_MS,
    memories: due.length,
    waiting: [write],
  };
  caches.memoryRuns.set(principal.organizationId, run);
  runInBackground(caller, (later) =>
    indexWaiting(later, run).finally(() => {
      if (caches.memoryRuns.get(principal.organizationId) === run)
        caches.memoryRuns.delete(principal.organizationId);
    }),
  );
}

async function indexWaiting(later: Invocation, run: MemoryRun): Promise<void> {
  const { limits, runtime } = later;
  let stepsLeft = limits.indexRunSteps;
  for (let pauseMs = RESPONSE_MS; run.waiting.length > 0 && stepsLeft > 0; pauseMs = GATHER_MS) {
    await runtime.pause(pauseMs);
    const writes = nextWrites(run.waiting, limits.ordinaryIndexBytes);
    // Each memory once, though several writes may have changed it.
    const memories = new Map(
      writes.flatMap(({ caller, due }) => due.map((one) => [one.conversationId, { caller, one }])),
    );
    const { indexed, steps } = await indexConversations(
      later,
      [...memories.values()].map(({ one }) => one),
      { stepsMax: stepsLeft, groupMemories: GROUP_SHORT_MEMORIES },
    );
    for (const { conversationId, embedded } of indexed) {
      const caller = memories.get(conversationId)?.caller;
      if (caller !== undefined) countUsage(caller, { embeddings: embedded });
    }
    stepsLeft -= steps;
    // The next write then begins a run of its own. This one has steps left for what waits already.
    if (stepsLeft <= limits.indexRunSteps / 2) run.untilMs = runtime.nowMs();
  }
}

/** Removes the first writes from the list: as many as have at most `bytesMax` together, and at least one. */
function nextWrites(waiting: MemoryRun["waiting"], bytesMax: number): MemoryRun["waiting"] {
  let count = 0;
  let bytes = 0;
  for (const { contentBytes } of waiting) {
    bytes += contentBytes;
    if (count > 0 && bytes > bytesMax) break;
    count += 1;
  }
  return waiting.splice(0, count);
}
