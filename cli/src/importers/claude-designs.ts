import { withAttachments, writtenText } from "./claude-documents.ts";
import { type Entry, leftOut, type Missing, notUnderstood, unknownBlocks } from "./importer.ts";
import { type SourceMessage, toEntries } from "./threads.ts";
import { type Fields, fieldsOf, joinTexts, listOf, present, runsOf, textOf, timeOf } from "./values.ts";

const SOURCE = "claude";
const BLOCKS: ReadonlySet<unknown> = new Set(["text", "thinking", "tool_call", "user_interjection", "error"]);
const ROLES: readonly unknown[] = ["user", "assistant"] satisfies SourceMessage["role"][];

type Said = Pick<SourceMessage, "role" | "content" | "parts">;

export const isDesign = (item: Fields): boolean =>
  Array.isArray(item.messages) && textOf(item.uuid) !== undefined;

/** Reads a chat of Claude Design. What the user said while Claude was working is a block of Claude's message there. */
export function* toDesignEntries(chat: Fields, place: string): Generator<Entry, void, undefined> {
  const messages: SourceMessage[] = [];
  for (const [i, value] of listOf(chat.messages).entries()) {
    const message = fieldsOf(value);
    const content = fieldsOf(message.content);
    const id = textOf(message.uuid) ?? String(i + 1);
    const at = `${place}, message ${id}`;
    if (!ROLES.includes(message.role)) {
      yield notUnderstood("message", `the role "${String(message.role)}"`, at);
      continue;
    }
    yield* unknownBlocks(content.contentBlocks, BLOCKS, at);
    const { said, missing } = toSaid(message.role as "user" | "assistant", content, at);
    yield* missing;
    if (said.length === 0) yield leftOut("message", "empty", at);
    for (const [index, one] of said.entries())
      messages.push({
        ...one,
        id: index > 0 ? `${id}:${index}` : id,
        sequence: messages.length + 1,
        atMs: timeOf(message.created_at ?? content.timestamp),
        place: at,
      });
  }
  const id = String(chat.uuid);
  yield* toEntries({
    externalId: `${SOURCE}:${id}`,
    title: textOf(chat.title),
    createdAtMs: timeOf(chat.created_at),
    tags: [SOURCE, "design"],
    metadata: present({ source: SOURCE, source_id: id, project: fieldsOf(chat.project).name }),
    place,
    messages,
  });
}

function toSaid(
  role: "user" | "assistant",
  content: Fields,
  place: string,
): { said: Said[]; missing: Missing[] } {
  const blocks = listOf(content.contentBlocks).map(fieldsOf);
  const attachments = attachmentsOf(content);
  const runs = runsOf(blocks, ({ type }) => type === "user_interjection");
  if (runs.length < 2 && runs[0]?.[0]?.type !== "user_interjection") {
    const text = textOf(content.content) ?? joinTexts(blocks.map(textOfBlock));
    const { content: whole, missing } = withAttachments(text, attachments, place);
    const isPlain =
      attachments.length === 0 &&
      blocks.every(({ type }) => type === "text") &&
      !("questionRecord" in content);
    const parts = isPlain ? undefined : content;
    // Written by the program for the model.
    const speaker = content.pill === true ? "system" : role;
    return { said: whole === "" && isPlain ? [] : [{ role: speaker, content: whole, parts }], missing };
  }
  const missing: Missing[] = [];
  const said = runs.map((run): Said => {
    const isByUser = run[0]?.type === "user_interjection";
    const files = isByUser ? run.flatMap(({ message }) => attachmentsOf(fieldsOf(message))) : [];
    const read = withAttachments(joinTexts(run.map(textOfBlock)), files, place);
    missing.push(...read.missing);
    return { role: isByUser ? "user" : role, content: read.content, parts: run };
  });
  return { said, missing };
}

const attachmentsOf = ({ attachments }: Fields) =>
  listOf(attachments)
    .map(fieldsOf)
    .map(({ name, content }) => ({ name, text: content }));

function textOfBlock({ type, text, message, toolCall }: Fields): string {
  if (type === "text") return textOf(text) ?? "";
  if (type === "error" || type === "user_interjection")
    return textOf(message) ?? textOf(fieldsOf(message).content) ?? "";
  const { input, output } = fieldsOf(toolCall);
  return joinTexts([writtenText(fieldsOf(input)), output]);
}
