import type { Call } from "../call.ts";
import type {
  ApiKey,
  ApiKeyWithSecret,
  CreateKeyBody,
  operations,
  RotateKeyBody,
} from "../generated/schema.ts";
import { type Http, idempotencyHeader } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions, WriteOptions } from "../options.ts";

/** Which keys to list. */
export type ListKeysQuery = NonNullable<operations["listKeys"]["parameters"]["query"]>;

/** Create, list, rotate and revoke API keys. Every call needs the scope `admin`. */
export class Keys {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Create a key in the caller's organization, with scopes that the calling key holds.
   *
   * The secret is in this response only.
   *
   * @throws {ApiError} `forbidden` for a scope that the calling key does not have, or for another agent than the one
   *   that the calling key is bound to; `secret_already_shown` when the key was created already, by an earlier request
   *   with your idempotency key, or by an earlier attempt of this call whose response was lost. The error's
   *   `mayHaveApplied` is true in the second case.
   * @example
   * ```ts
   * const { secret } = await engram.keys.create({ name: "reader", scopes: ["read", "search"] });
   * ```
   */
  create(body: CreateKeyBody, options: WriteOptions = {}): Call<ApiKeyWithSecret> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/keys", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * List the organization's keys, newest first, including revoked and expired ones. Secrets are never
   * included.
   *
   * @example
   * ```ts
   * for await (const { name, last_used_at } of engram.keys.list()) console.log(name, last_used_at);
   * ```
   */
  list(query: ListKeysQuery = {}, options: CallOptions = {}): List<ApiKey> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/keys", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Get a key, without its secret.
   *
   * @throws {ApiError} `not_found` when the organization has no such key.
   * @example
   * ```ts
   * const { scopes, expires_at } = await engram.keys.get(key.id);
   * ```
   */
  get(keyId: string, options: CallOptions = {}): Call<ApiKey> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/keys/{key_id}", { ...init, params: { path: { key_id: keyId } } }),
    );
  }

  /**
   * Revoke a key. It stops working as soon as this resolves.
   *
   * Revoking it again has no effect. A key can revoke itself.
   *
   * @throws {ApiError} `not_found` when the organization has no such key. A key that revokes itself can get
   *   `unauthenticated`: if the error's `mayHaveApplied` is true, an earlier attempt of this call may have
   *   revoked it.
   * @example
   * ```ts
   * await engram.keys.revoke(key.id);
   * ```
   */
  revoke(keyId: string, options: CallOptions = {}): Call<ApiKey> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/keys/{key_id}", { ...init, params: { path: { key_id: keyId } } }),
    );
  }

  /**
   * Create a key with the same name, scopes and agent, and let the old one expire after an overlap, an hour
   * by default.
   *
   * The new secret is in this response only.
   *
   * @throws {ApiError} `not_found` for a key that is absent, revoked, expired or already rotated;
   *   `secret_already_shown` when the key was rotated already, by an earlier request with your idempotency
   *   key, or by an earlier attempt of this call whose response was lost. The error's `mayHaveApplied` is true
   *   in the second case.
   * @example
   * ```ts
   * const { secret } = await engram.keys.rotate(key.id, { overlap_seconds: 600 });
   * ```
   */
  rotate(keyId: string, body: RotateKeyBody = {}, options: WriteOptions = {}): Call<ApiKeyWithSecret> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/keys/{key_id}/rotate", {
        ...init,
        params: { path: { key_id: keyId }, header: idempotencyHeader(options) },
        body,
      }),
    );
  }
}
