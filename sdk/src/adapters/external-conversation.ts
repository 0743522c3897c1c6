import type { Call } from "../call.ts";
import type { Engram } from "../engram.ts";
import { isEngramError } from "../errors.ts";
import { APPEND_MESSAGES_MAX, MESSAGE_PAGE_MAX } from "../generated/limits.ts";
import type { ListConversationsQuery } from "../generated/resources.ts";
import type { Conversation, CreateConversationBody, Message, NewMessage } from "../generated/schema.ts";
import type { WriteOptions } from "../options.ts";
import { wellFormed } from "../well-formed.ts";
import { type ExpiresIn, expiresAt } from "./expiry.ts";
import { wellFormedJson } from "./json.ts";
import type { NotNull } from "./owner.ts";
import { inPieces } from "./pieces.ts";

/** Fields of the conversation that is created for a thread, except its `external_id`, which is the thread's id. */
export type ConversationInit = NotNull<Omit<CreateConversationBody, "external_id">> & {
  /** Time from its creation to its deletion: seconds, or such as `90d`, `12h` or `30m`. */
  expires_in?: ExpiresIn;
};

/** Argument with which `List.toArray` returns all items. */
export const ALL = { max: Infinity };
/**
 * Maximum length of the JSON of the messages in one request, in UTF-16 code units. As UTF-8 these are at most 1.5 MB,
 * below the service's limit of 2 MiB.
 */
const BATCH_UNITS_MAX = 500_000;
/**
 * A message counts as at least this length for each of its object fields and array items. The service accepts at most
 * 50,000 of them in a request, so `BATCH_UNITS_MAX` also keeps a batch below that limit.
 */
const VALUE_UNITS = 12;

/**
 * The conversation that stores a thread (chat, session) of an agent framework. Its `external_id` is the id of the
 * thread. The first write creates the conversation.
 *
 * It is a conversation of exactly the agent and the user in `init`. With `ofAnyUser`, an existing one of any agent and
 * user is used. Then every method throws an `Error` if several have the `external_id`, because one may be made by a user
 * to be mistaken for another's.
 */
export class ExternalConversation {
  readonly #client: Engram;
  readonly #body: CreateConversationBody & { external_id: string };
  /** What finds the conversation: exactly the one that `create` returns, or one of any agent and user. */
  readonly #query: ListConversationsQuery;
  readonly #ofAnyUser: boolean;
  readonly #expiresIn: ExpiresIn | undefined;
  #id: string | undefined;
  /** External ids of messages that were deleted with `forget`. The service refuses them, and they are left out. */
  readonly #forgotten = new Set<string>();

  constructor(
    client: Engram,
    externalId: string,
    init: ConversationInit = {},
    { ofAnyUser = false }: { ofAnyUser?: boolean } = {},
  ) {
    this.#client = client;
    this.#ofAnyUser = ofAnyUser;
    // The owner stays as it is: two users must never become one.
    const { user_id, agent_id, expires_in, ...fields } = init;
    // Throws now if it cannot be read, and not with the first message.
    if (expires_in !== undefined) expiresAt(expires_in);
    this.#expiresIn = expires_in;
    const external_id = wellFormed(externalId);
    this.#body = { user_id, agent_id, ...wellFormedJson(fields), external_id };
    this.#query = { external_id, limit: 2, ...(!ofAnyUser && { user_id, agent_id, exact_owner: true }) };
  }

  /**
   * Runs a write with the conversation's id. Creates the conversation if it does not exist, and deletes it again if
   * the service then refuses the write, provided that the key has the scope `delete`.
   */
  async write<T>(act: (id: string) => Promise<T>): Promise<T | undefined> {
    let undo = async () => {};
    const create = async () => {
      const existing = this.#ofAnyUser ? await this.find() : undefined;
      if (existing !== undefined) return existing;
      const { data, response, etag } = await this.create().withResponse();
      undo = async () => {
        // The ETag keeps the conversation if another program has written to it meanwhile.
        if (response.status === 201) await this.#client.conversations.delete(data.id, { ifMatch: etag });
        this.#id = undefined;
      };
      return data;
    };
    try {
      return await this.#with(create, act);
    } catch (error) {
      if (isEngramError(error) && error.name === "ApiError") await undo().catch(() => {});
      throw error;
    }
  }

