import type { Call } from "../call.ts";
import type { DeleteUserOperation, operations, User } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions } from "../options.ts";

/** Which users to list. */
export type ListUsersQuery = NonNullable<operations["listUsers"]["parameters"]["query"]>;

/** List the users of conversations and memories, and delete all data of a user. */
export class Users {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * List users, ordered by id: each `user_id` of conversations and memories, with their number. Needs the scope
   * `read`, and a key that is not bound to an agent or a user.
   *
   * @example
   * ```ts
   * for await (const { id, memory_count } of engram.users.list()) console.log(id, memory_count);
   * ```
   */
  list(query: ListUsersQuery = {}, options: CallOptions = {}): List<User> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/users", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Delete all conversations with a user and all memories of the user. Cannot be undone. Needs the scope `delete`.
   *
   * Keys that are bound to the user stay valid and can create data for the user again: revoke them first.
   *
   * The operation that is returned reports the progress, and when rows and vectors are removed for good.
   *
   * @example
   * ```ts
   * const { id } = await engram.users.delete("jon");
   * console.log((await engram.operations.get(id)).type); // delete_user
   * ```
   */
  delete(userId: string, options: CallOptions = {}): Call<DeleteUserOperation> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/users/{user_id}", { ...init, params: { path: { user_id: userId } } }),
    );
  }
}
