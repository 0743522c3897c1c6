import type { operations, Usage as UsageOfDay } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions } from "../options.ts";

/** Which usage to list. */
export type ListUsageQuery = NonNullable<operations["listUsage"]["parameters"]["query"]>;

/** List the daily usage of each key. */
export class Usage {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * List the usage of each key per day, newest day first. Needs the scope `admin`.
   *
   * For monitoring, not for billing: usage appears within about a minute.
   *
   * @example
   * ```ts
   * for await (const { day, key_id, requests } of engram.usage.list()) console.log(day, key_id, requests);
   * ```
   */
  list(query: ListUsageQuery = {}, options: CallOptions = {}): List<UsageOfDay> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/usage", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }
}
