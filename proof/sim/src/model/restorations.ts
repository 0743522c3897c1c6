import type { ConversationModel, MemoryModel, OrganizationDeletion, OrganizationModel } from "./model.ts";
import { type Span, Write } from "./write.ts";

type RestorableItem = Pick<ConversationModel | MemoryModel, "hazards">;

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
  for (const { hazards } of [...organization.conversations, ...organization.memories]) {
    hazards.push(new Write(step));
  }
}

/** Record that a read after the restoration found the item, so that it has survived. */
export function noteSeen({ hazards }: RestorableItem, { begin }: Span): void {
  for (const hazard of hazards) if (hazard.sent <= begin) hazard.isRefused ||= hazard.done > begin;
}

/** Record that a read after the restoration did not find the item, so that it is gone. */
export function noteMissed({ hazards }: RestorableItem, { begin, end }: Span): void {
  for (const hazard of hazards) if (hazard.sent <= begin) hazard.done = Math.min(hazard.done, end);
}
