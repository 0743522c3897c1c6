/**
 * How much one request, or one step of background work, may cost, whatever is stored and whatever is asked.
 *
 * docs/limits.md lists them with the limits of the contract (spec/src/limits.ts). They are injected, so that a test
 * can reach a boundary with three rows.
 */
export interface ServiceLimits {
  /** Conversations that one step of a bulk deletion hides. */
  hideStepConversations: number;
  /** Conversations of a deleted organization that one sweep hides. */
  hideSweepConversations: number;
}

export const SERVICE_LIMITS: ServiceLimits = {
  hideStepConversations: 1_000,
  hideSweepConversations: 1_000,
};
