import type { Call } from "../call.ts";
import type { CreateTicketBody, Ticket } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** Create tickets, with which a browser listens to events without knowing a key. */
export class Tickets {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Create a ticket for one WebSocket. Needs the scope `read`.
   *
   * The ticket is valid for `ttl_seconds`, at most 60. The socket gets what the key may read, or less: only a
   * conversation, an agent or a user.
   *
   * @throws {ApiError} `forbidden` for another agent or user than the key is bound to.
   * @example
   * ```ts
   * const { ticket } = await engram.tickets.create({ conversation_id: conversation.id });
   * // In the browser: new WebSocket(url, ["engram.v1", `engram.ticket.${ticket}`])
   * console.log(ticket.startsWith("engram_tk_")); // true
   * ```
   */
  create(body: Partial<CreateTicketBody> = {}, options: CallOptions = {}): Call<Ticket> {
    return this.#http.call(options, (client, init) => client.POST("/v1/tickets", { ...init, body }));
  }
}
