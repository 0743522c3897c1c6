import { type Step, toBranchEntries } from "./branches.ts";
import { CLAUDE_BLOCKS, readClaudeContent } from "./claude-blocks.ts";
import { isDesign, toDesignEntries } from "./claude-designs.ts";
import { withAttachments, writtenText } from "./claude-documents.ts";
import { isMemories, isProject, toMemoryEntries, toProjectEntries } from "./claude-memories.ts";
import { type Entry, leftOut, type Missing, notUnderstood, type Source, unknownBlocks } from "./importer.ts";
import { readItemsOrItem } from "./json-items.ts";
import type { SourceMessage } from "./threads.ts";
import { type Fields, fieldsOf, joinTexts, listOf, present, textOf, timeOf } from "./values.ts";

const ROLES = new Map<unknown, SourceMessage["role"]>([
  ["human", "user"],
  ["assistant", "assistant"],
]);
const LISTS = /^(conversations|projects|memories|design_chats)$/;

/**
 * Reads a file of an export: a list of chats, projects or memories, or one of them. A chat whose messages name their
 * parents becomes a conversation for each branch. Projects and memories become memories.
 */
export async function* importClaude(source: Source): AsyncGenerator<Entry, void, undefined> {
  let number = 0;
  for await (const value of readItemsOrItem(source, LISTS)) {
    number += 1;
    const item = fieldsOf(value);
    const title = textOf(item.name) ?? textOf(item.title);
    const at = (kind: string) =>
      `${source.name}, ${kind} ${number}${title === undefined ? "" : ` "${title}"`}`;
    if (Array.isArray(item.data_files)) yield* filesOfManifest(item.data_files, source);
    else if (isMemories(item)) yield* toMemoryEntries(item, at("memory"));
    else if (isProject(item)) yield* toProjectEntries(item, at("project"));
    else if (isDesign(item)) yield* toDesignEntries(item, at("conversation"));
    else yield* toChatEntries(item, at("conversation"));
  }
}

/** A large export is several files, and a manifest with their names. */
function* filesOfManifest(files: unknown[], { isBeside }: Source): Generator<Entry, void, undefined> {
  for (const file of files) {
    const { filename, category } = fieldsOf(file);
    const name = textOf(filename) ?? String(category);
    const names = [name, name.replace(/\.zip$/i, ""), String(category), `${category}.json`];
    const isFound = isBeside !== undefined && names.some(isBeside);
    if (!isFound) yield leftOut("file of the manifest", "not in the directory that is imported", name);
  }
}

function* toChatEntries(chat: Fields, place: string): Generator<Entry, void, undefined> {
  const id = textOf(chat.uuid);
  if (id === undefined || !Array.isArray(chat.chat_messages))
    return yield notUnderstood("item", "not a conversation", place);
  const { steps, missing } = toSteps(chat.chat_messages, place);
  yield* missing;
  const tree = {
    source: "claude",
    id,
    title: textOf(chat.name),
    createdAtMs: timeOf(chat.created_at),
    metadata: present({
      model: chat.model,
      project: fieldsOf(chat.project).name,
      summary: chat.summary,
    }),
    place,
  };
  const newest = [...steps.keys()].at(-1);
  yield* toBranchEntries(tree, steps, textOf(chat.current_leaf_message_uuid) ?? newest);
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
    missing.push(...read.missing);
    const parent: string | null = textOf(message.parent_message_uuid) ?? before;
    steps.set(id, { id, parent, message: read.message });
    before = id;
  }
  return { steps, missing };
}

function toSourceMessage(
  id: string,
  message: Fields,
  place: string,
): { message?: Omit<SourceMessage, "sequence">; missing: Missing[] } {
  const role = ROLES.get(message.sender);
  if (role === undefined)
    return { missing: [notUnderstood("message", `the sender "${String(message.sender)}"`, place)] };
  const { text, isPlain, toolCallId, toolName } = readClaudeContent(message.content);
  // Older exports have the text in `text`, and no content blocks or empty ones.
  const older = text === "" ? message.text : "";
  const written = readClaudeContent(message.content, writtenText).text;
  const attachments = listOf(message.attachments).map(fieldsOf);
  const { content, missing } = withAttachments(
    joinTexts([older, written]),
    attachments.map(({ file_name: name, extracted_content }) => ({ name, text: extracted_content })),
    place,
  );
  const parts = present({
    content: isPlain ? undefined : message.content,
    attachments: attachments.length > 0 ? message.attachments : undefined,
    files: listOf(message.files).length > 0 ? message.files : undefined,
  });
  const hasParts = Object.keys(parts).length > 0;
  if (content === "" && !hasParts) return { missing: [...missing, leftOut("message", "empty", place)] };
  const atMs = timeOf(message.created_at);
  return {
    message: { id, atMs, role, content, toolCallId, toolName, parts: hasParts ? parts : undefined, place },
    missing: [...missing, ...unknownBlocks(message.content, CLAUDE_BLOCKS, place)],
  };
}
