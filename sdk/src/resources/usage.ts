import type { operations, UsageGroup, Usage as UsageOfDay } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions } from "../options.ts";

/** Which usage to list. */
export type ListUsageQuery = NonNullable<operations["listUsage"]["parameters"]["query"]>;

/** Which usage to list, grouped by these dimensions. */
export type ListUsageGroupsQuery = ListUsageQuery & Required<Pick<ListUsageQuery, "group_by">>;

/** List usage by day, key, operation and MCP tool. */
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
  list(query?: ListUsageQuery & { group_by?: undefined }, options?: CallOptions): List<UsageOfDay>;
  /** List sums of usage: an item has only the dimensions in `group_by`. */
  list(query: ListUsageGroupsQuery, options?: CallOptions): List<UsageGroup>;
  list(query: ListUsageQuery = {}, options: CallOptions = {}): List<UsageOfDay | UsageGroup> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/usage", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }
}
