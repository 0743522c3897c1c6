import type { ConversationLine, ImportedLines, ImportProblem, MessageLine } from "@engram/spec";
import type { BodyLine } from "../context.ts";
import type { Holdings } from "../queries/import-holdings.ts";

/** What of some lines is to be stored, and what is to be said of all once it is. */
export interface Decision {
  conversations: ConversationLine[];
  messages: MessageLine[];
  answer: ImportedLines;
}

/** Decide on lines, one after the other: what an earlier one takes, a later one finds taken. */
export function decide(lines: BodyLine[], holdings: Holdings): Decision {
  const places = new Places(holdings);
  const conversations: ConversationLine[] = [];
  const messages: MessageLine[] = [];
  const existing = { conversation: 0, message: 0 };
  const problems: ImportProblem[] = [];
  for (const body of lines) {
    const { line } = body;
    if ("problem" in body) {
      const { code, message: detail } = body.problem;
      problems.push({ line, code: code === "invalid_json" ? code : "validation_failed", detail });
      continue;
    }
    const { value } = body;
    if (value.type === "end") continue;
    const verdict =
      value.type === "conversation" ? places.ofConversation(value) : places.ofMessage(line, value);
    if (verdict === "existing") existing[value.type] += 1;
    else if (verdict !== "new") problems.push({ line, ...verdict });
    else if (value.type === "conversation") conversations.push(value);
    else messages.push(value);
  }
  const answer = {
    conversations: { created: conversations.length, existing: existing.conversation },
    messages: { created: messages.length, existing: existing.message },
    problems,
  };
  return { conversations, messages, answer };
}

type Verdict = "new" | "existing" | Pick<ImportProblem, "code" | "detail">;

const conflict = (detail: string): Verdict => ({ code: "import_conflict", detail });

const BEING_DELETED = conflict("The conversation is being deleted; import it once it is gone.");

/** What the database holds, and what lines have taken since. */
class Places {
  readonly #holdings: Holdings;
  readonly #conversations: Map<string, "there" | "deleted">;
  readonly #conversationExternalIds: Set<string>;
  readonly #messages = new Map<string, MessageLine>();
  readonly #sequences = new Set<string>();
  readonly #externalIds = new Set<string>();

  constructor(holdings: Holdings) {
    this.#holdings = holdings;
    this.#conversations = new Map(holdings.conversations);
    this.#conversationExternalIds = new Set(holdings.conversationExternalIds);
  }

  ofConversation({ id, external_id }: ConversationLine): Verdict {
    const held = this.#conversations.get(id);
    if (held === "there") return "existing";
    if (held === "deleted") return BEING_DELETED;
    if (external_id !== null) {
      if (this.#conversationExternalIds.has(external_id)) {
        return conflict("Another conversation has this external id.");
      }
      this.#conversationExternalIds.add(external_id);
    }
    this.#conversations.set(id, "there");
    return "new";
  }

  ofMessage(line: number, message: MessageLine): Verdict {
    const { id, conversation_id, sequence, external_id } = message;
    const conversation = this.#conversations.get(conversation_id);
    if (conversation === undefined) {
      return {
        code: "not_found",
        detail: `There is no conversation ${conversation_id}, and none came before.`,
      };
    }
    if (conversation === "deleted") return BEING_DELETED;
    const held = this.#holdings.messages.get(line) ?? this.#compare(message);
    if (held === "same") return "existing";
    if (held === "other") return conflict("The message of this id is another one.");
    const place = `${conversation_id} ${sequence}`;
    const external = external_id === null ? null : `${conversation_id} ${external_id}`;
    const taken =
      this.#holdings.taken.get(line) ??
      (this.#sequences.has(place) ? "sequence number" : undefined) ??
      (external !== null && this.#externalIds.has(external) ? "external id" : undefined);
    if (taken !== undefined) return conflict(`Another message of the conversation has this ${taken}.`);
    this.#messages.set(id, message);
    this.#sequences.add(place);
    if (external !== null) this.#externalIds.add(external);
    return "new";
  }

  /** What an earlier line has put under this id; undefined for nothing. */
  #compare(message: MessageLine): "same" | "other" | undefined {
    const earlier = this.#messages.get(message.id);
    if (earlier === undefined) return undefined;
    return JSON.stringify(earlier) === JSON.stringify(message) ? "same" : "other";
  }
}
