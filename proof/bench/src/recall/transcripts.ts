import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { MessageRole } from "@engram/sdk";
import {
  countWords,
  type Dialogue,
  type DialogueSet,
  type Session,
  type Turn,
  toEvidence,
} from "./dialogues.ts";
import { DataError } from "./locomo.ts";

/** A file of transcripts is JSON with these, compressed with gzip. */
export interface StoredDialogue {
  id: string;
  sessions: { id: string; title: string | null; at: string; msgs: StoredTurn[] }[];
  qs: { q: string; turns: string[]; cat: string; before?: string }[];
}
interface StoredTurn {
  id: string;
  role: MessageRole;
  name: string | null;
  content: string;
  at: string;
}

/** @throws {DataError} when the file cannot be read, or a question names a turn that it does not have. */
export async function loadTranscripts(path: string): Promise<DialogueSet> {
  try {
    const file = JSON.parse((await promisify(gunzip)(await readFile(path))).toString()) as StoredDialogue[];
    const dialogues = file.map(toDialogue);
    const categories = new Set(
      dialogues.flatMap(({ questions }) => questions.map(({ category }) => category)),
    );
    return {
      name: basename(path, ".json.gz"),
      categories: new Map([...categories].sort().map((category) => [category, category])),
      dialogues,
      unanswerable: [],
    };
  } catch (cause) {
    throw new DataError(`${path} holds no transcripts: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

/** @throws {Error} when a question names a turn that the dialogue does not have. */
export function toDialogue({ id, sessions: stored, qs }: StoredDialogue): Dialogue {
  const sessions = stored.map((session) => toSession(id, session)).filter(({ turns }) => turns.length > 0);
  const turns = new Map(sessions.flatMap((session) => session.turns).map((turn) => [turn.id, turn]));
  const questions = qs.map(({ q, turns: named, cat, before }) => {
    const evidence = named.map((name) => {
      const turn = turns.get(name);
      if (turn === undefined) throw new Error(`${id} has no turn ${name}`);
      return turn;
    });
    return {
      text: q,
      category: cat,
      dialogueId: id,
      ...toEvidence(evidence),
      ...(before !== undefined && { createdBefore: new Date(before).toISOString() }),
    };
  });
  return { id, sessions, questions: questions.filter(({ evidenceTurns }) => evidenceTurns.size > 0) };
}

function toSession(dialogueId: string, { id, title, msgs }: StoredDialogue["sessions"][number]): Session {
  const key = `${dialogueId}/${id}`;
  const turns = msgs.map(
    ({ id: turnId, role, name, content, at }): Turn => ({
      key: `${dialogueId}/${turnId}`,
      sessionKey: key,
      id: turnId,
      role,
      ...(name !== null && { name }),
      content,
      createdAtMs: Date.parse(at),
      words: countWords(name ?? role, content),
    }),
  );
  return { key, ...(title !== null && { title }), turns };
}
