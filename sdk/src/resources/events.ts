import type { Call } from "../call.ts";
import { ApiError } from "../errors.ts";
import { Messages } from "../generated/resources.ts";
import type { Event, EventPage, Message } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";
import {
  type ListEventsQuery,
  type ListenOptions,
  listEvents,
  listen,
  type SignalOption,
} from "./listening.ts";

/** Which messages of a conversation to follow. */
export interface FollowOptions extends SignalOption {
  /** Sequence number of the last message that you have. Default 0, for all messages. */
  after?: number | undefined;
}

const PAGE_MESSAGES = 200;

/** List changes of the organization, or wait for them. */
export class Events {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * List events after a position, oldest first. Needs the scope `read`; events of keys also need `admin`.
   *
   * The log has no last page: pass `after` of the page to the next call. With `wait_seconds`, the call waits for an
   * event if there is none. That time must be shorter than `timeoutMs`, which is 30 seconds by default.
   *
   * @throws {ApiError} `cursor_expired` when the events after the position are deleted, as they are after seven days.
   * @example
   * ```ts
   * const { items, after } = await engram.events.list({ type: ["memory.created"] });
   * const next = await engram.events.list({ type: ["memory.created"], after });
   * console.log(items.length, next.caught_up);
   * ```
   */
  list(query: ListEventsQuery = {}, options: CallOptions = {}): Call<EventPage> {
    return listEvents(this.#http, query, options);
  }

  /**
   * Yield events as they happen, in order and each once, until you leave the loop. Needs the scope `read`.
   *
   * Events come by WebSocket, as a stream over HTTP where no WebSocket opens, or by requests that wait where responses
   * cannot be streamed. After a lost connection or a failure of the service, it continues from its position after a
   * random wait of at most 30 seconds, and repeats this for as long as necessary. To continue in a later process, store
   * the `sequence` of the last event that you have processed, and pass it as `after`.
   *
   * @throws {ApiError} `cursor_expired` when the events after the position are deleted; `unauthenticated` when the key
   *   is revoked or expires.
   * @example
   * ```ts
   * const { after } = await engram.events.list({ after: "now" });
   * await engram.conversations.create({ title: "A change" });
   * for await (const event of engram.events.listen({ after })) {
   *   console.log(event.sequence, event.type, event.conversation_id);
   *   break;
   * }
   * ```
   */
  listen(query: ListenOptions = {}, options: SignalOption = {}): AsyncGenerator<Event, void, undefined> {
    return listen(this.#http, { ...options, ...query });
  }
}

/** Messages of a conversation after a sequence number, in order, as they are appended. */
export async function* followMessages(
  http: Http,
  conversationId: string,
  { after = 0, signal }: FollowOptions,
): AsyncGenerator<Message, void, undefined> {
  const filter = { conversation_id: conversationId };
  const options = { signal, deadlineMs: Number.POSITIVE_INFINITY, maxRetries: Number.POSITIVE_INFINITY };
  let last = after;
  async function* readNew(): AsyncGenerator<Message, void, undefined> {
    const query = { from_sequence: last + 1, limit: PAGE_MESSAGES };
    for await (const message of new Messages(http).list(conversationId, query, options)) {
      last = message.sequence;
      yield message;
    }
  }
  for (;;) {
    // Before the read, so that a message that is stored after the read has its event after the position.
    const { after: position } = await listEvents(http, { ...filter, after: "now" }, options);
    yield* readNew();
    try {
      for await (const event of listen(http, { ...filter, signal, after: position })) {
        if (event.type === "conversation.deleted") return;
        if ((event.last_sequence ?? 0) > last) yield* readNew();
      }
    } catch (error) {
      // Messages are read by their sequence numbers, so none is missed.
      if (!(error instanceof ApiError && error.code === "cursor_expired")) throw error;
    }
  }
}
