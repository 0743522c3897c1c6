import type { operations, Usage as UsageOfDay } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions } from "../options.ts";

/** Which usage to list. */
export type ListUsageQuery = NonNullable<operations["listUsage"]["parameters"]["query"]>;

/** What each key was used for, by day. */
export class Usage {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * List what each key was used for on each day, newest day first. Needs the scope `admin`.
   *
   * For watching, not for billing: what was done shows within about a minute.
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
