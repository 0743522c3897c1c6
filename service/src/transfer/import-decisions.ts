import type {
  ConversationLine,
  ImportedLines,
  ImportProblem,
  MemoryLine,
  MemoryVersionLine,
  MessageLine,
  RecallLine,
} from "@engram/spec";
import type { BodyLine } from "../invocation.ts";
import { identityOf } from "../memories/captures-queries.ts";
import { toMessageId } from "../platform/ids.ts";
import { type ExistingRows, externalIdentity } from "./existing-rows-queries.ts";

export interface Decision {
  conversations: ConversationLine[];
  messages: MessageLine[];
  memories: MemoryLine[];
  versions: MemoryVersionLine[];
  recalls: RecallLine[];
  /** Conversations and memories that a tombstone refuses. */
  refused: (ConversationLine | MemoryLine)[];
  answer: ImportedLines;
}

/**
 * Decides which lines are stored. Lines are compared with stored items and with earlier lines. A conversation exists
 * or a receipt of recall exists
 * already if its id does. An equal message or memory exists already. A different one with the same id or sequence
 * number is a conflict. A line that a tombstone refuses is skipped.
 */
export function decide(
  lines: BodyLine[],
  existingRows: ExistingRows,
  forgotten: ReadonlySet<BodyLine>,
): Decision {
  const takenIds = new TakenIds(existingRows);
  const skipped: ImportedLines["skipped"] = [];
  const refused: (ConversationLine | MemoryLine)[] = [];
  const refusedIds = new Set<string>();
  const conversations: ConversationLine[] = [];
  const messages: MessageLine[] = [];
  const memories: MemoryLine[] = [];
  const versions: MemoryVersionLine[] = [];
  const recalls: RecallLine[] = [];
  const existing = { conversation: 0, message: 0, memory: 0, memory_version: 0, recall: 0 };
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
    const isOfRefused =
      (value.type === "message" && refusedIds.has(value.conversation_id)) ||
      (value.type === "memory_version" && refusedIds.has(value.memory_id));
    if ((isOfRefused || forgotten.has(body)) && !takenIds.isStored(line, value)) {
      skipped.push({ line, skipped: "forgotten" });
      if (value.type === "conversation" || value.type === "memory") {
        refused.push(value);
        refusedIds.add(value.id);
      }
      continue;
    }
    const verdict = takenIds.of(line, value);
    if (verdict === "existing") existing[value.type] += 1;
    else if (verdict !== "new") problems.push({ line, ...verdict });
    else if (value.type === "conversation") conversations.push(value);
    else if (value.type === "message") messages.push(value);
    else if (value.type === "memory") memories.push(value);
    else if (value.type === "recall") recalls.push(value);
    else versions.push(value);
  }
  const answer = {
    conversations: { created: conversations.length, existing: existing.conversation },
    messages: { created: messages.length, existing: existing.message },
    memories: { created: memories.length, existing: existing.memory },
    memory_versions: { created: versions.length, existing: existing.memory_version },
    recalls: { created: recalls.length, existing: existing.recall },
    problems,
    skipped,
  };
  return { conversations, messages, memories, versions, recalls, refused, answer };
}

type StoredLine = ConversationLine | MessageLine | MemoryLine | MemoryVersionLine | RecallLine;
type Verdict = "new" | "existing" | Pick<ImportProblem, "code" | "detail">;

const held = (what: string): Verdict => ({
  code: "held",
  detail: `The ${what} is under legal hold, and the line would change it.`,
});
const conflict = (detail: string): Verdict => ({ code: "import_conflict", detail });

const beingDeleted = (what: string) =>
  conflict(`The ${what} is being deleted. Import it again after it is purged.`);
const CONVERSATION_BEING_DELETED = beingDeleted("conversation");

/** Ids, sequence numbers and external ids that are in use in the database or by earlier lines. */
class TakenIds {
  readonly #existingRows: ExistingRows;
  readonly #conversations: Map<string, "there" | "deleted">;
  readonly #conversationExternalIds: Set<string>;
  /** Lines by message id. The content of a memory is stored as a message too. */
  readonly #messages = new Map<string, MessageLine | MemoryLine>();
  readonly #sequences = new Set<string>();
  readonly #externalIds = new Set<string>();
  /** Ids of memories by agent and content. */
  readonly #memories = new Map<string, string>();
  /** New memories by id. */
  readonly #newMemories = new Map<string, MemoryLine>();
  /** New versions by memory and number. */
  readonly #versions = new Map<string, MemoryVersionLine>();
  /** Memories and hashes of their contents that new versions have. */
  readonly #contents = new Set<string>();
  /** Ids of receipts of recall. */
  readonly #recalls: Set<string>;

  constructor(existingRows: ExistingRows) {
    this.#existingRows = existingRows;
    this.#conversations = new Map(existingRows.conversations);
    this.#recalls = new Set(existingRows.recalls);
    this.#conversationExternalIds = new Set(existingRows.conversationExternalIds);
  }

