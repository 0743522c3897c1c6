import type { MessageRole } from "@engram/sdk";
import { type Step, toBranchEntries } from "./branches.ts";
import { type Entry, KEPT_IN_PARTS, leftOut, type Missing, notUnderstood, type Source } from "./importer.ts";
import { readItems } from "./json-items.ts";
import type { SourceMessage } from "./threads.ts";
import { type Fields, fieldsOf, joinTexts, listOf, present, secondsOf, textOf } from "./values.ts";

const ROLES: readonly unknown[] = ["user", "assistant", "system", "tool"] satisfies MessageRole[];

/** Types of content whose texts `contentText` reads. */
const CONTENT_TYPES: ReadonlySet<unknown> = new Set([
  ...["text", "multimodal_text", "code", "execution_output", "citable_code_output", "stderr", "system_error"],
  ...["thoughts", "reasoning_recap", "user_editable_context", "model_editable_context", "computer_output"],
  ...["tether_quote", "tether_browsing_display", "tether_browsing_code", "sonic_webpage", "super_widget"],
]);

const PART_TYPES: ReadonlySet<unknown> = new Set([
  ...["image_asset_pointer", "audio_asset_pointer", "audio_transcription"],
  ...["video_container_asset_pointer", "real_time_user_audio_video_asset_pointer"],
]);

/**
 * Reads `conversations.json`: an array of conversations, each a tree of messages in `mapping`. The path to
 * `current_node` becomes one conversation, and every other branch becomes another.
 */
export async function* importChatgpt(source: Source): AsyncGenerator<Entry, void, undefined> {
  let number = 0;
  for await (const item of readItems(source, "conversations")) {
    number += 1;
    const conversation = fieldsOf(item);
    const title = textOf(conversation.title);
    const place = `${source.name}, conversation ${number}${title === undefined ? "" : ` "${title}"`}`;
    const id = textOf(conversation.conversation_id) ?? textOf(conversation.id);
    if (id === undefined || typeof conversation.mapping !== "object" || conversation.mapping === null) {
      yield notUnderstood("item", "not a conversation", place);
      continue;
    }
    const { steps, missing } = toSteps(fieldsOf(conversation.mapping), place);
    yield* missing;
    const tree = {
      source: "chatgpt",
      id,
      title,
      createdAtMs: secondsOf(conversation.create_time),
      metadata: present({ model: conversation.default_model_slug, gizmo_id: conversation.gizmo_id }),
      place,
    };
    yield* toBranchEntries(tree, steps, textOf(conversation.current_node));
  }
}

/** `missing` has an entry for each node whose message cannot be stored. */
function toSteps(mapping: Fields, place: string): { steps: Map<string, Step>; missing: Entry[] } {
  const namedBy = new Map<string, string>();
  for (const [id, node] of Object.entries(mapping)) {
    for (const child of listOf(fieldsOf(node).children))
      if (typeof child === "string") namedBy.set(child, id);
  }
  const steps = new Map<string, Step>();
  const missing: Entry[] = [];
  for (const id of new Set([...namedBy.keys(), ...Object.keys(mapping)])) {
    const node = fieldsOf(mapping[id]);
    const at = `${place}, message ${id}`;
    const message = mapping[id]
      ? toSourceMessage(id, node.message, at)
      : leftOut("message", "named by another message, but not in the file", at);
    if (isMissing(message)) missing.push(message);
    else if (message !== undefined) missing.push(...unknownContent(node.message, at));
    // A deleted node has no `parent`. Its parent is the node that lists it as a child.
    const parent = textOf(node.parent) ?? namedBy.get(id) ?? null;
    steps.set(id, { id, parent, message: isMissing(message) ? undefined : message });
  }
  return { steps, missing };
}

function unknownContent(message: unknown, place: string): Entry[] {
  const { content } = fieldsOf(message);
  const parts = listOf(fieldsOf(content).parts).filter((part) => typeof part !== "string");
  return [...new Set([content, ...parts].map((one) => fieldsOf(one).content_type))]
    .filter((type) => type !== undefined && !CONTENT_TYPES.has(type) && !PART_TYPES.has(type))
    .map((type) => notUnderstood(`content ${String(type)}`, KEPT_IN_PARTS, place));
}

const isMissing = (message: object | undefined): message is Missing =>
  message !== undefined && "reason" in message;

/** Undefined if there is no message. */
function toSourceMessage(
  id: string,
  value: unknown,
  place: string,
): Omit<SourceMessage, "sequence"> | Missing | undefined {
  if (value === null || value === undefined) return undefined;
  const message = fieldsOf(value);
  const author = fieldsOf(message.author);
  if (!ROLES.includes(author.role))
    return notUnderstood("message", `the role "${String(author.role)}"`, place);
  if (typeof message.content !== "object" || message.content === null)
    return leftOut("message", "no content", place);
  const content = fieldsOf(message.content);
  const text = contentText(content);
  const parts = isPlain(content) ? undefined : content;
  if (text === "" && parts === undefined) return leftOut("message", "empty", place);
  const about = fieldsOf(message.metadata);
  const attachments = listOf(about.attachments).flatMap((file) => textOf(fieldsOf(file).name) ?? []);
  // The recipient is "all" or the name of a tool.
  const recipient = message.recipient === "all" ? undefined : message.recipient;
  const isHidden = isContext(content, about);
  return {
    id,
    atMs: secondsOf(message.create_time),
    role: isHidden ? "system" : (author.role as MessageRole),
    content: text,
    toolName: author.role === "tool" ? author.name : recipient,
    metadata: present({
      model: about.model_slug,
      hidden: isHidden || undefined,
      author_role: isHidden && author.role !== "system" ? author.role : undefined,
      attachments: attachments.length > 0 ? attachments.slice(0, 100) : undefined,
    }),
    parts,
    place,
  };
}

/**
 * Whether the message is context that ChatGPT gives to the model and does not show, such as the custom instructions,
 * which are in every chat as a message of the user.
 */
const isContext = ({ content_type }: Fields, about: Fields): boolean =>
  about.is_user_system_message === true ||
  about.is_visually_hidden_from_conversation === true ||
  content_type === "user_editable_context" ||
  content_type === "model_editable_context";

const isPlain = ({ content_type, parts, ...rest }: Fields): boolean =>
  content_type === "text" &&
  Object.keys(rest).length === 0 &&
  listOf(parts).every((part) => typeof part === "string");

function contentText(content: Fields): string {
  return joinTexts([
    ...listOf(content.parts).map((part) => textOf(part) ?? fieldsOf(part).text),
    content.text,
    content.result,
    content.content,
    content.summary,
    content.snippet,
    content.output_str,
    content.model_set_context,
    ...listOf(content.thoughts).map((thought) => fieldsOf(thought).content),
    content.user_profile,
    content.user_instructions,
  ]);
}
