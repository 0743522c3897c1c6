import type { ConversationModel, MemoryModel, OrganizationDeletion, OrganizationModel } from "./model.ts";
import { type Span, Write } from "./write.ts";

type Kept = Pick<ConversationModel | MemoryModel, "perils">;

/** Note that a deletion was called off: of each conversation and memory it is open whether it was hidden before. */
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

/** Note that it was seen after its organization was back, so that it has survived for good. */
export function noteSeen({ perils }: Kept, { begin }: Span): void {
  for (const peril of perils) if (peril.sent <= begin) peril.isRefused ||= peril.done > begin;
}

/** Note that it was missed after its organization was back, so that it is gone for good. */
export function noteMissed({ perils }: Kept, { begin, end }: Span): void {
  for (const peril of perils) if (peril.sent <= begin) peril.done = Math.min(peril.done, end);
}
