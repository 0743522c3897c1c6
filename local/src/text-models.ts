import type { TextInput } from "./enrichment/endpoint.ts";

/** `response` is text, or a parsed value if the model returns JSON in Workers AI's JSON mode. */
export interface TextOutput {
  response: unknown;
}

/** Checks the input of a text model. A returned string says what is wrong with it. */
export function readMessages(input: unknown): TextInput | string {
  if (typeof input !== "object" || input === null || !("messages" in input)) {
    return "required properties at '/' are 'messages'";
  }
  const { messages } = input;
  if (!Array.isArray(messages)) return "Type mismatch of '/messages'";
  if (messages.length === 0) return "'/messages' must have at least 1 items";
  if (!messages.every(isMessage)) return "required properties at '/messages/0' are 'role,content'";
  return input as TextInput;
}

/**
 * Extracts tags and a summary from the last message, `{ "note": …, "known_tags": […] }`, in short steps. Null for another
 * form.
 */
export async function extractAnswer({
  messages,
}: TextInput): Promise<Generator<void, TextOutput, void> | null> {
  const asked = readNote(messages.at(-1)?.content ?? "");
  if (asked === null) return null;
  // Loaded only when needed, because its word lists have half a megabyte.
  const { enrichByExtraction } = await import("./enricher/enricher.ts");
  return (function* () {
    return { response: yield* enrichByExtraction(asked.note, asked.knownTags) };
  })();
}

/** @throws {Error} With the model's error message, which has the form of Workers AI's. */
export async function answerBy(bound: Fetcher, input: TextInput): Promise<TextOutput> {
  const response = await bound.fetch("http://enrichment/", { method: "POST", body: JSON.stringify(input) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return { response: text };
}

function isMessage(message: unknown): boolean {
  if (typeof message !== "object" || message === null) return false;
  const { role, content } = message as { role?: unknown; content?: unknown };
  return typeof role === "string" && typeof content === "string";
}

function readNote(content: string): { note: string; knownTags: string[] } | null {
  try {
    const { note, known_tags: knownTags = [] } = JSON.parse(content);
    return typeof note === "string" && Array.isArray(knownTags)
      ? { note, knownTags: knownTags.filter((tag) => typeof tag === "string") }
      : null;
  } catch {
    return null;
  }
}
