/** Texts of the summaries of a conversation. They are loaded with them. */
export const SUMMARIES = {
  title: "Summaries",
  messages: "Messages",
  level: (level: number) => `Level ${level}`,
  levels: "Levels",
  levelText: (level: number) =>
    level === 1 ? "Each of up to 24 messages" : `Each of up to eight summaries of level ${level - 1}`,
  range: (first: number, last: number) => (first === last ? `Message ${first}` : `Messages ${first}–${last}`),
  soFar: "so far",
  soFarText: "A longer summary replaces it when the conversation has gone on.",
  verbatim: "Sentences of the messages, word for word",
  model: "Written by",
  none: "No summaries yet",
  noneText:
    "They are made of each 24 messages, and of the rest when nothing was stored for ten minutes and it has eight messages.",
  noSentences: "The messages have no sentence.",
  now: "Summarize now",
  pending: "Being made…",
  cites: (sequence: number) => `Message ${sequence}, which says so`,
} as const;
