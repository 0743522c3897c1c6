import type { Engram } from "../engram.ts";
import { isEngramError } from "../errors.ts";
import type { Conversation, CreateConversationBody, Message, NewMessage } from "../generated/schema.ts";
import type { WriteOptions } from "../options.ts";

/** What the conversation of a thread is created with, beside the thread's own id. */
export type ConversationInit = Omit<CreateConversationBody, "external_id">;

/** Most messages that one request may carry or answer. */
export const MESSAGES_MAX = 1_000;
/** For all items of a list. */
export const ALL = { max: Number.POSITIVE_INFINITY };
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

  /** All its messages, oldest first. */
  async messages(): Promise<Message[]> {
    const list = (id: string) => this.#client.messages.list(id, { limit: MESSAGES_MAX });
    return (await this.read((id) => list(id).toArray(ALL))) ?? [];
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

  /**
   * Have it hold what `change` makes of the messages there: from the first whose parts are not as they were on,
   * the new ones take the old ones' place. Changed once more when another's write comes between.
   */
  async rewrite(change: (stored: Message[]) => NewMessage[]): Promise<void> {
    for (;;) {
      const stored = await this.messages();
      const messages = change(stored);
      const same = messages.findIndex(
        ({ parts = null }, i) => JSON.stringify(stored[i]?.parts) !== JSON.stringify(parts),
      );
      const kept = same < 0 ? messages.length : same;
      if (kept === messages.length && kept === stored.length) return;
      const [first = [], ...further] = batchesOf(messages.slice(kept));
      try {
        await this.replace(stored, kept, first);
        return await this.append(further.flat());
      } catch (error) {
        if (!hasCode(error, "sequence_conflict")) throw error;
      }
    }
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
function batchesOf(messages: NewMessage[]): NewMessage[][] {
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
