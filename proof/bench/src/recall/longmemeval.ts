import { readFile } from "node:fs/promises";
import type { MessageRole } from "@engram/sdk";
import { countWords, type Dialogue, type DialogueSet, type Session, type Turn } from "./dialogues.ts";
import { DataError } from "./locomo.ts";
import type { QuestionLine } from "./question-lines.ts";

/** The published file: a list of questions, each with a history of its own. */
interface Entry {
  question_id: string;
  question_type: string;
  question: string;
  haystack_session_ids: string[];
  /** "2023/05/20 (Sat) 02:21", UTC is assumed. */
  haystack_dates: string[];
  haystack_sessions: { role: MessageRole; content: string; has_answer?: boolean }[][];
  answer_session_ids: string[];
}

/** Ends the id of a question that its history does not answer. */
const ABSTENTION = "_abs";

/** @throws {DataError} when the file cannot be read or has another layout. */
export async function loadLongMemEval(path: string): Promise<DialogueSet> {
  try {
    return toLongMemEval(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    throw new DataError(`${path} is no LongMemEval: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

/** Questions without an answer are left out, as LongMemEval's own scorer leaves them out. */
export function toLongMemEval(entries: readonly Entry[]): DialogueSet {
  const answered = entries.filter(({ question_id }) => !question_id.endsWith(ABSTENTION));
  const types = [...new Set(answered.map(({ question_type }) => question_type))].sort();
  return {
    name: "longmemeval",
    categories: new Map(types.map((type) => [type, type])),
    dialogues: answered.map(toDialogue),
    unanswerable: [],
  };
}

function toDialogue(entry: Entry): Dialogue {
  const id = entry.question_id;
  const found = entry.haystack_sessions.map((turns, index) => toSession(entry, turns, index));
  const evidenceSessions = new Set(entry.answer_session_ids.map((session) => `${id}/${session}`));
  const flagged = found.flatMap(({ evidence }) => evidence);
  // A question without a labelled turn is still scored by its sessions: any of their turns counts.
  const turns = found.flatMap(({ session }) => session.turns);
  const evidence =
    flagged.length > 0 ? flagged : turns.filter(({ sessionKey }) => evidenceSessions.has(sessionKey));
  if (evidence.length === 0) throw new Error(`${id} has no turn of answer_session_ids`);
  return {
    id,
    sessions: found.flatMap(({ session }) => (session.turns.length > 0 ? [session] : [])),
    questions: [
      {
        id,
        text: entry.question,
        category: entry.question_type,
        dialogueId: id,
        evidenceTurns: new Set(evidence.map(({ key }) => key)),
        evidenceSessions,
      },
    ],
  };
}

function toSession(entry: Entry, stored: Entry["haystack_sessions"][number], index: number) {
  const name = entry.haystack_session_ids[index];
  const date = entry.haystack_dates[index];
  const startedAtMs = Date.parse(`${date?.replace(/ \(\w+\)/, "").replaceAll("/", "-")}Z`);
  if (name === undefined || Number.isNaN(startedAtMs)) {
    throw new Error(`${entry.question_id} has no id or date of session ${index + 1}`);
  }
  const key = `${entry.question_id}/${name}`;
  // Numbered from 1 over all turns, as LongMemEval's scorer numbers them.
  const turns = stored.map(
    ({ role, content }, turn): Turn => ({
      key: `${key}_${turn + 1}`,
      sessionKey: key,
      id: `${name}_${turn + 1}`,
      role,
      content,
      createdAtMs: startedAtMs + turn * 1_000,
      words: countWords(role, content),
    }),
  );
  const isStored = ({ content }: Turn) => content.trim() !== "";
  const session: Session = { key, turns: turns.filter(isStored) };
  return { session, evidence: turns.filter((turn, at) => stored[at]?.has_answer === true && isStored(turn)) };
}

/**
 * The arguments of LongMemEval's `evaluate_retrieval` for each question, as JSON lines: the ids of all turns of
 * people in its naming, the positions of those that were found, best first, and the ids that answer. Questions that
 * no person's turn answers are left out, as LongMemEval's own run leaves them out.
 */
export function toRetrievalLog({ dialogues }: DialogueSet, lines: readonly QuestionLine[]): string {
  const rankedOf = new Map(lines.map(({ id, ranked }) => [id, ranked]));
  return dialogues
    .flatMap(({ id, sessions, questions: [question] }) => {
      const people = sessions.flatMap(({ turns }) => turns.filter(({ role }) => role === "user"));
      const places = new Map(people.map(({ key }, place) => [key, place]));
      // A distractor in a session with an answer is named "noans", because "answer" in an id marks the evidence.
      const corpus_ids = people.map(({ key, id: turnId }) =>
        question?.evidenceTurns.has(key) === true ? turnId : turnId.replaceAll("answer", "noans"),
      );
      const correct_docs = people.flatMap(({ key, id: turnId }) =>
        question?.evidenceTurns.has(key) === true ? [turnId] : [],
      );
      const rankings = (rankedOf.get(id) ?? []).flatMap((key) => places.get(key) ?? []);
      if (correct_docs.length === 0 || !rankedOf.has(id)) return [];
      return [`${JSON.stringify({ question_id: id, corpus_ids, correct_docs, rankings })}\n`];
    })
    .join("");
}
