import type { Engram } from "../engram.ts";
import { isEngramError } from "../errors.ts";
import type { Conversation, CreateConversationBody, Message, NewMessage } from "../generated/schema.ts";
import type { WriteOptions } from "../options.ts";

/** Fields for a thread's new conversation, in addition to the thread's own id. */
export type ConversationInit = Omit<CreateConversationBody, "external_id">;

/** Upper bound on the messages in one request or response. */
export const MESSAGES_MAX = 1_000;
/** Options of `toArray` for all items of a list. */
export const ALL = { max: Infinity };
/**
 * Upper bound on the JSON of one append, in UTF-16 units: at most 1.5 MB as UTF-8. An append can carry 2 MiB.
 */
const BATCH_UNITS_MAX = 500_000;
/** Minimum size to count per field or item, in UTF-16 units: a request can have at most 50,000 of them. */
const VALUE_UNITS = 12;

/**
 * The conversation of a framework's thread. It is identified by the thread's id and created on the first
 * write.
 */
export class ExternalConversation {
  readonly #client: Engram;
  readonly #body: CreateConversationBody & { external_id: string };
  #id: string | undefined;

  constructor(client: Engram, externalId: string, init: ConversationInit = {}) {
    this.#client = client;
    this.#body = { ...init, external_id: externalId };
  }

  /** Apply a write, creating the conversation if needed. */
  async write(act: (id: string) => Promise<unknown>): Promise<void> {
    await this.#with(() => this.create(), act);
  }

  /** Returns undefined while the conversation does not exist. */
  read<T>(act: (id: string) => Promise<T>): Promise<T | undefined> {
    return this.#with(() => this.find(), act);
  }

  /** The conversation, created if needed. */
  create(): Promise<Conversation> {
    return this.#client.conversations.create(this.#body);
  }

  /** The conversation; undefined while it does not exist. */
  async find(): Promise<Conversation | undefined> {
    const { external_id } = this.#body;
    return (await this.#client.conversations.list({ external_id }).page()).items[0];
  }

  /** All messages, oldest first. */
  async messages(): Promise<Message[]> {
    const stored = await this.read((id) =>
      this.#client.messages.list(id, { limit: MESSAGES_MAX }).toArray(ALL),
    );
    return stored ?? [];
  }

  /** Append messages, oldest first, in as many requests as needed. Each request is all or none. */
  async append(messages: NewMessage[]): Promise<void> {
    for (const batch of batchesOf(messages))
      await this.write((id) => this.#client.messages.append(id, { messages: batch }));
  }

  /**
   * Keep the first `kept` of the `stored` messages and replace the rest, all or none.
   *
   * @throws {ApiError} `sequence_conflict` when the conversation no longer ends like `stored`.
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
   * Make the conversation hold the messages that `change` returns for the stored ones. From the first message
   * whose `parts` differ, the new messages replace the stored ones. Runs `change` again after a concurrent
   * write.
   */
  async rewrite(change: (stored: Message[]) => NewMessage[]): Promise<void> {
    const stored = await this.messages();
    const messages = change(stored);
    let kept = 0;
    for (const { parts = null } of messages) {
      if (JSON.stringify(stored[kept]?.parts) !== JSON.stringify(parts)) break;
      kept += 1;
    }
    if (kept === messages.length && kept === stored.length) return;
    const [first = [], ...further] = batchesOf(messages.slice(kept));
    await this.replace(stored, kept, first).then(
      () => this.append(further.flat()),
      refused("sequence_conflict", () => this.rewrite(change)),
    );
  }

  /** Delete the conversation if it exists. The next write creates a new one with the same external id. */
  async delete(): Promise<void> {
    await this.read((id) => this.#client.conversations.delete(id));
    this.#id = undefined;
  }

  async #with<T>(
    find: () => Promise<Conversation | undefined>,
    act: (id: string) => Promise<T>,
  ): Promise<T | undefined> {
    const known = this.#id;
    this.#id ??= (await find())?.id;
    if (this.#id === undefined) return undefined;
    const done = act(this.#id);
    if (known === undefined) return done;
    // Another process may have deleted the conversation with the cached id: look it up again, once.
    return done.catch(
      refused("not_found", () => {
        this.#id = undefined;
        return this.#with(find, act);
      }),
    );
  }
}

export const hasCode = (error: unknown, code: string): boolean => isEngramError(error) && error.code === code;

/** A rejection handler that returns `otherwise()` for this error code and rethrows any other error. */
export const refused =
  <T>(code: string, otherwise: () => T) =>
  (error: unknown): T => {
    if (hasCode(error, code)) return otherwise();
    throw error;
  };

/** Split messages into groups that each fit in one request. */
function batchesOf(messages: NewMessage[]): NewMessage[][] {
  const batches: NewMessage[][] = [];
  let room = 0;
  for (const message of messages) {
    const json = JSON.stringify(message);
    // Every field or item ends in one of these characters. Counting them in text too only makes a batch
    // smaller.
    const units = Math.max(json.length, VALUE_UNITS * json.split(/[,\]}]/).length);
    room -= units;
    if (room < 0 || batches.at(-1)?.length === MESSAGES_MAX) {
      batches.push([]);
      room = BATCH_UNITS_MAX - units;
    }
    batches.at(-1)?.push(message);
  }
  return batches;
}
