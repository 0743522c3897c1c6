import { ApiError, type Engram } from "@engram/sdk";
import type { Random } from "../../../../bench/src/chats/random.ts";
import type { Sentence } from "../sentences.ts";

/** Messages of a big append. */
const BATCH = 50;
/** Conversations that there always are: about one is deleted for each that is begun. */
const CONVERSATIONS = { min: 50, max: 100 };

interface Talk {
  id: string;
  messageIds: string[];
  isDeleted: boolean;
}

/** What is done, and how many of a hundred requests do it. */
const SHARES = {
  "append 1": 30,
  "append 50": 2,
  "search hybrid": 10,
  "search keyword": 10,
  "search semantic": 10,
  "list messages": 12,
  "list conversations": 4,
  get: 14,
  update: 6,
  delete: 2,
} as const;

export type Action = keyof typeof SHARES;
export const ACTIONS = Object.keys(SHARES) as Action[];
/** Each as often as its share says. */
const DECK = ACTIONS.flatMap((action) => Array<Action>(SHARES[action]).fill(action));

/** Requests as agents send them, to conversations that come and go so that there are always as many. */
export class Mix {
  readonly #client: Engram;
  readonly #random: Random;
  readonly #sentences: Iterator<Sentence, never>;
  /** Oldest first. */
  #talks: Talk[] = [];

  constructor(client: Engram, random: Random, sentences: Iterator<Sentence, never>) {
    this.#client = client;
    this.#random = random;
    this.#sentences = sentences;
  }

  async fill(): Promise<void> {
    for (let i = 0; i < CONVERSATIONS.min; i++) await this.#appendMany();
  }

  next(): Action {
    const action = this.#random.pick(DECK);
    if (action === "delete" && this.#talks.length <= CONVERSATIONS.min) return "append 50";
    if (action === "append 50" && this.#talks.length >= CONVERSATIONS.max) return "delete";
    return action;
  }

  /** Do it once. @throws {Error} when it fails, unless for what was deleted meanwhile. */
  async run(action: Action): Promise<void> {
    const talk = this.#random.pick(this.#talks);
    try {
      await this.#runOn(action, talk);
    } catch (error) {
      if (!(talk.isDeleted && error instanceof ApiError && error.code === "not_found")) throw error;
    }
  }

  async #runOn(action: Action, talk: Talk): Promise<unknown> {
    const { conversations, messages } = this.#client;
    const messageId = this.#random.pick(talk.messageIds);
    // A retry would hide that it failed.
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
        return messages.get(talk.id, messageId, once);
      case "update":
        return messages.update(talk.id, messageId, { content: this.#text() }, once);
      case "delete": {
        const oldest = this.#talks.shift() ?? talk;
        oldest.isDeleted = true;
        return conversations.delete(oldest.id, once);
      }
    }
  }

  async #appendMany(): Promise<void> {
    const { id } = await this.#client.conversations.create({}, { maxRetries: 0 });
    const said = Array.from({ length: BATCH }, () => ({ role: "user" as const, content: this.#text() }));
    const { message_ids } = await this.#client.messages.append(id, { messages: said }, { maxRetries: 0 });
    this.#talks.push({ id, messageIds: message_ids, isDeleted: false });
  }

  #text(): string {
    return this.#sentences.next().value.text;
  }
}
