import type { Engram } from "../engram.ts";
import { isEngramError } from "../errors.ts";
import type { Conversation, CreateConversationBody, Message, NewMessage } from "../generated/schema.ts";
import type { WriteOptions } from "../options.ts";

/** What the conversation of a thread is created with, beside the thread's own id. */
export type ConversationInit = Omit<CreateConversationBody, "external_id">;

/** Most messages that one request may carry or answer. */
export const MESSAGES_MAX = 1_000;
/** For all items of a list. */
export const ALL = { max: Infinity };
/** JSON of one append, in UTF-16 units: at most 1.5 MB as UTF-8, of the 2 MiB that an append carries. */
const BATCH_UNITS_MAX = 500_000;
/** Units that a field or item counts at least, since a request also ends at 50,000 of them. */
const VALUE_UNITS = 12;

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
  async write(act: (id: string) => Promise<unknown>): Promise<void> {
    await this.#with(() => this.create(), act);
  }

  /** Read from it; undefined while it does not exist. */
  read<T>(act: (id: string) => Promise<T>): Promise<T | undefined> {
    return this.#with(() => this.find(), act);
  }

  /** The conversation itself, created if need be. */
  create(): Promise<Conversation> {
    return this.#client.conversations.create(this.#body);
  }

  /** The conversation itself; undefined while it does not exist. */
  async find(): Promise<Conversation | undefined> {
    const { external_id } = this.#body;
    return (await this.#client.conversations.list({ external_id }).page()).items[0];
  }

  /** All its messages, oldest first. */
  async messages(): Promise<Message[]> {
    const stored = await this.read((id) =>
      this.#client.messages.list(id, { limit: MESSAGES_MAX }).toArray(ALL),
    );
    return stored ?? [];
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

  /** Delete it, if it is there; the next write begins a new one under the same external id. */
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
    // Another process may have deleted the one whose id is known: then look again, once.
    return done.catch(
      refused("not_found", () => {
        this.#id = undefined;
        return this.#with(find, act);
      }),
    );
  }
}

/** Whether an error is the service's refusal with this code. */
export const hasCode = (error: unknown, code: string): boolean => isEngramError(error) && error.code === code;

/** To catch the service's refusal with this code, and no other error: `otherwise` takes its place. */
export const refused =
  <T>(code: string, otherwise: () => T) =>
  (error: unknown): T => {
    if (hasCode(error, code)) return otherwise();
    throw error;
  };

/** Messages in groups that fit a request each. */
function batchesOf(messages: NewMessage[]): NewMessage[][] {
  const batches: NewMessage[][] = [];
  let room = 0;
  for (const message of messages) {
    const json = JSON.stringify(message);
    // A field or item ends in one of these; text that holds them only makes a batch smaller.
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
