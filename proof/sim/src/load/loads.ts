import type { ServiceLimits } from "../../../../service/src/limits.ts";

export interface Load {
  minutes: number;
  /** Each appends one message. */
  appendsPerSecond: number;
  organizations: number;
  /** Conversations that exist at the same time. Each append picks one at random, some more often than others. */
  conversations: number;
  /** Deletions of messages for each append. */
  messageDeletions: number;
  /** Deletions of conversations for each append. */
  conversationDeletions: number;
  /** The amounts that one step or sweep processes are divided by this number. */
  divisor: number;
}

/**
 * Half of the conversations get a message less often than every 40 seconds. The service waits 15 seconds for a further
 * message, so it indexes the end of such a conversation after each append.
 */
export const LOADS = {
  hour: {
    ...{ minutes: 60, appendsPerSecond: 50, organizations: 4, conversations: 2_000, divisor: 1 },
    ...{ messageDeletions: 0.02, conversationDeletions: 0.002 },
  },
  day: {
    ...{ minutes: 1_440, appendsPerSecond: 1, organizations: 4, conversations: 40, divisor: 50 },
    ...{ messageDeletions: 0.02, conversationDeletions: 0.002 },
  },
} as const satisfies Record<string, Load>;

export type LoadName = keyof typeof LOADS;

/** Amounts per step or sweep. Numbers of steps and rounds stay as they are, so that the work is divided once. */
const AMOUNTS = [
  "softDeleteStepConversations",
  "indexStepMessages",
  "sweepOrganizations",
  "sweepRows",
  "purgeStepConversations",
  "purgeStepMessages",
  "mergeSweepPages",
  "deleteRoundVectors",
  "closeSweepOperations",
  "repairStepConversations",
  "forgetRoundKeys",
  "enrichRunMemories",
  "backfillStepJobs",
] as const satisfies (keyof ServiceLimits)[];

export function divideLimits(limits: ServiceLimits, divisor: number): ServiceLimits {
  const divided = AMOUNTS.map((name) => [name, Math.ceil(limits[name] / divisor)]);
  return { ...limits, ...Object.fromEntries(divided) };
}
