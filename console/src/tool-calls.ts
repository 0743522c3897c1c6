import type { Message } from "@engram/sdk";

/** A call of a tool that a message makes. */
export interface ToolCall {
  /** Null if the message does not have it. */
  id: string | null;
  name: string | null;
  /** The arguments as they are stored. Empty if the message has none. */
  input: string;
  /** The result, if it is stored along with the call. */
  output?: string;
}

type Fields = Record<string, unknown>;
type Source = Pick<Message, "role" | "content" | "parts" | "tool_call_id" | "tool_name">;

/** Types of parts that are calls, as Anthropic, OpenAI, LangChain and the AI SDK write them. */
const CALL = /^(server_)?tool_use$|_call$|^tool-(?!result)|^dynamic-tool$|^function$/;
const CALLS_MAX = 100;
const known = new WeakMap<Source, readonly ToolCall[]>();

/** The tool calls that a message makes: those of its parts, else the one that its fields name. */
export function toolCallsOf(message: Source): readonly ToolCall[] {
  const before = known.get(message);
  if (before !== undefined) return before;
  const calls = message.role === "assistant" ? readCalls(message) : [];
  known.set(message, calls);
  return calls;
}

function readCalls({ content, parts, tool_call_id, tool_name }: Source): ToolCall[] {
  const calls = ((parts ?? []) as readonly unknown[]).flatMap(callsIn).slice(0, CALLS_MAX);
  if (calls.length > 0 || (tool_call_id === null && tool_name === null)) return calls;
  return [{ id: tool_call_id, name: tool_name, input: isJson(content) ? content : "" }];
}

function callsIn(part: unknown): ToolCall[] {
  const fields = fieldsOf(part);
  const nested = [fields.tool_calls, fieldsOf(fields.data).tool_calls, fields.toolInvocation].flat();
  const calls = nested.flatMap((call) => callOf({ type: "function", ...fieldsOf(call) }));
  return calls.length > 0 ? calls : callOf(fields);
}

function callOf(fields: Fields): ToolCall[] {
  const { type, output, result, errorText } = fields;
  if (typeof type !== "string" || !CALL.test(type)) return [];
  const called = fieldsOf(fields.function);
  const name = [fields.toolName, fields.name, called.name, /^tool-(?!call$)(.+)/.exec(type)?.[1]].find(
    isText,
  );
  if (name === undefined) return [];
  const id = [fields.call_id, fields.callId, fields.toolCallId, fields.id].find(isText) ?? null;
  const input = [fields.input, fields.arguments, fields.args, called.arguments].find(isGiven);
  const answer = [output, result, errorText].find(isGiven);
  return [{ id, name, input: textOf(input), ...(answer !== undefined && { output: textOf(answer) }) }];
}

/**
 * What a message says besides its tool calls. Empty if its content is the arguments of one, which are shown with the
 * call. `isFormatted` says whether arguments may be the same but for white space.
 */
export function textBesideCalls(message: Source, isFormatted: boolean): string {
  const { content } = message;
  const isInput = ({ input }: ToolCall) => input === content || (isFormatted && isSameJson(input, content));
  return toolCallsOf(message).some(isInput) ? "" : content;
}

/** The result of a tool: its text, else its parts. */
export const resultText = ({ content, parts }: Pick<Message, "content" | "parts">): string =>
  content === "" && parts !== null ? JSON.stringify(parts, null, 2) : content;

const SHORT_MAX = 160;
const VALUE_MAX = 60;

/** The arguments or the result of a tool in one line: `order: 1029, notify: true`. */
export function shortOf(text: string): string {
  const value = text.length <= INDENTED_MAX ? parsed(text) : undefined;
  const pairs = typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  const line =
    pairs === undefined
      ? text.slice(0, 2 * SHORT_MAX)
      : Object.entries(pairs)
          .slice(0, 20)
          .map(([name, each]) => `${name}: ${cut(textOf(each), VALUE_MAX)}`)
          .join(", ");
  return cut(line.replace(/[ \t\r\n]+/g, " "), SHORT_MAX);
}

/** Characters of JSON above which it is shown as it is stored. */
const INDENTED_MAX = 20_000;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON with line breaks and indentation. Nothing but white space is changed, unlike by `JSON.stringify`, which rounds
 * large numbers and drops repeated names. A text that is no JSON stays as it is.
 */
export function indented(text: string): string {
  if (text.length > INDENTED_MAX || !isJson(text)) return text;
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  let shown = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1];
    if (token === "}" || token === "]") {
      depth -= 1;
      shown += tokens[i - 1] === "{" || tokens[i - 1] === "[" ? token : line() + token;
    } else if (token === "{" || token === "[") {
      depth += 1;
      shown += next === "}" || next === "]" ? token : token + line();
    } else if (token === ",") shown += token + line();
    else shown += token === ":" ? ": " : token;
  }
  return shown;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text is a JSON object or list. */
const isJson = (text: string): boolean => {
  const value = parsed(text);
  return typeof value === "object" && value !== null;
};

function isSameJson(a: string, b: string): boolean {
  return isJson(a) && isJson(b) && JSON.stringify(parsed(a)) === JSON.stringify(parsed(b));
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? { ...value } : {};
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const textOf = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).trimEnd()}…`;
