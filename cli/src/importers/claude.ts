import { type Step, toBranchEntries } from "./branches.ts";
import { readClaudeContent } from "./claude-blocks.ts";
import { type Entry, leftOut, type Missing, notUnderstood, type Source } from "./importer.ts";
import { readItems } from "./json-items.ts";
import type { SourceMessage } from "./threads.ts";
import { type Fields, fieldsOf, listOf, present, textOf, timeOf } from "./values.ts";

const ROLES = new Map<unknown, SourceMessage["role"]>([
  ["human", "user"],
  ["assistant", "assistant"],
]);

/**
 * Reads `conversations.json`, an array of conversations. If messages name their parents, each branch becomes
 * a conversation.
 */
export async function* importClaude(source: Source): AsyncGenerator<Entry, void, undefined> {
  let number = 0;
  for await (const item of readItems(source, "conversations")) {
    number += 1;
    const conversation = fieldsOf(item);
    const title = textOf(conversation.name) ?? null;
    const place = `${source.name}, conversation ${number}${title === null ? "" : ` "${title}"`}`;
    const id = textOf(conversation.uuid);
    if (id === undefined || !Array.isArray(conversation.chat_messages)) {
      yield notUnderstood("item", "not a conversation", place);
      continue;
    }
    const { steps, missing } = toSteps(conversation.chat_messages, place);
    yield* missing;
    const tree = {
      source: "claude",
      id,
      title,
      createdAtMs: timeOf(conversation.created_at),
      metadata: present({ model: conversation.model, project: fieldsOf(conversation.project).name }),
      place,
    };
    const newest = [...steps.keys()].at(-1);
    yield* toBranchEntries(tree, steps, textOf(conversation.current_leaf_message_uuid) ?? newest);
  }
}

function toSteps(messages: unknown[], place: string): { steps: Map<string, Step>; missing: Entry[] } {
  const steps = new Map<string, Step>();
  const missing: Entry[] = [];
  const seen = new Set<string>();
  let before: string | null = null;
  for (const [i, value] of messages.entries()) {
    const message = fieldsOf(value);
    const uuid = textOf(message.uuid);
    const at = `${place}, message ${uuid ?? i + 1}`;
    if (uuid === undefined) {
      missing.push(notUnderstood("message", "no id", at));
      continue;
    }
    const text = JSON.stringify(message);
    if (seen.has(text)) {
      missing.push(leftOut("repeated message", "stored once", at));
      continue;
    }
    seen.add(text);
    const id = steps.has(uuid) ? `${uuid}:${i + 1}` : uuid;
    const read = toSourceMessage(id, message, at);
    const isMissing = "reason" in read;
    if (isMissing) missing.push(read);
    const parent: string | null = textOf(message.parent_message_uuid) ?? before;
    steps.set(id, { id, parent, message: isMissing ? undefined : read });
    before = id;
  }
  return { steps, missing };
}

function toSourceMessage(
  id: string,
  message: Fields,
  place: string,
): Omit<SourceMessage, "sequence"> | Missing {
  const role = ROLES.get(message.sender);
  if (role === undefined) return notUnderstood("message", `the sender "${String(message.sender)}"`, place);
  const { text, isPlain, toolCallId, toolName } = readClaudeContent(message.content);
  // Older exports have the text in `text`, and no content blocks or empty ones.
  const content = text || (textOf(message.text) ?? "");
  const parts = present({
    content: isPlain ? undefined : message.content,
    attachments: listOf(message.attachments).length > 0 ? message.attachments : undefined,
    files: listOf(message.files).length > 0 ? message.files : undefined,
  });
  const hasParts = Object.keys(parts).length > 0;
  if (content === "" && !hasParts) return leftOut("message", "empty", place);
  const atMs = timeOf(message.created_at);
  return { id, atMs, role, content, toolCallId, toolName, parts: hasParts ? parts : undefined, place };
}
