/** Texts of traces. They are loaded with their screen. */
export const TRACES = {
  ofConversation: (title: string) => `Trace of ${title}`,
  ofRequest: "Trace of a request",
  noteOfConversation: "What read its messages, what changed them, and what was made of them.",
  noteOfRequest: "What the request changed, and the answers that had it.",
  openConversation: "Open the conversation",
  readers: "Answers that had its messages",
  readersOfRequest: "Answers that had what it changed",
  noReaders: "No recorded search or context had any.",
  answer: "Answer",
  count: "Its items",
  found: (found: string) => (found === "1" ? "1 receipt" : `${found} receipts`),
  looked: (found: string, looked: string) =>
    `${found} in the newest ${looked === "1" ? "receipt" : `${looked} receipts`}`,
  further: "Look further back",
  writers: "Changes",
  writersNote: "Events of the last seven days, and audit events with who did it and by which request.",
  noWriters: "No change of the last seven days",
  auditForbidden: "Audit events are shown to a key with the scope admin.",
  noRequest: "No audit event has this request id",
  noRequestText:
    "Deletions, exports, and changes of keys, webhooks and settings leave one. Reads and appends do not.",
  derived: "Memories derived from it",
  noDerived: "No memory cites its messages.",
  summaries: "Summaries",
  all: "Show all",
  trace: "Trace",
} as const;
