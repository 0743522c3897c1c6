import { type EndpointAddress, shownUrl } from "../endpoints/address.ts";
import { describeFailure, EndpointFailure } from "../endpoints/failure.ts";
import { postJson, Refusal } from "../endpoints/post.ts";

/** Must be shorter than 35 s, after which the service itself stops waiting. */
const CALL_TIMEOUT_MS = 30_000;
/** Status codes of a failure that the options of the request may have caused. */
const ABOUT_OPTIONS = [400, 422];

export interface TextInput {
  messages: { role: string; content: string }[];
  response_format?: { type: string; json_schema: object };
  temperature?: number;
  max_tokens?: number;
}

/** What the service calls the model. */
export const toModelName = ({ model }: EndpointAddress): string => `endpoint/${model}`;

export class EndpointTextModel {
  readonly model: string;
  readonly description: string;
  readonly #address: EndpointAddress;
  readonly #say: (line: string) => void;
  readonly #timeoutMs: number;
  readonly #stopped = new AbortController();
  /** Index in `LESS` of the options that the endpoint accepted last. */
  #less = 0;
  /** Failures that were printed since the endpoint last worked, so that each is printed once. */
  readonly #troubles = new Set<string>();

  constructor(address: EndpointAddress, say: (line: string) => void, timeoutMs = CALL_TIMEOUT_MS) {
    this.#address = address;
    this.#say = say;
    this.#timeoutMs = timeoutMs;
    this.model = toModelName(address);
    this.description = `${address.model}, at ${shownUrl(address)}`;
  }

  /**
   * The text that the model returns, or an empty string if it returns none.
   *
   * @throws {Error} With a message in the form of Workers AI: "3007: …" after a timeout, "3040: …" for any
   * other failure.
   */
  async answer(input: TextInput): Promise<string> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    try {
      const text = await this.#ask(input, AbortSignal.any([timeout, this.#stopped.signal]));
      if (this.#troubles.size > 0) this.#say("The enrichment endpoint answers again.");
      this.#troubles.clear();
      return text;
    } catch (error) {
      if (this.#stopped.signal.aborted) throw new Error("3040: Engram is stopping");
      const reason = timeout.aborted ? `no answer within ${this.#timeoutMs} ms` : describeFailure(error);
      this.#tell(reason);
      throw new Error(`${timeout.aborted ? 3007 : 3040}: the enrichment endpoint fails: ${reason}`);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #ask({ messages, ...options }: TextInput, signal: AbortSignal): Promise<string> {
    const { model } = this.#address;
    const post = async (more: object) =>
      readContent(
        await postJson(this.#address, { model, messages, ...more }, { signal, prefix: "ENGRAM_ENRICHMENT" }),
      );
    for (let less = this.#less; ; less++) {
      try {
        const text = await post(LESS[less]?.(options) ?? {});
        this.#less = less;
        return text;
      } catch (error) {
        const isAboutOptions = error instanceof Refusal && ABOUT_OPTIONS.includes(error.status);
        if (!isAboutOptions || less >= LESS.length) throw error;
      }
    }
  }

  #tell(reason: string): void {
    if (!this.#troubles.has(reason)) {
      this.#say(
        `The enrichment endpoint fails: ${reason}. Until it answers, memories get no summary and no tags, and summaries of conversations wait.`,
      );
    }
    this.#troubles.add(reason);
  }
}

/**
 * Options to send, tried in this order. Each entry sends fewer than the one before, because some endpoints do
 * not support a response format, and some no length limit.
 */
const LESS: ((options: Omit<TextInput, "messages">) => object)[] = [
  toOpenAi,
  ({ response_format: _, ...options }) => options,
  ({ temperature }) => ({ temperature }),
];

/** In OpenAI's form, a JSON schema also has a name. */
function toOpenAi({ response_format: format, ...options }: Omit<TextInput, "messages">): object {
  if (format === undefined) return options;
  const json_schema = { name: "answer", strict: true, schema: format.json_schema };
  return { ...options, response_format: { type: format.type, json_schema } };
}

function readContent(text: string): string {
  let answer: { choices?: { message?: { content?: unknown } }[] } | null;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new EndpointFailure("an answer that is not JSON");
  }
  const choices = answer?.choices;
  if (!Array.isArray(choices) || choices.length === 0)
    throw new EndpointFailure("an answer without a list `choices`");
  const content = choices[0]?.message?.content;
  return typeof content === "string" ? content : "";
}
