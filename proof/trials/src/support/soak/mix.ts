import { ApiError, type Engram } from "@engram/sdk";
import type { Random } from "../../../../support/random.ts";
import type { Sentence } from "../sentences.ts";

/** Messages of a large append. */
const BATCH = 50;
/** Number of conversations. Roughly one is deleted for each new one. */
const CONVERSATIONS = { min: 50, max: 100 };
/** Number of memories, and sentences per memory. */
const MEMORIES = { min: 100, max: 200, sentences: 5 };

interface Talk {
  id: string;
  messageIds: string[];
  isDeleted: boolean;
}

/** Actions, and their share in percent of the requests. */
const SHARES = {
  "append 1": 26,
  "append 50": 2,
  "search hybrid": 9,
  "search keyword": 9,
  "search semantic": 9,
  "list messages": 10,
  "list conversations": 3,
  get: 11,
  update: 5,
  delete: 2,
  capture: 4,
  recall: 6,
  "list memories": 2,
  forget: 2,
} as const;

export type Action = keyof typeof SHARES;
export const ACTIONS = Object.keys(SHARES) as Action[];
/** Each action as often as its share. */
const DECK = ACTIONS.flatMap((action) => Array<Action>(SHARES[action]).fill(action));

/** Requests as agents send them. Conversations and memories are created and deleted at the same rate. */
export class Mix {
  readonly #client: Engram;
  readonly #random: Random;
  readonly #sentences: Iterator<Sentence, never>;
  /** Oldest first. */
  #talks: Talk[] = [];
  #memoryIds: string[] = [];

  constructor(client: Engram, random: Random, sentences: Iterator<Sentence, never>) {
    this.#client = client;
    this.#random = random;
    this.#sentences = sentences;
  }

  async fill(): Promise<void> {
    for (let i = 0; i < CONVERSATIONS.min; i++) await this.#appendMany();
    for (let i = 0; i < MEMORIES.min; i++) await this.#capture();
  }

  next(): Action {
    const action = this.#random.pick(DECK);
    if (action === "delete" && this.#talks.length <= CONVERSATIONS.min) return "append 50";
    if (action === "append 50" && this.#talks.length >= CONVERSATIONS.max) return "delete";
    if (action === "forget" && this.#memoryIds.length <= MEMORIES.min) return "capture";
    if (action === "capture" && this.#memoryIds.length >= MEMORIES.max) return "forget";
    return action;
  }

  /** Run an action once. @throws {Error} When it fails, except for data that was deleted meanwhile. */
  async run(action: Action): Promise<void> {
    const talk = this.#random.pick(this.#talks);
    try {
      await this.#runOn(action, talk);
    } catch (error) {
      if (!(talk.isDeleted && error instanceof ApiError && error.code === "not_found")) throw error;
    }
  }

  async #runOn(action: Action, talk: Talk): Promise<unknown> {
    const { conversations, memories, messages } = this.#client;
    const messageId = this.#random.pick(talk.messageIds);
    // A retry would hide a failure.
    const once = { maxRetries: 0 };
    const search = (mode: "hybrid" | "keyword" | "semantic") =>
      this.#client.search({ query: this.#text(), mode }, once);
    switch (action) {
      case "append 1": {
        const body = { messages: [{ role: "user" as const, content: this.#text() }] };
        const { message_ids } = await messages.append(talk.id, body, once);
        return talk.messageIds.push(...message_ids);
      }
      case "append 50":
        return this.#appendMany();
      case "search hybrid":
        return search("hybrid");
      case "search keyword":
        return search("keyword");
      case "search semantic":
        return search("semantic");
      case "list messages":
        return messages.list(talk.id, { newest: 20 }, once).page();
      case "list conversations":
        return conversations.list({ limit: 20 }, once).page();
      case "get":
        return messages.get(talk.id, messageId, {}, once);
      case "update":
        return messages.update(talk.id, messageId, { content: this.#text() }, once);
      case "delete": {
        const oldest = this.#talks.shift() ?? talk;
        oldest.isDeleted = true;
        return conversations.delete(oldest.id, once);
      }
      case "capture":
        return this.#capture();
      case "recall":
        return memories.search({ query: this.#text() }, once);
      case "list memories":
        return memories.list({ limit: 20 }, once).page();
      case "forget": {
        const oldest = this.#memoryIds.shift();
        return oldest === undefined ? this.#capture() : memories.delete(oldest, once);
      }
    }
  }

  async #appendMany(): Promise<void> {
    const { id } = await this.#client.conversations.create({}, { maxRetries: 0 });
    const said = Array.from({ length: BATCH }, () => ({ role: "user" as const, content: this.#text() }));
    const { message_ids } = await this.#client.messages.append(id, { messages: said }, { maxRetries: 0 });
    this.#talks.push({ id, messageIds: message_ids, isDeleted: false });
  }

  async #capture(): Promise<void> {
    const content = Array.from({ length: MEMORIES.sentences }, () => this.#text()).join(" ");
    const { id } = await this.#client.memories.create({ content }, { maxRetries: 0 });
    this.#memoryIds.push(id);
  }

  #text(): string {
    return this.#sentences.next().value.text;
  }
}
