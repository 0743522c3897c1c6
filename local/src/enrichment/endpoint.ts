import { type EndpointAddress, shownUrl } from "../endpoints/address.ts";
import { describeFailure, EndpointFailure } from "../endpoints/failure.ts";
import { postJson, Refusal } from "../endpoints/post.ts";

/** A little less than the 35 s that the service waits for a text model. */
const CALL_TIMEOUT_MS = 30_000;
/** Statuses that may be about what was sent beside the messages. */
const ABOUT_OPTIONS = [400, 422];

/** What the service runs a text model with. */
export interface TextInput {
  messages: { role: string; content: string }[];
  response_format?: { type: string; json_schema: object };
  temperature?: number;
  max_tokens?: number;
}

/** A text model behind an endpoint that speaks `/v1/chat/completions`. */
export class EndpointTextModel {
  /** What the service knows the model by. */
  readonly model: string;
  /** What it is, for people. */
  readonly description: string;
  readonly #address: EndpointAddress;
  readonly #say: (line: string) => void;
  readonly #timeoutMs: number;
  readonly #stopped = new AbortController();
  /** Which of `LESS` the endpoint took last. */
  #less = 0;
  /** What was said of the endpoint since it failed; each reason once. */
  readonly #troubles = new Set<string>();

  constructor(address: EndpointAddress, say: (line: string) => void, timeoutMs = CALL_TIMEOUT_MS) {
    this.#address = address;
    this.#say = say;
    this.#timeoutMs = timeoutMs;
    this.model = `endpoint/${address.model}`;
    this.description = `${address.model}, at ${shownUrl(address)}`;
  }

  /**
   * What the model says, not read any further; empty when it says nothing.
   *
   * @throws {Error} in the words of Workers AI: 3007 when it takes too long, 3040 when there is no answer.
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

  /** End what is under way; every call fails. */
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
        `The enrichment endpoint fails: ${reason}. Until it answers, notes get no summary and no tags.`,
      );
    }
    this.#troubles.add(reason);
  }
}

/** What is sent beside the messages, less each time it is refused: some endpoints know no format, some no length. */
const LESS: ((options: Omit<TextInput, "messages">) => object)[] = [
  toOpenAi,
  ({ response_format: _, ...options }) => options,
  ({ temperature }) => ({ temperature }),
];

/** What goes with the messages, as OpenAI names it: its schemas have a name, those of Workers AI stand alone. */
function toOpenAi({ response_format: format, ...options }: Omit<TextInput, "messages">): object {
  if (format === undefined) return options;
  const json_schema = { name: "answer", strict: true, schema: format.json_schema };
  return { ...options, response_format: { type: format.type, json_schema } };
}

/** The first choice's text. @throws {EndpointFailure} when the answer is none of `/v1/chat/completions`. */
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
