import type { ConversationLine, MessageLine, MessageRole } from "@engram/sdk";
import {
  CONTENT_BYTES_MAX,
  METADATA_BYTES_MAX,
  PARTS_BYTES_MAX,
  TEXT_CHARACTERS_MAX,
  TITLE_CHARACTERS_MAX,
} from "@engram/sdk/limits";
import { flawOf, ROUNDED } from "./exactness.ts";
import { derivedId } from "./ids.ts";
import { type Entry, leftOut, UNKNOWN_TIME } from "./importer.ts";
import { cutText } from "./text-cuts.ts";
import { fieldsOf } from "./values.ts";

export interface SourceMessage {
  /** Unique in the thread. */
  id: string;
  /** Id of the stored message. Default: derived from the thread and `id`. */
  storedId?: string;
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
  title?: string | undefined;
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
  if (messages.length === 0) return yield leftOut("conversation", "no messages", place);
  yield { type: "conversation", line: toConversation(thread), place };
  let atMs = thread.createdAtMs;
  for (const message of messages) {
    atMs = message.atMs || atMs;
    const flaw = contentFlaw(message.content);
    if (flaw !== undefined) {
      yield leftOut("message", flaw, message.place);
      continue;
    }
    const line = toMessage(thread, { ...message, atMs });
    const { parts, lost } = exactParts(message.content, message.parts);
    if (lost !== undefined) yield leftOut("parts of a message", lost, message.place);
    yield {
      type: "message",
      line: { ...line, parts },
      place: message.place,
      ...(message.storedId !== undefined && { isNamedByContent: true }),
    };
  }
}

/**
 * Returns the parts to store. The service rejects some JSON values, such as half of a surrogate pair. The message is
 * then kept as JSON text in the field `json`, with the escapes of JSON. `lost` is the reason if the parts cannot be
 * kept at all.
 */
export function exactParts(
  content: string,
  parts: object | null | undefined,
): { parts: MessageLine["parts"]; lost?: string } {
  const flaw = parts ? flawOf(parts) : undefined;
  const whole = parts ?? null;
  if (flaw === ROUNDED) return { parts: null, lost: flaw };
  const isExact = flaw === undefined && content.isWellFormed();
  const kept = isExact ? whole : { json: JSON.stringify({ content, ...(parts && { parts }) }) };
  if (kept === null || Buffer.byteLength(JSON.stringify(kept)) <= PARTS_BYTES_MAX)
    return { parts: kept as MessageLine["parts"] };
  return { parts: null, lost: flaw ?? "larger than 500,000 bytes" };
}

function toConversation(thread: Thread): ConversationLine {
  const { messages, createdAtMs, title } = thread;
  const times = [createdAtMs, ...messages.map(({ atMs }) => atMs)].filter((atMs) => !Number.isNaN(atMs));
  const lastMs = times.length === 0 ? Number.NaN : times.reduce((latest, atMs) => Math.max(latest, atMs));
  return {
    type: "conversation",
    id: conversationId(thread),
    external_id: shortText(thread.externalId),
    title: title === undefined ? null : cutText(title.toWellFormed(), TITLE_CHARACTERS_MAX),
    agent_id: shortText(thread.agentId),
    user_id: shortText(thread.userId),
    tags: thread.tags,
    metadata: exactMetadata(thread.metadata),
    message_count: messages.length,
    last_sequence: messages.at(-1)?.sequence ?? 0,
    // The service computes it from the messages, whose times may be unknown here.
    last_message_at: null,
    created_at: timestamp(createdAtMs),
    updated_at: timestamp(lastMs),
  };
}

function toMessage(thread: Thread, message: SourceMessage): MessageLine {
  return {
    type: "message",
    id: message.storedId ?? messageId(thread, message),
    conversation_id: conversationId(thread),
    sequence: message.sequence,
    role: message.role,
    content: message.content.toWellFormed(),
    name: null,
    tool_call_id: shortText(message.toolCallId),
    tool_name: shortText(message.toolName),
    metadata: exactMetadata({ source_id: message.id, ...message.metadata }),
    parts: null,
    external_id: null,
    external_digest: null,
    created_at: timestamp(message.atMs),
    // Not the time of the import, which would make the line different each time.
    stored_at: timestamp(message.atMs),
    updated_at: null,
  };
}

export function contentFlaw(content: string): string | undefined {
  return Buffer.byteLength(content) > CONTENT_BYTES_MAX ? "longer than 1,000,000 bytes" : undefined;
}

/** Metadata that the service accepts: well-formed texts, and without the values that cannot be stored exactly. */
export function exactMetadata(metadata: Record<string, unknown>): Record<string, unknown> {
  const wellFormed = fieldsOf(
    JSON.parse(JSON.stringify(metadata), (_, value) =>
      typeof value === "string" ? value.toWellFormed() : value,
    ),
  );
  const exact: Record<string, unknown> = {};
  let bytes = 2;
  for (const [key, value] of Object.entries(wellFormed)) {
    const size = Buffer.byteLength(JSON.stringify({ [key]: value }));
    if (flawOf({ [key]: value }) !== undefined || bytes + size > METADATA_BYTES_MAX) continue;
    exact[key] = value;
    bytes += size;
  }
  return exact;
}

/** Null if the service does not accept the value as an id or name. */
export function shortText(value: unknown): string | null {
  const fits =
    typeof value === "string" &&
    value.length > 0 &&
    value.length <= TEXT_CHARACTERS_MAX &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value);
  return fits ? value : null;
}

export const timestamp = (atMs: number): string =>
  Number.isNaN(atMs) ? UNKNOWN_TIME : new Date(atMs).toISOString();
