/** A longer response is ignored. One that follows the instructions has at most half of this length. */
export const ANSWER_CHARACTERS_MAX = 10_000;

/** Reads the JSON in the response of a text model, also within a code fence or words. Undefined if there is none. */
export function readAnswer(answer: unknown): unknown {
  return toJson(responseOf(answer));
}

/**
 * The model's text or object: the field `response` as in Workers AI, or the message of the first choice as in OpenAI.
 */
function responseOf(answer: unknown): unknown {
  const choices = fieldOf(answer, "choices");
  const [first] = Array.isArray(choices) ? choices : [];
  return fieldOf(answer, "response") ?? fieldOf(fieldOf(first, "message"), "content");
}

export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function toJson(response: unknown): unknown {
  if (typeof response !== "string") return response;
  const start = response.search(/[[{]/);
  if (start === -1 || response.length > ANSWER_CHARACTERS_MAX) return undefined;
  try {
    return JSON.parse(response.slice(start, response.lastIndexOf("}") + 1));
  } catch {
    return undefined;
  }
}
