import { formatNumber } from "./format.ts";

const some = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
const itemsOf = (conversations: number, memories: number): string =>
  `${some(conversations, "conversation")} and ${some(memories, "memory", "memories")}`;

/** Texts of rules of retention. They are loaded with their screen. */
export const RETENTION = {
  title: "Retention",
  note: "What is deleted at which age. What is under legal hold stays.",
  none: "No rules",
  noneText: "Without a rule, nothing is deleted because of its age. A rule can only count at first.",
  create: "Create rule",
  preview: "Preview",
  kind: "What to delete",
  kinds: {
    conversations: "Conversations",
    memories: "Memories",
    events: "Events",
    usage: "Usage",
    audit_events: "Audit events",
    recalls: "Receipts of recall",
  },
  olderThanDays: "Age in days",
  by: "The age counts by",
  times: {
    created_at: "Created",
    updated_at: "Updated",
    last_message_at: "Last message",
  },
  only: "Only those of",
  onlyNote: "Empty for all",
  dryRun: "Only count",
  dryRunText: "The rule deletes nothing until you switch that off.",
  rule: "Rule",
  age: (days: number) => `Older than ${some(days, "day")}`,
  lastApplied: "Last applied",
  never: "Not yet",
  matched: "Matched",
  held: "Kept under legal hold",
  samples: "Such as",
  counts: "Only counts",
  deletes: "Deletes",
  willMatch: (count: number, isWhole: boolean) =>
    `Now, it would delete ${isWhole ? "" : "at least "}${formatNumber(count)}.`,
  startDeleting: "Start deleting",
  startText:
    "Within about a minute, what the rule matches is deleted: from every response at once, and for good within minutes. This cannot be undone.",
  stopDeleting: "Only count",
  stopText: "The rule deletes nothing more. A deletion that has begun goes on.",
  delete: "Delete rule",
  deleteText: "The rule is not applied again. A deletion that has begun goes on.",
} as const;

/** Texts of legal holds. They are loaded with their screen. */
export const HOLDS = {
  title: "Legal holds",
  one: "Legal hold",
  note: "What nobody can delete or edit. Messages can still be added, and everything can be read.",
  none: "No active holds",
  noneText: "A hold keeps conversations and memories, whatever a key, a rule or a user’s deletion says.",
  create: "Create hold",
  reason: "Reason",
  held: "What is held",
  ids: "Ids of conversations and memories",
  matching: "Or all with",
  matchingNote: "Also those that are stored later. Without ids and conditions, everything is held",
  corpus: "Of",
  corpora: { conversations: "Conversations", memories: "Memories" },
  both: "Both",
  everything: "Everything",
  someIds: (count: number) => some(count, "id"),
  now: "Now held",
  counts: (conversations: number, memories: number, isWhole: boolean) =>
    `${isWhole ? "" : "At least "}${itemsOf(conversations, memories)}`,
  createdBy: "Created by",
  lifted: "Lifted",
  liftedBy: "Lifted by",
  lift: "Lift",
  liftTitle: "Lift hold",
  liftText:
    "What no other hold keeps can be edited and deleted again, and deletions of users that waited go on. This cannot be undone.",
} as const;

/** Texts of archives. They are loaded with their screen. */
export const ARCHIVES = {
  title: "Archives",
  note: "Copies of all conversations and memories, in an object store. They outlive what is deleted later.",
  none: "No archives",
  noneText:
    "An archive is written in the background. The command line reads one back: engram archive restore.",
  create: "Create archive",
  createText: "All conversations and memories are copied in the background.",
  expiresInDays: "Delete it after days",
  keepNote: "Empty to keep it until you delete it",
  writing: "Writing",
  complete: "Complete",
  contents: "Contents",
  counts: (conversations: number, messages: number, memories: number) =>
    `${some(conversations, "conversation")}, ${some(messages, "message")}, ${some(memories, "memory", "memories")}`,
  kept: "Until deleted",
  delete: "Delete archive",
  deleteText:
    "It is not listed any more at once, and its files are removed within minutes. One that is still written is canceled.",
  schedule: "Schedule",
  everyDays: "An archive each … days",
  everyNote: "Empty for none",
  keepDays: "Delete each after days",
  keepEach: "Empty to keep all",
  every: (days: number) => (days === 1 ? "Each day" : `Every ${formatNumber(days)} days`),
  keptFor: (days: number | null) => (days === null ? "kept until deleted" : `kept for ${some(days, "day")}`),
  next: "Next one",
  notScheduled: "The schedule cannot be shown",
  noStore: "This service has no object store",
  noStoreText: "Archives need one: an R2 bucket with the binding ARCHIVES. Everything else works without it.",
} as const;
