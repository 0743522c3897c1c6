import type { ConversationModel, MemoryModel, OrganizationDeletion, OrganizationModel } from "./model.ts";
import { type Span, Write } from "./write.ts";

type Kept = Pick<ConversationModel | MemoryModel, "perils">;

/**
 * Record that a deletion was canceled. For each conversation and memory it is unknown whether the purge
 * removed it before.
 */
export function noteRestored(
  organization: OrganizationModel,
  { restoration }: OrganizationDeletion,
  step: number,
): void {
  if (restoration === null) return;
  restoration.done = step;
  for (const { perils } of [...organization.conversations, ...organization.memories]) {
    perils.push(new Write(step));
  }
}

/** Record that a read after the restoration found the item, so that it has survived. */
export function noteSeen({ perils }: Kept, { begin }: Span): void {
  for (const peril of perils) if (peril.sent <= begin) peril.isRefused ||= peril.done > begin;
}

/** Record that a read after the restoration did not find the item, so that it is gone. */
export function noteMissed({ perils }: Kept, { begin, end }: Span): void {
  for (const peril of perils) if (peril.sent <= begin) peril.done = Math.min(peril.done, end);
}
