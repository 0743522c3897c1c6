const few = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`);

/** Texts of the interface that the first screen does not need. They are loaded with the screens that show them. */
export const LATER = {
  memory: {
    validFrom: "Valid from",
    validUntil: "Valid until",
    occurred: "Happened",
    supersedes: "Replaces",
    supersededBy: "Replaced by",
    gone: "deleted, or not visible to this key",
    fromConversation: "From conversation",
    fromMessage: "From message",
    times: "When it is true",
    timesNote: "In local time. Empty for no limit",
  },
  sources: {
    title: "Sources",
    note: "The messages that this memory was derived from.",
    states: { intact: "Intact", edited: "Edited", deleted: "Deleted" },
    stateTexts: {
      intact: "The message is as it was when it was cited.",
      edited: "The message was edited after it was cited.",
      deleted: "The message was deleted.",
    },
    message: (sequence: number) => `Message ${sequence}`,
    lost: "The message was edited. It no longer has the cited text, or all of it was cited.",
    gone: "The cited text was deleted with its message.",
  },
  versions: {
    title: "Versions",
    one: "It has not changed since it was stored.",
    now: "Current",
    by: "by",
    nobody: "a key that is not known",
    first: "Stored",
    /** A version has every field but the sources. */
    onlySources: "Only its sources changed.",
    whole: "Show this version",
    none: "none",
    fields: {
      content: "Content",
      tags: "Tags",
      summary: "Summary",
      kind: "Kind",
      source: "Captured from",
      user_id: "User",
      metadata: "Metadata",
      parts: "Parts",
      valid_from: "Valid from",
      valid_until: "Valid until",
      occurred_at: "Happened",
      supersedes: "Replaces",
      superseded_by: "Replaced by",
    },
  },
  conflicts: {
    title: "Possible conflicts",
    note: "These memories may contradict the new one. They were found by fixed rules, so both may be true.",
    end: "End it now",
    dismiss: "Keep all",
  },
  memoryBulk: {
    deleteTitle: "Delete memories",
    deleteCount: (count: number) => (count === 1 ? "Delete 1 memory" : `Delete ${count} memories`),
    deleteQuestion: (count: number) =>
      `${count === 1 ? "1 memory" : `${count} memories`} with all earlier versions will be removed from every response at once, and for good within minutes. This cannot be undone.`,
    deleted: (count: number) => `${count === 1 ? "1 memory" : `${count} memories`} deleted.`,
  },
  tombstones: {
    title: "Tombstones",
    note: "What was deleted and must not come back. A tombstone has hashes and numbers, no text.",
    none: "No tombstones",
    noneText:
      "A deletion with “never take it back in” leaves one here, and so does each deletion of a user’s data.",
    kinds: {
      message: "A message",
      conversation: "A conversation",
      conversations: "Conversations by filter",
      memory: "A memory",
      memories: "Memories by filter",
      user: "All data of a user",
    },
    what: "Deleted",
    counts: (conversations: number, messages: number, memories: number) =>
      [
        conversations > 0 && few(conversations, "conversation"),
        messages > 0 && few(messages, "message"),
        memories > 0 && (memories === 1 ? "1 memory" : `${memories} memories`),
      ]
        .filter(Boolean)
        .join(", ") || "nothing yet",
    lift: "Lift",
    liftTitle: "Lift tombstone",
    liftText:
      "Nothing comes back by itself: what was deleted stays deleted. But from the next request on, it is stored again if a client or an import sends it.",
    liftUser: "The service then stores data for this user again.",
    liftOther: "What another tombstone covers, too, stays refused. This cannot be undone.",
  },
  agents: {
    title: "Coding agents",
    note: "Hooks of Claude Code and Codex store sessions and give context. On each machine, `engram doctor` says whether its client has logged what was not stored, and the last error.",
    stored: "Last stored",
    nothing: "Nothing stored yet",
  },
  grants: {
    title: "Connected clients",
    note: "Clients such as claude.ai, ChatGPT and coding agents that somebody has allowed access by signing in.",
    none: "No connected clients",
    noneText: "Give a client the address of the MCP endpoint, without a key. It then asks you to sign in.",
    client: "Client",
    notVerified: "not verified",
    end: "Disconnect",
    endTitle: "Disconnect client",
    endText: "Its next request fails. The key stays active, and the client can ask again.",
  },
  usage: {
    title: "Usage",
    note: "Per day and key, for monitoring.",
    totals: "Totals of the days shown",
    from: "From (UTC)",
    to: "To (UTC)",
    noKey: "without a key",
    per: "Per",
    dayAndKey: "day and key",
    noUser: "keys of no user",
    noteOfUsers:
      "Sums per user that keys are bound to. Keys of no user are one row, whatever user their requests name.",
    none: "No usage",
    noneText: "Usage appears about a minute after a request.",
  },
  settings: {
    title: "Settings",
    note: "They hold for all keys of the organization.",
    organization: "Organization",
    onSourceDeleted: "When a message that a memory cites is deleted or edited",
    onSourceDeletedNote:
      "In any case, the cited text leaves the memory’s sources with the message, and the source says what happened.",
    choices: {
      keep: ["Keep the memory", "Nothing else happens."],
      flag: ["Flag the memory", "It counts as updated, with an event, so that somebody can check it."],
      delete: [
        "Delete the memory",
        "After an edit only if the message no longer has the cited text, or was cited as a whole. Otherwise it is flagged.",
      ],
    },
    saved: "Saved. It holds from now on; what happened before does not change.",
  },
  organizations: {
    title: "Organizations",
    note: "All tenants of this service. Their data is shown only to their own keys.",
    none: "No organizations",
    noneText: "Each organization has its own data and keys. Create the first one.",
    create: "Create organization",
    firstKey: "The secret of its first key, which has every scope. It is shown this once and is not stored.",
    deleted: "Deleted",
    delete: "Delete",
    deleteQuestion: (name: string) =>
      `“${name}”: its keys stop working at once and its data is removed from every response, and for good within minutes.`,
    never: "never",
  },
} as const;
