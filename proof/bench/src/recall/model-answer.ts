import { countTokens } from "../../../../service/src/text/tokens.ts";
import type { Session, Turn } from "./dialogues.ts";
import type { Library } from "./load.ts";
import type { ModelAnswer } from "./memory.ts";
import { type Evidence, shareOf } from "./metrics.ts";

/** A part of a turn counts from this size on. The part is the one with the words that match. */
const PART_TOKENS_MIN = 300;
const LINE =
  /^\[(?<sequence>\d+)\] [\d-]+ [\d:]+ (?<speaker>.*?)(?<part> \(characters \d+ to \d+ of \d+\))?: /s;

/** Shares of the evidence in what a model gets, 0 to 1. */
export interface Received {
  /** Whole turns only. */
  whole: number;
  /** Also parts of at least 300 tokens. */
  any: number;
}

/**
 * Score the answer of the MCP tool `search`.
 *
 * @throws {Error} when a line contains what was never stored.
 */
export function scoreAnswer(answer: ModelAnswer, library: Library, { evidenceTurns }: Evidence): Received {
  const lines = answer.results.flatMap(({ conversation_id, messages }) =>
    messages.map((line) => readLine(line, sessionOf(library, conversation_id))),
  );
  const share = (counts: (line: ReturnType<typeof readLine>) => boolean) =>
    shareOf(
      evidenceTurns,
      lines.filter(counts).map(({ turn }) => turn.key),
    );
  return {
    whole: share(({ turn, content }) => content === turn.content),
    any: share(({ turn, content }) => content === turn.content || countTokens(content) >= PART_TOKENS_MIN),
  };
}

function sessionOf(library: Library, conversationId: string): Session {
  const [turn] = library.turns.get(conversationId)?.values() ?? [];
  const session = library.sessions.get(turn?.sessionKey ?? "");
  if (session === undefined) throw new Error(`The tool returned an unknown conversation: ${conversationId}`);
  return session;
}

function readLine(line: string, session: Session): { turn: Turn; content: string } {
  const found = LINE.exec(line);
  const turn = session.turns[Number(found?.groups?.sequence) - 1];
  if (found === null || turn === undefined)
    throw new Error(`The tool returned no line of ${session.key}: ${line}`);
  const content = line.slice(found[0].length);
  const isStored =
    found.groups?.part === undefined ? content === turn.content : turn.content.includes(content);
  if (!isStored) throw new Error(`Turn ${turn.key} came back altered: ${JSON.stringify(content)}`);
  return { turn, content };
}
