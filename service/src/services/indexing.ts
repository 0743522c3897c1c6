import type { ServiceContext } from "../context.ts";
import { indexConversations } from "../indexing/run.ts";
import { slices } from "../ports/calls.ts";
import { type DueConversation, selectDueConversations } from "../queries/index-jobs.ts";
import { drawTurns } from "./turns.ts";
import { writeUsage } from "./usage.ts";

/** Conversations of one invocation, and its steps, so that it stays within D1's 1,000 statements. */
const CONVERSATIONS = 25;
const STEPS = 25;
/** Invocations side by side, and in all: 32 may come of one. */
const INVOCATIONS_AT_ONCE = 6;
const INVOCATIONS_MAX = 30;
/** How often a sweep looks for what is due, and how long it pauses between; the next begins after a minute. */
const LOOKS = 6;
const PAUSE_MS = 10_000;

/** Indexes conversations in an invocation of its own; resolves to whether something that it needs was down. */
export type IndexApart = (due: DueConversation[]) => Promise<boolean>;

/**
 * Index all that is due, and what will be before the next sweep: what failed waits for half a minute, and is
 * to be found a minute after what was down is back.
 */
export async function indexDue(ctx: ServiceContext, indexApart: IndexApart): Promise<void> {
  const endMs = ctx.runtime.nowMs() + (LOOKS - 1) * PAUSE_MS;
  let left = INVOCATIONS_MAX;
  for (let looks = 1; left > 0; ) {
    const limit = 1 + (Math.min(INVOCATIONS_AT_ONCE, left) - 1) * CONVERSATIONS;
    const [first, ...others] = await selectDueConversations(ctx.db, {
      nowMs: ctx.runtime.nowMs(),
      limit,
      turns: drawTurns(ctx),
    });
    if (first !== undefined) {
      left -= 1;
      // One first, alone: so long as it fails the others would, too.
      const isDown = await indexApart([first]);
      if (!isDown) {
        const shares = slices(others, CONVERSATIONS);
        left -= shares.length;
        // Conversations of one that dies are due again when their leases end.
        await Promise.allSettled(shares.map(indexApart));
        continue;
      }
    }
    const more = await selectDueConversations(ctx.db, { nowMs: endMs, limit: 1, turns: drawTurns(ctx) });
    if (more.length === 0 || looks === LOOKS) return;
    await ctx.runtime.after(PAUSE_MS, async () => {});
    looks += 1;
  }
}

/** Index some conversations, as far as one invocation reaches; resolves to whether something that it needs was down. */
export async function indexShare(ctx: ServiceContext, due: DueConversation[]): Promise<boolean> {
  const { indexed, failed } = await indexConversations(ctx, due, STEPS);
  let embedded = 0;
  for (const conversation of indexed) {
    const by = { organizationId: conversation.organizationId, keyId: null };
    ctx.usage.add(by, { embeddings: conversation.embedded }, ctx.runtime.nowMs());
    embedded += conversation.embedded;
  }
  // At once: there is no answer that would wait for it.
  if (embedded > 0) await writeUsage(ctx);
  return failed;
}
