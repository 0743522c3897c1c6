import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Answer, callOnce, type Target } from "../calls.ts";
import { readTiming, type Timing } from "./timing.ts";

const Conversation = z.object({ id: z.string() });
const Appended = z.object({ indexed: z.boolean() });
const Found = z.object({ results: z.array(z.object({ conversation_id: z.string() })) });

export interface Measured {
  /** Seen from this machine. */
  durationMs: number;
  timing: Timing;
  headers: Headers;
}

/** The calls of a measurement, with a key of its organization. Counts what they use. */
export class Client {
  requests = 0;
  rowsRead = 0;
  rowsWritten = 0;
  readonly #target: Target;
  readonly #key: string;
  readonly #signal: AbortSignal;

  constructor(target: Target, key: string, signal: AbortSignal) {
    this.#target = target;
    this.#key = key;
    this.#signal = signal;
  }

  /** @returns The id of a new conversation. */
  async createConversation(): Promise<string> {
    const body = { title: "Measurement" };
    const answer = await this.#send("/v1/conversations", { body, status: 201, answer: Conversation });
    return answer.data.id;
  }

  /** Sends an idempotency key, as the SDK does. */
  async append(
    conversationId: string,
    contents: string[],
    wait?: "indexed",
  ): Promise<Measured & { indexed: boolean }> {
    const messages = contents.map((content, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content }));
    const answer = await this.#send(`/v1/conversations/${conversationId}/messages`, {
      headers: { "idempotency-key": randomUUID() },
      body: { messages, ...(wait === undefined ? {} : { wait }) },
      status: 201,
      answer: Appended,
    });
    return { ...answer, indexed: answer.data.indexed };
  }

  async search(
    query: string,
    mode: "hybrid" | "semantic" = "hybrid",
  ): Promise<Measured & { found: string[] }> {
    const answer = await this.#send("/v1/search", { body: { query, mode }, answer: Found });
    return { ...answer, found: answer.data.results.map((result) => result.conversation_id) };
  }

  async #send<T>(
    path: string,
    call: { headers?: Record<string, string>; body: unknown; status?: number; answer: z.ZodType<T> },
  ): Promise<Answer<T> & { timing: Timing }> {
    this.#signal.throwIfAborted();
    this.requests += 1;
    const answer = await callOnce(this.#target, { ...call, path, token: this.#key, signal: this.#signal });
    const timing = readTiming(answer.headers.get("server-timing"));
    this.rowsRead += timing.rowsRead;
    this.rowsWritten += timing.rowsWritten;
    return { ...answer, timing };
  }
}