  /** Whether the item of the line is stored and not deleted. */
  isStored(line: number, value: StoredLine): boolean {
    if (value.type === "recall") return this.#recalls.has(value.id);
    if (value.type === "conversation") return this.#conversations.get(value.id) === "there";
    if (value.type === "memory") return this.#existingRows.memories.get(line) === "same";
    // Of a memory that a tombstone refuses, no version is stored.
    if (value.type === "memory_version") return false;
    const isThere = this.#conversations.get(value.conversation_id) === "there";
    return isThere && this.#existingRows.messages.get(line) === "same";
  }

  of(line: number, value: StoredLine): Verdict {
    if (value.type === "recall") {
      if (this.#recalls.has(value.id)) return "existing";
      this.#recalls.add(value.id);
      return "new";
    }
    if (value.type === "conversation") return this.#ofConversation(value);
    if (value.type === "memory_version") return this.#ofVersion(line, value);
    return value.type === "message" ? this.#ofMessage(line, value) : this.#ofMemory(line, value);
  }

  #ofConversation(conversation: ConversationLine): Verdict {
    const { id } = conversation;
    const state = this.#conversations.get(id);
    if (state === "there") return "existing";
    if (state === "deleted") return CONVERSATION_BEING_DELETED;
    if (conversation.external_id !== null) {
      const identity = externalIdentity(conversation);
      if (this.#conversationExternalIds.has(identity)) {
        return conflict("Another conversation of the agent and user has this external id.");
      }
      this.#conversationExternalIds.add(identity);
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
        detail: `There is no conversation ${conversation_id}, and no line before this one creates it.`,
      };
    }
    if (conversation === "deleted") return CONVERSATION_BEING_DELETED;
    const state = this.#existingRows.messages.get(line) ?? this.#compare(message);
    if (state === "same") return "existing";
    if (state === "other") return conflict("A different message has this id.");
    const place = `${conversation_id} ${sequence}`;
    const external = external_id === null ? null : `${conversation_id} ${external_id}`;
    const taken =
      this.#existingRows.taken.get(line) ??
      (this.#sequences.has(place) ? "sequence number" : undefined) ??
      (external !== null && this.#externalIds.has(external) ? "external id" : undefined);
    if (taken !== undefined) return conflict(`Another message of the conversation has this ${taken}.`);
    if (sequence < (this.#existingRows.heldUntil.get(conversation_id) ?? 0)) return held("conversation");
    this.#messages.set(id, message);
    this.#sequences.add(place);
    if (external !== null) this.#externalIds.add(external);
    return "new";
  }

  #ofMemory(line: number, memory: MemoryLine): Verdict {
    const messageId = toMessageId(memory.id);
    const identity = identityOf(memory);
    const state = this.#existingRows.memories.get(line);
    const earlier = this.#messages.get(messageId);
    if (state === "deleted") return beingDeleted("memory");
    if (state === "same" || (earlier?.type === "memory" && identityOf(earlier) === identity))
      return "existing";
    if (state === "other" || earlier?.type === "memory") {
      return conflict("The memory with this id has other content, or another agent, user or external id.");
    }
    const twin = this.#existingRows.sameMemories.get(line) ?? this.#memories.get(identity);
    if (twin !== undefined) return conflict(`The agent and user already have this memory, as ${twin}.`);
    if (earlier !== undefined || this.#existingRows.memoriesTaken.has(line)) {
      return conflict("A message already has the id that belongs to this memory.");
    }
    this.#messages.set(messageId, memory);
    this.#memories.set(identity, memory.id);
    this.#newMemories.set(memory.id, memory);
    return "new";
  }

  #ofVersion(line: number, value: MemoryVersionLine): Verdict {
    const { memory_id, version, content, content_hash } = value;
    const stored = this.#existingRows.versions.get(line);
    const memory = this.#newMemories.get(memory_id);
    const current = memory?.version ?? stored?.current;
    if (current === undefined) {
      const detail = `There is no memory ${memory_id}, and no line before this one creates it.`;
      return { code: "not_found", detail };
    }
    if (stored?.state === "deleted") return beingDeleted("memory");
    const place = `${memory_id} ${version}`;
    const earlier = this.#versions.get(place);
    if (stored?.state === "same" || JSON.stringify(earlier) === JSON.stringify(value)) return "existing";
    if (stored?.state === "other" || earlier !== undefined)
      return conflict("The memory has another version with this number.");
    if (stored?.is_held === 1) return held("memory");
    if (version >= current) return conflict("The number is not lower than that of the memory as it is now.");
    const key = `${memory_id} ${content_hash}`;
    const isKnown =
      stored?.has_content === 1 || memory?.content_hash === content_hash || this.#contents.has(key);
    if (content === null && !isKnown) {
      const detail =
        "`content`: Is null, and neither the memory nor a later version has content with this hash.";
      return { code: "validation_failed", detail };
    }
    this.#versions.set(place, value);
    this.#contents.add(key);
    return "new";
  }

  /** Undefined if no earlier line has the id. */
  #compare(message: MessageLine): "same" | "other" | undefined {
    const earlier = this.#messages.get(message.id);
    if (earlier === undefined) return undefined;
    return JSON.stringify(earlier) === JSON.stringify(message) ? "same" : "other";
  }
}
