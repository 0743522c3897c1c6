import type { ConversationLine, MessageLine, MessageRole } from "@engram/sdk";
import { flawOf } from "./exactness.ts";
import { derivedId } from "./ids.ts";
import { type Entry, leftOut } from "./importer.ts";

/** The service's limits for content, `parts`, titles, and short texts such as ids. */
const CONTENT_BYTES_MAX = 1_000_000;
const PARTS_BYTES_MAX = 500_000;
const TITLE_CHARACTERS_MAX = 1_000;
const SHORT_CHARACTERS_MAX = 256;

export interface SourceMessage {
  /** Unique in the thread. */
  id: string;
  /** Starts at 1; gaps are allowed. */
  sequence: number;
  /** NaN when unknown. */
  atMs: number;
  role: MessageRole;
  content: string;
  toolCallId?: unknown;
  toolName?: unknown;
  metadata?: Record<string, unknown>;
  /** The original content, if it has more than text. */
  parts?: object | undefined;
  place: string;
}

export interface Thread {
  /** Such as `chatgpt:…`. Unique among all conversations. */
  externalId: string;
  title: string | null;
  /** NaN if unknown. The same in every export, because ids are derived from it. */
  createdAtMs: number;
  userId?: unknown;
  agentId?: unknown;
  tags: string[];
  metadata: Record<string, unknown>;
  place: string;
  messages: SourceMessage[];
}

export const conversationId = ({
  externalId,
  createdAtMs,
}: Pick<Thread, "externalId" | "createdAtMs">): string => derivedId("conv", createdAtMs || 0, externalId);

export const messageId = (
  { externalId, createdAtMs }: Pick<Thread, "externalId" | "createdAtMs">,
  { id, atMs }: Pick<SourceMessage, "id" | "atMs">,
): string => derivedId("msg", atMs || createdAtMs || 0, externalId, id);

/**
 * Yields the conversation, then its messages. A message without a time gets the time of the preceding one,
 * and the first one that of the conversation.
 */
export function* toEntries(thread: Thread): Generator<Entry, void, undefined> {
  const { messages, place } = thread;
  if (messages.length === 0) return yield leftOut("conversation without messages", place);
  yield { type: "conversation", line: toConversation(thread), place };
  let atMs = thread.createdAtMs;
  for (const message of messages) {
    atMs = message.atMs || atMs;
    const flaw = contentFlaw(message.content);
    if (flaw !== undefined) {
      yield leftOut(flaw, message.place);
      continue;
    }
    const line = toMessage(thread, { ...message, atMs });
    const lost = line.parts === null ? undefined : partsFlaw(line.parts);
    if (lost !== undefined) yield leftOut(`parts of a message: ${lost}`, message.place);
    yield {
      type: "message",
      line: lost === undefined ? line : { ...line, parts: null },
      place: message.place,
    };
  }
}

function toConversation(thread: Thread): ConversationLine {
  const { messages, createdAtMs, title } = thread;
  const lastMs = messages.reduce((last, { atMs }) => Math.max(last, atMs || 0), createdAtMs || 0);
  return {
    type: "conversation",
    id: conversationId(thread),
    external_id: shortText(thread.externalId),
    title: title === null ? null : title.slice(0, TITLE_CHARACTERS_MAX).toWellFormed(),
    agent_id: shortText(thread.agentId),
    user_id: shortText(thread.userId),
    tags: thread.tags,
    metadata: thread.metadata,
    message_count: messages.length,
    last_sequence: messages.at(-1)?.sequence ?? 0,
    created_at: timestamp(createdAtMs),
    updated_at: timestamp(lastMs),
  };
}

function toMessage(thread: Thread, message: SourceMessage): MessageLine {
  return {
    type: "message",
    id: messageId(thread, message),
    conversation_id: conversationId(thread),
    sequence: message.sequence,
    role: message.role,
    content: message.content,
    name: null,
    tool_call_id: shortText(message.toolCallId),
    tool_name: shortText(message.toolName),
    metadata: { source_id: message.id, ...message.metadata },
    parts: (message.parts ?? null) as MessageLine["parts"],
    external_id: null,
    external_digest: null,
    created_at: timestamp(message.atMs),
    // Not the time of the import, which would make the line different each time.
    stored_at: timestamp(message.atMs),
    updated_at: null,
  };
}

export function contentFlaw(content: string, noun: "message" | "memory" = "message"): string | undefined {
  if (Buffer.byteLength(content) > CONTENT_BYTES_MAX) return `${noun} longer than 1,000,000 bytes`;
  return content.isWellFormed() ? undefined : `${noun} with half a character`;
}

const partsFlaw = (parts: object): string | undefined =>
  flawOf(parts) ??
  (Buffer.byteLength(JSON.stringify(parts)) > PARTS_BYTES_MAX ? "more than 500,000 bytes" : undefined);

/** Null if the service does not accept the value as an id or name. */
export function shortText(value: unknown): string | null {
  const fits =
    typeof value === "string" &&
    value.length > 0 &&
    value.length <= SHORT_CHARACTERS_MAX &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value);
  return fits ? value : null;
}

/** An unknown time becomes 1970-01-01, so that each import yields the same line. */
export const timestamp = (atMs: number): string => new Date(atMs || 0).toISOString();
