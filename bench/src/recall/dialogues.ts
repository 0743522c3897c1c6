import type { MessageRole } from "@engram/sdk";

/** One thing said, as it is stored and as it is counted. */
export interface Turn {
  /** Unique among all dialogues: "26/D1:3". */
  key: string;
  /** Key of the session that holds it. */
  sessionKey: string;
  /** Unique in its session, where it is the message's `external_id`: "D1:3". */
  id: string;
  role: MessageRole;
  /** The speaker; undefined for who is only known by the role. */
  name?: string;
  /** Whose result it is, of a tool's turn. */
  toolName?: string;
  toolCallId?: string;
  content: string;
  createdAtMs: number;
  /** What it costs a model, in words: see `countWords`. */
  words: number;
}

/** One sitting, stored as one conversation. */
export interface Session {
  /** Unique among all dialogues: "26/session_1". */
  key: string;
  title?: string;
  agentId?: string;
  userId?: string;
  /** Oldest first, at least one. */
  turns: Turn[];
}

export interface Question {
  text: string;
  /** A key of the set's categories. */
  category: string;
  /** Id of the dialogue that it is about. */
  dialogueId: string;
  /** Keys of the turns that answer it, at least one. */
  evidenceTurns: ReadonlySet<string>;
  /** Keys of the sessions that hold them. */
  evidenceSessions: ReadonlySet<string>;
}

/** A question about what is spoken of that no turn answers. */
export interface UnanswerableQuestion {
  text: string;
  /** Id of the dialogue that it is about. */
  dialogueId: string;
}

/** What belongs into one memory: all sessions of the same people, and what is asked about them. */
export interface Dialogue {
  /** Unique in its set. */
  id: string;
  sessions: Session[];
  /** Those that are scored. */
  questions: Question[];
}

/** Something to measure recall with. */
export interface DialogueSet {
  /** What floors and organizations call it. */
  name: string;
  /** What each category is called in tables, in their order. */
  categories: ReadonlyMap<string, string>;
  dialogues: Dialogue[];
  /** For judging what a search says of its own answers. */
  unanswerable: UnanswerableQuestion[];
}

/**
 * Words of a turn as a model reads it: `[name]: content`, parted by blanks. Of writing without blanks
 * (Chinese, Japanese) each character is a word.
 */
export function countWords(name: string, content: string): number {
  return (
    `[${name}]: ${content}`.match(
      /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+/gu,
    )?.length ?? 0
  );
}

/** The evidence of a question about these turns. */
export function toEvidence(turns: readonly Turn[]): Pick<Question, "evidenceTurns" | "evidenceSessions"> {
  return {
    evidenceTurns: new Set(turns.map((turn) => turn.key)),
    evidenceSessions: new Set(turns.map((turn) => turn.sessionKey)),
  };
}
