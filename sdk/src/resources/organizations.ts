import type { Call } from "../call.ts";
import type {
  CreatedOrganization,
  CreateOrganizationBody,
  DeleteOrganizationOperation,
  ListedOrganization,
  Organization,
  operations,
} from "../generated/schema.ts";
import { type Http, idempotencyHeader } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions, WriteOptions } from "../options.ts";

/** Which organizations to list. */
export type ListOrganizationsQuery = NonNullable<operations["listOrganizations"]["parameters"]["query"]>;

/** Create, list, read and delete organizations. */
export class Organizations {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Create an organization (tenant) and its first key, which has every scope. Needs the admin token as `apiKey`, a
   * secret that the person who runs the service holds.
   *
   * The key's secret is in this response only.
   *
   * @throws {ApiError} `not_found` if the service has no admin token; `secret_already_shown` when the
   *   organization was created already, by an earlier request with your idempotency key, or by an earlier
   *   attempt of this call whose response was lost. The error's `mayHaveApplied` is true in the second case.
   * @example
   * ```ts
   * const operator = new Engram({ apiKey: adminToken, baseUrl });
   * const { organization, key } = await operator.organizations.create({ name: "Acme" });
   * const first = new Engram({ apiKey: key.secret, baseUrl });
   * console.log(await first.organizations.get(organization.id));
   * ```
   */
  create(body: CreateOrganizationBody, options: WriteOptions = {}): Call<CreatedOrganization> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/organizations", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * List all organizations, newest first, with their sizes and their last activity. Needs the admin token as `apiKey`.
   *
   * @throws {ApiError} `not_found` if the service has no admin token.
   * @example
   * ```ts
   * const operator = new Engram({ apiKey: adminToken, baseUrl });
   * for await (const { name, message_count } of operator.organizations.list()) console.log(name, message_count);
   * ```
   */
  list(query: ListOrganizationsQuery = {}, options: CallOptions = {}): List<ListedOrganization> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/organizations", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Get the key's own organization, by its id or as `current`, or any organization with the admin token. Needs the scope
   * `read`.
   *
   * With the admin token, a deleted organization can be read until its last database row is removed.
   *
   * @throws {ApiError} `not_found` when there is no such organization, or it is not the key's own.
   * @example
   * ```ts
   * const { name, created_at } = await engram.organizations.get(organization.id);
   * ```
   */
  get(organizationId: string, options: CallOptions = {}): Call<Organization> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/organizations/{organization_id}", {
        ...init,
        params: { path: { organization_id: organizationId } },
      }),
    );
  }

  /**
   * Delete an organization. Every key stops working and all data is excluded from every response at once. The data is
   * then removed for good in steps of 1,000 conversations or memories, which begin within a minute, or later if other deletions are waiting. Needs the scope
   * `admin`, or the admin token.
   *
   * With the admin token, `operations.cancel` restores the data whose removal has not begun. Other data cannot be
   * restored.
   *
   * @returns The operation that tracks the deletion. Only the admin token can read it, because the keys are revoked.
   * @throws {ApiError} `not_found` when there is no such organization. If the `mayHaveApplied` of this error, or of
   *   `unauthenticated`, is true, an earlier attempt of this call may have deleted the organization.
   * @example
   * ```ts
   * const receipt = await operator.organizations.delete(organization.id);
   * console.log(receipt.status); // "running"
   * ```
   */
  delete(organizationId: string, options: CallOptions = {}): Call<DeleteOrganizationOperation> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/organizations/{organization_id}", {
        ...init,
        params: { path: { organization_id: organizationId } },
      }),
    );
  }
}
