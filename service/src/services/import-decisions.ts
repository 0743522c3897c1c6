import type { ConversationLine, ImportedLines, ImportProblem, MemoryLine, MessageLine } from "@engram/spec";
import type { BodyLine } from "../context.ts";
import { toMessageId } from "../ids.ts";
import type { Holdings } from "../queries/import-holdings.ts";
import { identityOf } from "../queries/memories.ts";

/** The rows to store for some lines, and the answer once they are stored. */
export interface Decision {
  conversations: ConversationLine[];
  messages: MessageLine[];
  memories: MemoryLine[];
  answer: ImportedLines;
}

/** Decides on lines in order. An id or sequence that an earlier line uses is taken for later lines. */
export function decide(lines: BodyLine[], holdings: Holdings): Decision {
  const places = new Places(holdings);
  const conversations: ConversationLine[] = [];
  const messages: MessageLine[] = [];
  const memories: MemoryLine[] = [];
  const existing = { conversation: 0, message: 0, memory: 0 };
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
    const verdict = places.of(line, value);
    if (verdict === "existing") existing[value.type] += 1;
    else if (verdict !== "new") problems.push({ line, ...verdict });
    else if (value.type === "conversation") conversations.push(value);
    else if (value.type === "message") messages.push(value);
    else memories.push(value);
  }
  const answer = {
    conversations: { created: conversations.length, existing: existing.conversation },
    messages: { created: messages.length, existing: existing.message },
    memories: { created: memories.length, existing: existing.memory },
    problems,
  };
  return { conversations, messages, memories, answer };
}

type Verdict = "new" | "existing" | Pick<ImportProblem, "code" | "detail">;

const conflict = (detail: string): Verdict => ({ code: "import_conflict", detail });

const beingDeleted = (what: string) => conflict(`The ${what} is being deleted; import it once it is gone.`);
const CONVERSATION_BEING_DELETED = beingDeleted("conversation");

/** Ids and sequences in use: those in the database, and those of the lines before. */
class Places {
  readonly #holdings: Holdings;
  readonly #conversations: Map<string, "there" | "deleted">;
  readonly #conversationExternalIds: Set<string>;
  /** By message id. The message of a memory has an id too. */
  readonly #messages = new Map<string, MessageLine | MemoryLine>();
  readonly #sequences = new Set<string>();
  readonly #externalIds = new Set<string>();
  /** Ids of memories by agent and content. */
  readonly #memories = new Map<string, string>();

  constructor(holdings: Holdings) {
    this.#holdings = holdings;
    this.#conversations = new Map(holdings.conversations);
    this.#conversationExternalIds = new Set(holdings.conversationExternalIds);
  }

  of(line: number, value: ConversationLine | MessageLine | MemoryLine): Verdict {
    if (value.type === "conversation") return this.#ofConversation(value);
    return value.type === "message" ? this.#ofMessage(line, value) : this.#ofMemory(line, value);
  }

  #ofConversation({ id, external_id }: ConversationLine): Verdict {
    const held = this.#conversations.get(id);
    if (held === "there") return "existing";
    if (held === "deleted") return CONVERSATION_BEING_DELETED;
    if (external_id !== null) {
      if (this.#conversationExternalIds.has(external_id)) {
        return conflict("Another conversation has this external id.");
      }
      this.#conversationExternalIds.add(external_id);
    }
    this.#conversations.set(id, "there");
    return "new";
  }

  #ofMessage(line: number, message: MessageLine): Verdict {
    const { id, conversation_id, sequence, external_id } = message;
    const conversation = this.#conversations.get(conversation_id);
    if (conversation === undefined) {
      return {
        code: "not_found",
        detail: `There is no conversation ${conversation_id}, and none came before.`,
      };
    }
    if (conversation === "deleted") return CONVERSATION_BEING_DELETED;
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

  #ofMemory(line: number, memory: MemoryLine): Verdict {
    const messageId = toMessageId(memory.id);
    const identity = identityOf(memory);
    const held = this.#holdings.memories.get(line);
    const earlier = this.#messages.get(messageId);
    if (held === "deleted") return beingDeleted("memory");
    if (held === "same" || (earlier?.type === "memory" && identityOf(earlier) === identity))
      return "existing";
    if (held === "other" || earlier?.type === "memory") {
      return conflict("The memory of this id has other content, or another agent.");
    }
    const twin = this.#holdings.memoriesByContent.get(line) ?? this.#memories.get(identity);
    if (twin !== undefined) return conflict(`The agent has this content already, as ${twin}.`);
    if (earlier !== undefined || this.#holdings.memoriesTaken.has(line)) {
      return conflict("Its message would have another one's id.");
    }
    this.#messages.set(messageId, memory);
    this.#memories.set(identity, memory.id);
    return "new";
  }

  /** Compares with an earlier line of the same message id; undefined if there is none. */
  #compare(message: MessageLine): "same" | "other" | undefined {
    const earlier = this.#messages.get(message.id);
    if (earlier === undefined) return undefined;
    return JSON.stringify(earlier) === JSON.stringify(message) ? "same" : "other";
  }
}
