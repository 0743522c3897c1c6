import type { Engram } from "../engram.ts";
import { isEngramError } from "../errors.ts";
import type { Conversation, CreateConversationBody, Message, NewMessage } from "../generated/schema.ts";
import type { WriteOptions } from "../options.ts";

/** What the conversation of a thread is created with, beside the thread's own id. */
export type ConversationInit = Omit<CreateConversationBody, "external_id">;

/** Most messages that one request may carry or answer. */
const MESSAGES_MAX = 1_000;
/** Of JSON: below the 8 MiB of a request, and below its 50,000 fields and items unless they are tiny. */
const BATCH_UNITS_MAX = 500_000;

/** The conversation of a framework's thread: known by the thread's id, created when it is first written. */
export class ExternalConversation {
  readonly #client: Engram;
  readonly #body: CreateConversationBody & { external_id: string };
  #id: string | undefined;

  constructor(client: Engram, externalId: string, init: ConversationInit = {}) {
    this.#client = client;
    this.#body = { ...init, external_id: externalId };
  }

  /** Do something to it, created if need be. */
  write<T>(act: (id: string) => Promise<T>): Promise<T> {
    return this.#withId(async () => {
      this.#id ??= (await this.#client.conversations.create(this.#body)).id;
      return act(this.#id);
    });
  }

  /** Read from it; undefined while it does not exist. */
  read<T>(act: (id: string) => Promise<T>): Promise<T | undefined> {
    return this.#withId(async () => {
      this.#id ??= (await this.find())?.id;
      return this.#id === undefined ? undefined : act(this.#id);
    });
  }

  /** The conversation itself; undefined while it does not exist. */
  async find(): Promise<Conversation | undefined> {
    const { external_id } = this.#body;
    return (await this.#client.conversations.list({ external_id }).page()).items[0];
  }

  /** All its messages, oldest first, or only the `newest` so many. */
  async messages(newest = Infinity): Promise<Message[]> {
    if (newest <= 0) return [];
    const found = await this.read(async (id) => {
      const paged = newest <= MESSAGES_MAX;
      const list = this.#client.messages.list(id, paged ? { newest } : { limit: MESSAGES_MAX });
      const pages: Message[][] = [];
      for await (const { items } of list.pages()) pages.push(items);
      // The newest come page by page from the end.
      return (paged ? pages.reverse() : pages).flat().slice(-newest);
    });
    return found ?? [];
  }

  /** Add messages, oldest first, in as many requests as they need: each all or none. */
  async append(messages: NewMessage[]): Promise<void> {
    for (const batch of batchesOf(messages))
      await this.write((id) => this.#client.messages.append(id, { messages: batch }));
  }

  /**
   * Put messages in the place of all but the first `kept` of those `stored`, all or none.
   *
   * @throws {ApiError} `sequence_conflict` when it does not end as `stored` does any more.
   */
  async replace(
    stored: Message[],
    kept: number,
    messages: NewMessage[],
    toOptions?: (id: string) => WriteOptions,
  ): Promise<void> {
    const last = stored.at(-1)?.sequence ?? 0;
    const body = {
      expected_last_sequence: last,
      from_sequence: stored[kept]?.sequence ?? last + 1,
      messages,
    };
    await this.write((id) => this.#client.messages.replace(id, body, toOptions?.(id)));
  }

  /** Delete it, if it is there; the next write begins a new one under the same external id. */
  async delete(): Promise<void> {
    await this.read((id) => this.#client.conversations.delete(id));
    this.#id = undefined;
  }

  /** Another process may have deleted the one whose id is known: then look again, once. */
  async #withId<T>(act: () => Promise<T>): Promise<T> {
    const known = this.#id !== undefined;
    try {
      return await act();
    } catch (error) {
      if (!known || !hasCode(error, "not_found")) throw error;
      this.#id = undefined;
      return act();
    }
  }
}

/** Whether an error is the service's refusal with this code. */
export const hasCode = (error: unknown, code: string): boolean => isEngramError(error) && error.code === code;

/** Messages in groups that fit a request each. */
export function batchesOf(messages: NewMessage[]): NewMessage[][] {
  const batches: NewMessage[][] = [];
  let room = 0;
  for (const message of messages) {
    const units = JSON.stringify(message).length;
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === MESSAGES_MAX || units > room) {
      batches.push([message]);
      room = BATCH_UNITS_MAX - units;
    } else {
      batch.push(message);
      room -= units;
    }
  }
  return batches;
}
