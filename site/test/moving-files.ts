export const created_at = "2025-03-04T05:06:07.000Z";
/** The files that the programs of moving.md read, by their headings, with a content that is stored then. */
export const FILES = {
  "From mem0": {
    file: "memories.json",
    content: [
      {
        id: "f1",
        memory: "Is allergic to walnuts",
        userId: "maria",
        metadata: null,
        createdAt: created_at,
      },
    ],
    stored: "Is allergic to walnuts",
  },
  "From Zep": {
    file: "threads.json",
    content: [
      {
        threadId: "t1",
        userId: "maria",
        messages: [
          {
            uuid: "m1",
            role: "user",
            name: "Maria",
            content: "The lamp hums at night.",
            createdAt: created_at,
          },
        ],
      },
    ],
    stored: "The lamp hums at night.",
  },
  "From Memex and other stores of notes": {
    file: "thoughts.json",
    content: [
      {
        content: "The boiler wants bleeding in October.",
        source: "slack",
        tags: ["house"],
        summary: null,
        metadata: null,
        created_at: Date.parse(created_at),
      },
    ],
    stored: "The boiler wants bleeding in October.",
  },
  "From an agent platform's memory tools": {
    file: "memories.json",
    content: [
      {
        id: "01JNG",
        agent_id: "triage",
        content: "Order 3310 was delayed by customs.",
        metadata: { order: 3310 },
        created_at,
      },
    ],
    stored: "Order 3310 was delayed by customs.",
  },
  "From Engram-compatible services": {
    file: "conversations.json",
    content: [
      {
        conversation: { id: "c1", title: null, agent_id: null, tags: ["a"], metadata: {} },
        messages: [{ id: "m1", role: "assistant", content: "Sent on Tuesday.", created_at }],
      },
    ],
    stored: "Sent on Tuesday.",
  },
};
