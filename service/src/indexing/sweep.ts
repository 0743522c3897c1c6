import type { Invocation } from "../invocation.ts";
import { type DueConversation, selectDueConversations } from "../jobs/queries.ts";
import { slices } from "../platform/calls.ts";
import { drawRound } from "../platform/round-robin.ts";
import { writeUsage } from "../usage/service.ts";
import { indexConversations } from "./service.ts";

/** Maximum number of conversations in one invocation of the Worker. */
const CONVERSATIONS = 25;
/** Maximum number of indexing steps in one invocation, in which D1 runs at most 1,000 statements. */
const STEPS = 25;
/** How many invocations run at the same time. */
const INVOCATIONS_AT_ONCE = 6;
/** How many invocations for indexing a sweep starts. Cloudflare lets one invocation start 32, others included. */
export const INVOCATIONS_MAX = 21;
/** Maximum number of checks for due jobs that index nothing, in one sweep of D1, which starts every minute. */
const LOOKS = 6;

/**
 * Indexes conversations in a separate invocation. Resolves to true if indexing failed, so that the model or the
 * vector store is probably down.
 */
export type InvokeIndex = (due: DueConversation[]) => Promise<boolean>;

/**
 * Indexes what is due now and, in D1, what becomes due before the next sweep, in at most `INVOCATIONS_MAX` invocations.
 * Failed jobs are due again after 30 to 40 seconds, so they are tried within a minute after an outage.
 */
export async function indexDue(invocation: Invocation, invokeIndex: InvokeIndex): Promise<void> {
  const pauseMs = invocation.limits.indexPauseMs;
  // A cell is not kept awake for what becomes due: its alarm comes again then.
  const looksMax = invocation.db === invocation.directory ? LOOKS : 1;
  const endMs = invocation.runtime.nowMs() + (looksMax - 1) * pauseMs;
  let left = INVOCATIONS_MAX;
  for (let looks = 1; left > 0; ) {
    const limit = 1 + (Math.min(INVOCATIONS_AT_ONCE, left) - 1) * CONVERSATIONS;
    const [first, ...others] = await selectDueConversations(invocation.db, {
      nowMs: invocation.runtime.nowMs(),
      limit,
      round: drawRound(invocation),
    });
    if (first !== undefined) {
      left -= 1;
      // One conversation first, alone: as long as it fails, the others would fail too.
      const isDown = await invokeIndex([first]);
      if (!isDown) {
        const shares = slices(others, CONVERSATIONS);
        left -= shares.length;
        // Conversations of an invocation that dies are due again when their leases end.
        await Promise.allSettled(shares.map(invokeIndex));
        continue;
      }
    }
    if (looks === looksMax) return;
    const more = await selectDueConversations(invocation.db, {
      nowMs: endMs,
      limit: 1,
      round: drawRound(invocation),
    });
    if (more.length === 0) return;
    await invocation.runtime.after(pauseMs, async () => {});
    looks += 1;
  }
}

/** Indexes conversations within the limits of one invocation. Resolves to true if indexing failed. */
export async function indexShare(invocation: Invocation, due: DueConversation[]): Promise<boolean> {
  const { indexed, failed } = await indexConversations(invocation, due, { stepsMax: STEPS });
  let embedded = 0;
  for (const conversation of indexed) {
    const by = { organizationId: conversation.organizationId, keyId: null };
    invocation.usage.add(by, { embeddings: conversation.embedded }, invocation.runtime.nowMs());
    embedded += conversation.embedded;
  }
  // The usage is written at once, because no later request is sure to write it.
  if (embedded > 0) await writeUsage(invocation);
  return failed;
}
