/** Who says the messages of a conversation, in turns. A person without a name is the user of the assistant. */
type Speaker = "user" | "assistant" | "nina" | "daniel" | "sara" | "oskar";

interface TalkSession {
  /** Its messages are `<id>.1` to `<id>.6`. */
  id: string;
  at: string;
  /** The first one begins. */
  speakers: [Speaker, Speaker];
}

export const MESSAGES_PER_SESSION = 6;

/** What all languages share: everything except the texts, which proof/bench/languages holds. */
export const SESSIONS: readonly TalkSession[] = [
  { id: "flat", at: "2025-01-14T18:05:00Z", speakers: ["user", "assistant"] },
  { id: "lisbon", at: "2025-02-03T19:30:00Z", speakers: ["user", "assistant"] },
  { id: "card", at: "2025-02-20T08:12:00Z", speakers: ["user", "assistant"] },
  { id: "van", at: "2025-03-05T20:41:00Z", speakers: ["nina", "daniel"] },
  { id: "knee", at: "2025-04-01T07:50:00Z", speakers: ["user", "assistant"] },
  { id: "soup", at: "2025-04-15T17:20:00Z", speakers: ["user", "assistant"] },
  { id: "notes", at: "2025-04-22T10:02:00Z", speakers: ["user", "assistant"] },
  { id: "vienna", at: "2025-05-09T21:15:00Z", speakers: ["sara", "nina"] },
  { id: "refund", at: "2025-05-27T12:33:00Z", speakers: ["user", "assistant"] },
  { id: "cake", at: "2025-06-24T16:08:00Z", speakers: ["user", "assistant"] },
  { id: "upload", at: "2025-07-03T13:45:00Z", speakers: ["oskar", "nina"] },
  { id: "hike", at: "2025-07-21T18:26:00Z", speakers: ["user", "assistant"] },
];

/** Ids of the messages that answer each question. An id begins with the kind of the question. */
export const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  "inflected.1": ["van.3"],
  "inflected.2": ["flat.3"],
  "inflected.3": ["flat.4"],
  "inflected.4": ["lisbon.3"],
  "inflected.5": ["card.1"],
  "inflected.6": ["van.4"],
  "inflected.7": ["knee.5"],
  "inflected.8": ["soup.2"],
  "inflected.9": ["notes.5"],
  "inflected.10": ["vienna.1"],
  "inflected.11": ["vienna.2"],
  "inflected.12": ["refund.1"],
  "inflected.13": ["upload.2"],
  "inflected.14": ["hike.5"],
  "partial.1": ["flat.1"],
  "partial.2": ["flat.4"],
  "partial.3": ["lisbon.1"],
  "partial.4": ["lisbon.4"],
  "partial.5": ["card.3"],
  "partial.6": ["flat.3", "van.2"],
  "partial.7": ["van.6"],
  "partial.8": ["knee.3"],
  "partial.9": ["soup.5"],
  "partial.10": ["vienna.5"],
  "partial.11": ["refund.5"],
  "partial.12": ["cake.5"],
  "partial.13": ["notes.5", "upload.4"],
  "paraphrase.1": ["flat.5"],
  "paraphrase.2": ["lisbon.5"],
  "paraphrase.3": ["card.5"],
  "paraphrase.4": ["van.6"],
  "paraphrase.5": ["knee.5"],
  "paraphrase.6": ["soup.2"],
  "paraphrase.7": ["notes.1"],
  "paraphrase.8": ["vienna.6"],
  "paraphrase.9": ["refund.4"],
  "paraphrase.10": ["cake.2"],
  "paraphrase.11": ["upload.5"],
  "paraphrase.12": ["hike.4"],
  "paraphrase.13": ["hike.1"],
};