  /**
   * Runs a read with the conversation's id. Returns undefined if the conversation does not exist, or is deleted
   * meanwhile.
   */
  read<T>(act: (id: string) => Promise<T>): Promise<T | undefined> {
    return this.#with(() => this.find(), act).catch(refused("not_found", () => undefined));
  }

  /** Gets the conversation, or creates it. */
  create(): Call<Conversation> {
    const expiry = this.#expiresIn === undefined ? {} : { expires_at: expiresAt(this.#expiresIn) };
    return this.#client.conversations.create({ ...this.#body, ...expiry });
  }

  async find(): Promise<Conversation | undefined> {
    const { items } = await this.#client.conversations.list(this.#query).page();
    if (items.length > 1)
      throw new Error(`Several agents or users have a conversation ${this.#body.external_id}`);
    return items[0];
  }

  async messages(): Promise<Message[]> {
    const stored = await this.read((id) =>
      this.#client.messages.list(id, { limit: MESSAGE_PAGE_MAX }).toArray(ALL),
    );
    return stored ?? [];
  }

  /**
   * Appends messages of any size, oldest first, in one or more requests. Each request stores all of its messages or
   * none, without those that were deleted with `forget`.
   */
  async append(messages: NewMessage[]): Promise<void> {
    for (const batch of batchesOf(await inPieces(messages)))
      await this.#unforgotten(batch, async (left) => {
        if (left.length > 0) await this.write((id) => this.#client.messages.append(id, { messages: left }));
      });
  }

  /** Sends messages without those that were deleted with `forget`, which the service names when it refuses them. */
  async #unforgotten<T>(messages: NewMessage[], send: (messages: NewMessage[]) => Promise<T>): Promise<T> {
    for (;;) {
      const left = this.#withoutForgotten(messages);
      try {
        return await send(left);
      } catch (error) {
        if (!this.#noteForgotten(error, left)) throw error;
      }
    }
  }

  #withoutForgotten(messages: NewMessage[]): NewMessage[] {
    return messages.filter(({ external_id }) => !external_id || !this.#forgotten.has(external_id));
  }

  /** Whether the error names messages that were deleted with `forget`. It does not if the whole conversation was. */
  #noteForgotten(error: unknown, messages: NewMessage[]): boolean {
    const known = this.#forgotten.size;
    if (isEngramError(error) && error.name === "ApiError" && error.code === "forgotten")
      for (const { path } of error.errors) {
        const id = messages[Number(/^messages\.(\d+)$/.exec(path)?.[1])]?.external_id;
        if (id) this.#forgotten.add(id);
      }
    return this.#forgotten.size > known;
  }

  /**
   * Keeps the first `kept` of the `stored` messages and replaces the others, all or none.
   *
   * @throws {ApiError} `sequence_conflict` if the last message of `stored` is no longer the last of the conversation.
   */
  async replace(
    stored: Message[],
    kept: number,
    messages: NewMessage[],
    toOptions?: (id: string) => WriteOptions,
  ): Promise<void> {
    await this.#unforgotten(messages, (left) => this.#replaceWhole(stored, kept, left, toOptions));
  }

  #replaceWhole(
    stored: Message[],
    kept: number,
    messages: NewMessage[],
    toOptions?: (id: string) => WriteOptions,
  ): Promise<unknown> {
    const last = stored.at(-1)?.sequence ?? 0;
    const body = {
      expected_last_sequence: last,
      from_sequence: stored[kept]?.sequence ?? last + 1,
      messages,
    };
    return this.write((id) => this.#client.messages.replace(id, body, toOptions?.(id)));
  }

  /**
   * Makes the conversation contain exactly the messages that `change` returns, of any size. `change` gets the stored
   * messages. From the first message whose `parts` differ, the new messages replace the stored ones. If another program
   * has changed which message is the last, nothing is replaced, and `change` runs again with the messages stored then.
   *
   * If the new messages only continue the stored ones, they are appended, which needs no scope `delete`.
   */
  async rewrite(change: (stored: Message[]) => NewMessage[]): Promise<void> {
    const mayRepeat = repeater("sequence_conflict");
    for (let mayAppend = true; ; mayAppend = false) {
      const stored = await this.messages();
      const messages = this.#withoutForgotten(await inPieces(change(stored)));
      const last = stored.at(-1)?.sequence ?? 0;
      let kept = 0;
      for (const { parts = null } of messages) {
        if (JSON.stringify(stored[kept]?.parts) !== JSON.stringify(parts)) break;
        kept += 1;
      }
      if (kept === messages.length && kept === stored.length) return;
      if (mayAppend && kept === stored.length) {
        if (await this.#appendAfter(last, messages.slice(kept))) return;
        // The sequence numbers differ, because another program appended or deleted messages: compare again.
        continue;
      }
      const [first = [], ...further] = batchesOf(messages.slice(kept));
      try {
        await this.#replaceWhole(stored, kept, first);
      } catch (error) {
        // Without the messages that were deleted with `forget`, the stored ones may be as they should be.
        if (this.#noteForgotten(error, first)) continue;
        mayRepeat(error, last);
        continue;
      }
      return this.append(further.flat());
    }
  }

  /** Appends messages. Returns whether they follow the message with the sequence number `last` without a gap. */
  async #appendAfter(last: number, messages: NewMessage[]): Promise<boolean> {
    let end = last;
    for (const batch of batchesOf(messages)) {
      const appended = await this.write((id) => this.#client.messages.append(id, { messages: batch })).catch(
        (error: unknown) => {
          if (this.#noteForgotten(error, batch) || hasCode(error, "external_id_conflict")) return undefined;
          throw error;
        },
      );
      if (appended?.first_sequence !== end + 1) return false;
      end += batch.length;
      if (appended.last_sequence !== end) return false;
    }
    return true;
  }

  /** Deletes the conversation if it exists. The next write creates a new one with the same `external_id`. */
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
    // The id was cached, and another process may have deleted the conversation since: look it up again, once.
    return done.catch(
      refused("not_found", () => {
        this.#id = undefined;
        return this.#with(find, act);
      }),
    );
  }
}

/** The messages without those that are followed by one with the same `external_id`. */
export function lastOfEachId(messages: NewMessage[]): NewMessage[] {
  const last = new Map(messages.map(({ external_id }, i) => [external_id, i]));
  return messages.filter(({ external_id }, i) => external_id === undefined || last.get(external_id) === i);
}

export const hasCode = (error: unknown, code: string): boolean => isEngramError(error) && error.code === code;

/** A handler for `promise.catch`: returns `otherwise()` for an error with this code, and rethrows any other error. */
export const refused =
  <T>(code: string, otherwise: () => T) =>
  (error: unknown): T => {
    if (hasCode(error, code)) return otherwise();
    throw error;
  };

/** Refusals of a change at one version of the data, after which it is not tried again. */
const TRIES_MAX = 5;

/**
 * For a change that is repeated if another program was faster. Returns a function that throws the error of a try unless
 * it has one of these codes. It also throws the fifth error at the same version: then no other program was faster, but
 * for example a proxy has altered the ETag.
 */
export function repeater(...codes: string[]): (error: unknown, version: unknown) => void {
  let tries = 0;
  let latest: unknown;
  return (error, version) => {
    tries = version === latest ? tries + 1 : 1;
    latest = version;
    if (tries === TRIES_MAX || !codes.some((code) => hasCode(error, code))) throw error;
  };
}

function batchesOf(messages: NewMessage[]): NewMessage[][] {
  const batches: NewMessage[][] = [];
  let room = 0;
  for (const message of messages) {
    const json = JSON.stringify(message);
    // A message has at least as many of the characters `,`, `]` and `}` as fields and items, because each field and
    // item ends with one of them. If texts contain more of them, the batch only becomes smaller than necessary.
    const units = Math.max(json.length, VALUE_UNITS * json.split(/[,\]}]/).length);
    room -= units;
    if (room < 0 || batches.at(-1)?.length === APPEND_MESSAGES_MAX) {
      batches.push([]);
      room = BATCH_UNITS_MAX - units;
    }
    batches.at(-1)?.push(message);
  }
  return batches;
}
