import type { MessageRole } from "@engram/sdk";

export interface Turn {
  /** Unique among all dialogues: "26/D1:3". */
  key: string;
  sessionKey: string;
  /** Unique in its session, and the message's `external_id`: "D1:3". */
  id: string;
  role: MessageRole;
  /** The speaker; undefined when only the role is known. */
  name?: string;
  /** The tool's name, for the turn of a tool. */
  toolName?: string;
  toolCallId?: string;
  content: string;
  createdAtMs: number;
  /** Estimated cost for a model, in words: see `countWords`. */
  words: number;
}

/** A session is stored as one conversation. */
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
  /** The data's own id, if it has one. */
  id?: string;
  text: string;
  category: string;
  dialogueId: string;
  /** Keys of the turns that answer it, at least one. */
  evidenceTurns: ReadonlySet<string>;
  evidenceSessions: ReadonlySet<string>;
  /** Only messages before this time are searched. ISO 8601, UTC. */
  createdBefore?: string;
}

/** A question on a topic of the dialogue that no turn answers. */
export interface UnanswerableQuestion {
  text: string;
  dialogueId: string;
}

/** The content of one memory: all sessions of the same people, and the questions about them. */
export interface Dialogue {
  id: string;
  sessions: Session[];
  /** Only questions that are scored. */
  questions: Question[];
}

export interface DialogueSet {
  /** Name in the floors file, and of organizations. */
  name: string;
  /** Titles of the categories in tables, in their order. */
  categories: ReadonlyMap<string, string>;
  dialogues: Dialogue[];
  /** Used to judge the relevance that searches report. */
  unanswerable: UnanswerableQuestion[];
}

/**
 * Words of a turn as a model reads it: `[name]: content`, separated by white space. In scripts without spaces
 * (Chinese, Japanese), each character is a word.
 */
export function countWords(name: string, content: string): number {
  return (
    `[${name}]: ${content}`.match(
      /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+/gu,
    )?.length ?? 0
  );
}

export function toEvidence(turns: readonly Turn[]): Pick<Question, "evidenceTurns" | "evidenceSessions"> {
  return {
    evidenceTurns: new Set(turns.map((turn) => turn.key)),
    evidenceSessions: new Set(turns.map((turn) => turn.sessionKey)),
  };
}
