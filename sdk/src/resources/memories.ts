import type { Call } from "../call.ts";
import { Memories as GeneratedMemories } from "../generated/resources.ts";
import type { DeleteMemoriesOperation, EnrichMemoriesBody, MemoriesCounted } from "../generated/schema.ts";
import { type Http, idempotencyHeader } from "../http.ts";
import type { CallOptions, WriteOptions } from "../options.ts";

/** Which memories to select. All conditions must match. */
export type MemoriesFilter = NonNullable<EnrichMemoriesBody["filter"]>;

/** Capture (store), search, update and delete memories: notes that agents decide to remember. */
export class Memories extends GeneratedMemories {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    super(http);
    this.#http = http;
  }

  /**
   * Count the memories that `deleteMany` would delete now, without deleting them. Needs the scope `delete`.
   *
   * @example
   * ```ts
   * const { memories } = await engram.memories.countToDelete({ agent_id: "support-bot" });
   * ```
   */
  countToDelete(filter: MemoriesFilter | { all: true }, options: CallOptions = {}): Call<MemoriesCounted> {
    const counted = this.#http.call(
      options,
      (client, init) =>
        client.POST("/v1/memories/delete", { ...init, body: { ...chosenBy(filter), dry_run: true } }),
      true,
    );
    return counted as Call<MemoriesCounted>;
  }

  /**
   * Delete every memory that matches a filter, or all memories that the key can access. The first 1,000 are excluded
   * from every response before this resolves, the others soon after. All are then removed for good in the background.
   * Cannot be undone. With `forget`, none of them is stored again. Needs the scope `delete`.
   *
   * @returns The operation that tracks the deletion. `operations.get` shows its progress. `operations.cancel` stops
   *   it; memories that are already excluded stay deleted.
   * @throws {ApiError} `validation_failed` for a filter without a condition, or for `all` combined with a
   *   condition.
   * @example
   * ```ts
   * const receipt = await engram.memories.deleteMany({ agent_id: "support-bot" });
   * ```
   */
  deleteMany(
    filter: MemoriesFilter | { all: true },
    options: WriteOptions & { forget?: boolean | undefined } = {},
  ): Call<DeleteMemoriesOperation> {
    const receipt = this.#http.call(options, (client, init) =>
      client.POST("/v1/memories/delete", {
        ...init,
        params: { header: idempotencyHeader(options) },
        body: { ...chosenBy(filter), ...(options.forget && { forget: true }) },
      }),
    );
    return receipt as Call<DeleteMemoriesOperation>;
  }
}

/** Body of a request. If `all` is combined with conditions, it has both: the service rejects it and deletes nothing. */
const chosenBy = (filter: MemoriesFilter | { all: true }) => ("all" in filter ? filter : { filter });
