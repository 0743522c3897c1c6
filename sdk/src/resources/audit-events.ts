import type { AuditEvent, operations } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions } from "../options.ts";

/** Which audit events to list. */
export type ListAuditEventsQuery = NonNullable<operations["listAuditEvents"]["parameters"]["query"]>;

/** List audit events: who created, revoked or rotated keys, and who deleted or exported data. */
export class AuditEvents {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * List the organization's audit events, newest first. Needs the scope `admin`.
   *
   * @example
   * ```ts
   * const latest = await engram.auditEvents.list().toArray({ max: 10 });
   * ```
   */
  list(query: ListAuditEventsQuery = {}, options: CallOptions = {}): List<AuditEvent> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/audit-events", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }
}
