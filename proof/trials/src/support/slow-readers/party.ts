import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";

/** Appends of one party in a second. */
const PER_SECOND = 10;
const EVENT_MS_MAX = 30_000;

export interface Served {
  /** Milliseconds until the response, and until the event was at a reader. */
  responseMs: number;
  eventMs: number;
}

/** An organization that appends messages, with a reader that acknowledges. */
export class Party {
  readonly name: string;
  readonly client: Engram;
  /** Position in the log at which the reader began. */
  readonly startedAt: number;
  readonly #conversationId: string;
  readonly #ending = new AbortController();
  readonly #arrivals = new Map<number, PromiseWithResolvers<number>>();
  /** Sequences of the events that the reader got. */
  readonly sequences: number[] = [];
  /** Rejects if the reader fails. */
  readonly #reading: Promise<void>;

  private constructor(name: string, client: Engram, conversationId: string, after: number) {
    this.name = name;
    this.client = client;
    this.startedAt = after;
    this.#conversationId = conversationId;
    this.#reading = this.#read(after);
    this.#reading.catch(() => {});
  }

  static async open(name: string, baseUrl: string, key: string): Promise<Party> {
    const client = new Engram({ baseUrl, apiKey: key });
    const { id } = await client.conversations.create({});
    const { after } = await client.events.list({ after: "now" });
    return new Party(name, client, id, after);
  }

  /** Appends messages at a constant rate, without waiting for responses, until `isOver`. */
  async serve(isOver: () => boolean): Promise<Served[]> {
    const all: Promise<Served>[] = [];
    const startMs = performance.now();
    while (!isOver()) {
      const dueMs = startMs + (all.length * 1_000) / PER_SECOND;
      await sleep(Math.max(0, dueMs - performance.now()));
      all.push(this.#append(dueMs));
    }
    return Promise.all(all);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#reading.catch(() => {});
  }

  async #append(dueMs: number): Promise<Served> {
    const body = { messages: [{ role: "user" as const, content: "A short message." }] };
    const { last_sequence } = await this.client.messages.append(this.#conversationId, body, {
      maxRetries: 0,
    });
    const responseMs = performance.now() - dueMs;
    if (last_sequence === null) throw new Error(`${this.name}: an append without a message`);
    const late = AbortSignal.timeout(EVENT_MS_MAX);
    const missed = new Promise<never>((_, reject) => {
      late.onabort = () => reject(new Error(`${this.name}: no event of message ${last_sequence}`));
    });
    const atMs = await Promise.race([this.#arrival(last_sequence).promise, this.#failure(), missed]);
    return { responseMs, eventMs: atMs - dueMs };
  }

  /** Never resolves. */
  async #failure(): Promise<never> {
    await this.#reading;
    throw new Error(`${this.name}: the reader ended`);
  }

  async #read(after: number): Promise<void> {
    const signal = this.#ending.signal;
    for await (const event of this.client.events.listen({ after, signal })) {
      this.sequences.push(event.sequence);
      if (event.type === "messages.appended" && event.conversation_id === this.#conversationId)
        this.#arrival(event.last_sequence ?? 0).resolve(performance.now());
    }
  }

  #arrival(sequence: number): PromiseWithResolvers<number> {
    const known = this.#arrivals.get(sequence) ?? Promise.withResolvers<number>();
    this.#arrivals.set(sequence, known);
    return known;
  }
}
