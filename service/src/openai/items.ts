import { isJsonObject, type Message, NewMessage } from "@engram/spec";

/** An item as OpenAI's API describes it. Names only the fields that are read here. */
export interface Item {
  type?: unknown;
  id?: unknown;
  role?: unknown;
  status?: unknown;
  content?: unknown;
  [field: string]: unknown;
}

/** What an item is made of. A new message has undefined where a stored one has null. */
type ItemMessage = Pick<Message, "id" | "role" | "content"> &
  Partial<Pick<Message | NewMessage, "tool_call_id" | "tool_name" | "parts" | "external_id">>;

/** The field of `parts` that holds an item without its id. */
const ITEM = "openai_item";
/** Fields in which items have text. */
const TEXT_FIELDS = ["content", "arguments", "input", "code", "output", "summary"];
/** Items of these types have a status when OpenAI returns them. */
const HAS_STATUS = /^message$|_(call|output)$/;

/**
 * The message that stores an item. Its content is the item's text, so that searches find it. `parts` has the whole item,
 * unless role, content and tool call are all of it. An id that the item already has, such as `rs_…`, becomes the
 * external id.
 */
export function toMessage(given: Item): NewMessage {
  const item = completed(given);
  const message = {
    role: roleOf(item),
    content: textOf(item),
    ...named("tool_call_id", item.call_id),
    ...named("tool_name", item.name),
    ...named("external_id", given.id),
  };
  const isPlain = given.id == null && isSame(plainItem(message), item);
  return isPlain ? message : { ...message, parts: { [ITEM]: item } };
}

/**
 * The item that a message stores. Of a message that another program appended, or whose content was changed since: an
 * item with its text.
 */
export function toItem(message: ItemMessage): Item & { id: string } {
  const stored = storedItem(message.parts);
  const id = (stored && message.external_id) || message.id;
  const isCurrent = stored !== null && textOf(stored) === message.content;
  return { ...(isCurrent ? stored : plainItem(message)), id };
}

/** The item without its id, with the fields that OpenAI adds to the items it returns. */
function completed({ id: _, ...given }: Item): Item {
  const type = given.type ?? "message";
  const item: Item = { ...given, type };
  if (HAS_STATUS.test(String(type))) item.status ??= "completed";
  if (type === "message" && typeof item.content === "string")
    item.content = [textPart(item.role, item.content)];
  return item;
}

function plainItem({ role, content, tool_call_id, tool_name }: Omit<ItemMessage, "id">): Item {
  const call = { call_id: tool_call_id, ...(tool_name && { name: tool_name }), status: "completed" };
  if (role === "tool" && tool_call_id) return { type: "function_call_output", ...call, output: content };
  if (role === "assistant" && tool_call_id && tool_name && isArguments(content))
    return { type: "function_call", ...call, arguments: content };
  return { type: "message", status: "completed", role, content: [textPart(role, content)] };
}

const textPart = (role: unknown, text: string) =>
  role === "assistant" ? { type: "output_text", text, annotations: [] } : { type: "input_text", text };

function isArguments(content: string): boolean {
  try {
    return isJsonObject(JSON.parse(content));
  } catch {
    return false;
  }
}

function roleOf({ type, role }: Item): Message["role"] {
  if (type === "message") {
    if (role === "user" || role === "tool") return role;
    return role === "system" || role === "developer" ? "system" : "assistant";
  }
  if (type === "mcp_approval_response") return "user";
  return String(type).endsWith("_output") ? "tool" : "assistant";
}

/** All text of an item, one text per line. */
const textOf = (item: Item): string =>
  TEXT_FIELDS.flatMap((field) => textsIn(item[field]))
    .filter((text) => text !== "")
    .join("\n");

const textsIn = (value: unknown): string[] =>
  [value].flat().flatMap((part) => {
    const text = isJsonObject(part) ? (part.text ?? part.refusal) : value;
    return typeof text === "string" ? text : [];
  });

/** The field, if the service accepts this value. */
const named = (field: "tool_call_id" | "tool_name" | "external_id", value: unknown) => {
  const { data } = NewMessage.shape[field].safeParse(value);
  return data === undefined ? {} : { [field]: data };
};

function storedItem(parts: ItemMessage["parts"]): Item | null {
  const item = isJsonObject(parts) ? parts[ITEM] : undefined;
  return isJsonObject(item) && typeof item.type === "string" ? item : null;
}

const isSame = (one: Item, other: Item): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([field, value]) => JSON.stringify(value) === JSON.stringify(other[field]));
