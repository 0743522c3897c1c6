// Generated from spec/openapi.json by `npm run generate`. Do not edit.

import type { Call } from "../call.ts";
import { type Http, idempotencyHeader, ifMatchHeader } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions, ConditionalOptions, WriteOptions } from "../options.ts";
import { withValidQuery } from "../well-formed.ts";
import type {
  ApiKey,
  ApiKeyWithSecret,
  AppendedMessages,
  AppendMessagesBody,
  Archive,
  ArchiveManifest,
  ArchiveSchedule,
  AuditEvent,
  AuditEventPage,
  BroadcastBody,
  BroadcastResult,
  CapturedMemories,
  CapturedMemory,
  Conversation,
  ConversationWithMessages,
  CreateArchiveBody,
  CreateArchiveOperation,
  CreateConversationBody,
  CreatedOrganization,
  CreateEvaluationBody,
  CreateHoldBody,
  CreateKeyBody,
  CreateMemberBody,
  CreateMemoriesBody,
  CreateMemoryBody,
  CreateOrganizationBody,
  CreateRetentionRuleBody,
  CreateTicketBody,
  CreateWebhookBody,
  DeleteConversationOperation,
  DeleteMemoryOperation,
  DeleteMessageOperation,
  DeleteOrganizationOperation,
  DeleteUserOperation,
  Delivery,
  EnrichMemoriesBody,
  EnrichMemoriesOperation,
  Entity,
  Evaluation,
  EvaluationResult,
  ForkConversationBody,
  Grant,
  Health as HealthSchema,
  Hold,
  HoldDetails,
  IndexStatus,
  ListedConversation,
  ListedOrganization,
  Me,
  Member,
  Memory,
  MemorySearchAnswer,
  MemoryVersion,
  MemoryWithChunks,
  Mention,
  Message,
  MoveOrganizationBody,
  MoveOrganizationOperation,
  Operation,
  Organization,
  OrganizationHealth,
  operations,
  Presence,
  PresenceList,
  PreviewRetentionRuleBody,
  PutMemoryBody,
  QueuedSummaries,
  Readiness,
  Recall,
  RepairIndexBody,
  RepairIndexOperation,
  ReplacedMessages,
  ReplaceMessagesBody,
  Replay,
  RetentionPreview,
  RetentionRule,
  RetentionRuleList,
  RotateKeyBody,
  SearchMemoriesBody,
  SetArchiveScheduleBody,
  SetPresenceBody,
  SignInCode,
  Summary,
  Ticket,
  Tombstone,
  UpdateConversationBody,
  UpdateMemberBody,
  UpdateMemoryBody,
  UpdateMessageBody,
  UpdateOrganizationBody,
  UpdateRecallBody,
  UpdateRetentionRuleBody,
  UpdateWebhookBody,
  User,
  Webhook,
  WebhookList,
  WebhookTest,
  WebhookWithSecret,
} from "./schema.ts";

type Query<Id extends keyof operations> = NonNullable<operations[Id]["parameters"]["query"]>;

/** Query of `organizations.list`. */
export interface ListOrganizationsQuery extends Query<"listOrganizations"> {}

/** Query of `organizations.delete`. */
export interface DeleteOrganizationQuery extends Query<"deleteOrganization"> {}

/** Query of `keys.list`. */
export interface ListKeysQuery extends Query<"listKeys"> {}

/** Query of `members.list`. */
export interface ListMembersQuery extends Query<"listMembers"> {}

/** Query of `grants.list`. */
export interface ListGrantsQuery extends Query<"listGrants"> {}

/** Query of `conversations.list`. */
export interface ListConversationsQuery extends Omit<Query<"listConversations">, "metadata"> {
  /**
   * A JSON object such as `{"ticket":"T-1029"}`: only conversations whose `metadata` has all of its keys with the
   * same values at the top level. At most 16 keys.
   */
  metadata?: Record<string, string | number | boolean>;
}

/** Query of `conversations.get`. */
export interface GetConversationQuery extends Query<"getConversation"> {}

/** Query of `conversations.delete`. */
export interface DeleteConversationQuery extends Query<"deleteConversation"> {}

/** Query of `messages.list`. */
export interface ListMessagesQuery extends Query<"listMessages"> {}

/** Query of `messages.get`. */
export interface GetMessageQuery extends Query<"getMessage"> {}

/** Query of `messages.delete`. */
export interface DeleteMessageQuery extends Query<"deleteMessage"> {}

/** Query of `summaries.list`. */
export interface ListSummariesQuery extends Query<"listSummaries"> {}

/** Query of `memories.list`. */
export interface ListMemoriesQuery extends Omit<Query<"listMemories">, "metadata"> {
  /**
   * A JSON object such as `{"topic":"refunds"}`: only memories whose `metadata` has all of its keys with the same
   * values at the top level. At most 16 keys.
   */
  metadata?: Record<string, string | number | boolean>;
}

/** Query of `memories.get`. */
export interface GetMemoryQuery extends Query<"getMemory"> {}

/** Query of `memories.delete`. */
export interface DeleteMemoryQuery extends Query<"deleteMemory"> {}

/** Query of `memories.listVersions`. */
export interface ListMemoryVersionsQuery extends Query<"listMemoryVersions"> {}

/** Query of `entities.list`. */
export interface ListEntitiesQuery extends Query<"listEntities"> {}

/** Query of `entities.mentions`. */
export interface ListMentionsQuery extends Query<"listMentions"> {}

/** Query of `users.list`. */
export interface ListUsersQuery extends Query<"listUsers"> {}

/** Query of `recalls.list`. */
export interface ListRecallsQuery extends Query<"listRecalls"> {}

/** Query of `evaluations.list`. */
export interface ListEvaluationsQuery extends Query<"listEvaluations"> {}

/** Query of `index.status`. */
export interface GetIndexStatusQuery extends Query<"getIndexStatus"> {}

/** Query of `operations.list`. */
export interface ListOperationsQuery extends Query<"listOperations"> {}

/** Query of `archives.list`. */
export interface ListArchivesQuery extends Query<"listArchives"> {}

/** Query of `tombstones.list`. */
export interface ListTombstonesQuery extends Query<"listTombstones"> {}

/** Query of `holds.list`. */
export interface ListHoldsQuery extends Query<"listHolds"> {}

/** Query of `webhooks.listDeliveries`. */
export interface ListDeliveriesQuery extends Query<"listDeliveries"> {}

/** Query of `auditEvents.list`. */
export interface ListAuditEventsQuery extends Query<"listAuditEvents"> {}

/** Tenants: each owns its keys, conversations and memories, and sees only those. */
export class Organizations {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Creates an organization and its first key, which has every scope, in the shared database or in one of its own.
   * Requires the admin token of the service; if the service has none, the request fails with 404. The secret of
   * the key is shown only in this response. A repeat with the same idempotency key therefore fails with 409, whose
   * `detail` names the id of the organization.
   *
   * Needs the admin token as `apiKey`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `secret_already_shown`: An earlier request with this idempotency key created the API key,
   *   whose secret is shown only once.
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
   * Lists all organizations, newest first unless `sort` and `order` say otherwise, with where they are, their
   * sizes and their last activity. An organization whose value of `sort` changes between two of your requests for
   * pages may be skipped or repeated. All others are returned exactly once. A deleted organization is listed until
   * its last database row is removed. A page that is sorted by anything but `created_at` reads the rows of all
   * organizations, so it takes longer the more there are. Requires the admin token of the service; if the service
   * has none, the request fails with 404.
   *
   * Needs the admin token as `apiKey`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const operator = new Engram({ apiKey: adminToken, baseUrl });
   * const largest = operator.organizations.list({ sort: "message_count" });
   * for await (const { name, message_count } of largest) console.log(name, message_count);
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
   * Returns the organization that the key belongs to. With the admin token of the service, returns any
   * organization, also a deleted one until its last database row is removed.
   *
   * Needs the scope `read`, or the admin token as `apiKey`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
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
   * Changes the settings of the organization that the key belongs to. They hold from the next request on; nothing
   * that was deleted or flagged before changes. The change is recorded as an audit event.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * await engram.organizations.update("current", { on_source_deleted: "delete" });
   * ```
   */
  update(
    organizationId: string,
    body: UpdateOrganizationBody,
    options: CallOptions = {},
  ): Call<Organization> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/organizations/{organization_id}", {
        ...init,
        params: { path: { organization_id: organizationId } },
        body,
      }),
    );
  }

  /**
   * Deletes an organization: its keys are revoked and its data is excluded from every response at once. Requires
   * the admin token of the service, or a key of the organization with the scope `admin`. Rows, keyword index
   * entries and vectors are then removed for good in the background, in steps of 1,000 conversations or memories.
   * The first step begins within a minute, or later if other deletions are waiting. With the admin token,
   * `operations.cancel` can restore everything whose removal has not begun. Other data cannot be restored. While a
   * legal hold is active, the request fails with 409 `held`, unless the holder of the admin token sends `force`.
   *
   * Needs the scope `admin`, or the admin token as `apiKey`.
   *
   * @returns The operation that tracks the deletion. Get it again with `operations.get` to see when rows and
   *   vectors are removed.
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @example
   * ```ts
   * const receipt = await operator.organizations.delete(organization.id);
   * console.log(receipt.status); // "running"
   * ```
   */
  delete(
    organizationId: string,
    options: CallOptions & DeleteOrganizationQuery = {},
  ): Call<DeleteOrganizationOperation> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/organizations/{organization_id}", {
        ...init,
        params: { path: { organization_id: organizationId }, query: { force: options.force } },
      }),
    );
  }

  /**
   * Returns whether the database of an organization responds, its size, the work that is left for it, and its
   * sweeps, also for one that is deleted and not removed yet. A cell that does not respond is reported, and is no
   * error. Requires the admin token of the service; if the service has none, the request fails with 404.
   *
   * Needs the admin token as `apiKey`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { reachable, work, oldest_due_at } = await operator.organizations.health(organization.id);
   * ```
   */
  health(organizationId: string, options: CallOptions = {}): Call<OrganizationHealth> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/organizations/{organization_id}/health", {
        ...init,
        params: { path: { organization_id: organizationId } },
      }),
    );
  }

  /**
   * Moves an organization from the shared database to one of its own, or back. Requires the admin token of the
   * service. The organization can be used meanwhile. Its rows are copied first, which takes at least a minute.
   * Then writes wait for up to two seconds; those that wait longer fail with 503 and can be sent again. All ids,
   * times and events stay as they are. Old rows are removed a minute after the move. `operations.cancel` cancels
   * the move until the organization has moved. If it moves to the same place already, returns that operation. An
   * organization with an active legal hold is not moved: the request fails with 409 `held`, and a hold that is
   * created during the move cancels it.
   *
   * Needs the admin token as `apiKey`.
   *
   * @returns The operation that tracks the move. Get it again with `operations.get`, with the admin token.
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @throws {ApiError} `organization_moving`: The organization is being moved to another place, or its old rows
   *   are still being removed.
   * @example
   * ```ts
   * const move = await operator.organizations.move(organization.id, { place: "cell" });
   * console.log(move.progress.done, move.moved_at);
   * ```
   */
  move(
    organizationId: string,
    body: MoveOrganizationBody,
    options: CallOptions = {},
  ): Call<MoveOrganizationOperation> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) =>
        client.POST("/v1/organizations/{organization_id}/move", {
          ...init,
          params: { path: { organization_id: organizationId } },
          body,
        }),
      repeatable,
    );
  }
}

/** API keys, which authenticate requests, and their scopes (permissions). */
export class Keys {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Creates a key for the organization of the calling key. It can have only scopes that the calling key has. The
   * secret is shown only in this response, so a repeat with the same idempotency key fails with 409, whose
   * `detail` names the id of the key.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `secret_already_shown`: An earlier request with this idempotency key created the API key,
   *   whose secret is shown only once.
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
   * Lists the organization's keys, newest first, including revoked and expired ones. Never returns secrets.
   *
   * Needs the scope `admin`.
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
   * Returns a key, without its secret.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
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
   * Revokes a key. Once this request returns, every request with the revoked key fails with 401. Revoking it again
   * has no effect. A key may revoke itself.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
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
   * Creates another key, with an id of its own and the same name, scopes, agent and user, to replace the old one,
   * which expires after `overlap_seconds`. The secret of the new key is shown only in this response. A key that is
   * revoked, expired or already rotated cannot be rotated: the request fails with 404.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `secret_already_shown`: An earlier request with this idempotency key created the API key,
   *   whose secret is shown only once.
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

/** Create a sign-in code. Redeem a sign-in code. */
export class SignInCodes {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Creates a code with which a person signs in to the console: the link is the URL of the service with
   * `#/sign-in/` and the code. Browsers send the part of a URL after `#` to no server, so the code is in no log. A
   * code is used once, within an hour. A key has one code at most: another one replaces it. For a member, who may
   * create codes with `members.createSignInCode`, too, the code begins with `engram_invite_`, and is redeemed on
   * the page where members sign in.
   *
   * Needs the scope `admin`.
   *
   * @example
   * ```ts
   * const { code } = await engram.signInCodes.create();
   * console.log(code.startsWith("engram_code_")); // true; the link is `${url}/#/sign-in/${code}`
   * ```
   */
  create(options: CallOptions = {}): Call<SignInCode> {
    return this.#http.call(options, (client, init) => client.POST("/v1/sign-in-codes", { ...init }));
  }
}

/** People of the organization, their roles, and how they sign in. */
export class Members {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Adds a person to the organization. They have no password: they sign in with a code of
   * `members.createSignInCode`, or with an identity provider that proves `email`. Only keys and owners can add
   * owners. Fails with 409 if a member has this email address.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `email_conflict`: Another member of the organization has this email address.
   * @example
   * ```ts
   * const member = await engram.members.create({ name: "Maria Rossi", role: "writer" });
   * const { code } = await engram.members.createSignInCode(member.id);
   * ```
   */
  create(body: CreateMemberBody, options: WriteOptions = {}): Call<Member> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/members", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * Lists the organization's members, newest first, including removed ones.
   *
   * Needs the scope `admin`.
   *
   * @example
   * ```ts
   * for await (const { name, role } of engram.members.list()) console.log(name, role);
   * ```
   */
  list(query: ListMembersQuery = {}, options: CallOptions = {}): List<Member> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/members", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Returns a member.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.members.create({ name: "Maria Rossi", role: "writer" });
   * const { role, last_used_at } = await engram.members.get(id);
   * ```
   */
  get(memberId: string, options: CallOptions = {}): Call<Member> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/members/{member_id}", { ...init, params: { path: { member_id: memberId } } }),
    );
  }

  /**
   * Changes the fields that the body has. Another role counts from the next request on, also for the clients that
   * the member has connected. Only keys and owners can change owners or make them, and members cannot change their
   * own role. The agent and the user of a member cannot be changed: remove the member, and add them again.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `email_conflict`: Another member of the organization has this email address.
   * @example
   * ```ts
   * const { id } = await engram.members.create({ name: "Maria Rossi", role: "writer" });
   * await engram.members.update(id, { role: "reader" });
   * ```
   */
  update(memberId: string, body: UpdateMemberBody, options: CallOptions = {}): Call<Member> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/members/{member_id}", { ...init, params: { path: { member_id: memberId } }, body }),
    );
  }

  /**
   * Removes a member. Once this request returns, every request of the member and of the clients that they have
   * connected fails with 401, and their sockets and streams end. Keys that the member has created stay: the audit
   * events name them. Removing a member again has no effect. Only keys and owners can remove owners, and members
   * cannot remove themselves.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.members.create({ name: "Maria Rossi", role: "writer" });
   * await engram.members.delete(id);
   * ```
   */
  delete(memberId: string, options: CallOptions = {}): Call<Member> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/members/{member_id}", { ...init, params: { path: { member_id: memberId } } }),
    );
  }

  /**
   * Creates a code with which a member signs in, to the console or on the page that connects a client: the link is
   * the URL of the service with `#/sign-in/` and the code. A code is used once, within seven days. A member has
   * one code at most: another one replaces it. Only keys and owners can create one for an owner.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.members.create({ name: "Maria Rossi", role: "writer" });
   * const { code } = await engram.members.createSignInCode(id);
   * console.log(code.startsWith("engram_invite_")); // true; the link is `${url}/#/sign-in/${code}`
   * ```
   */
  createSignInCode(memberId: string, options: CallOptions = {}): Call<SignInCode> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/members/{member_id}/sign-in-codes", {
        ...init,
        params: { path: { member_id: memberId } },
      }),
    );
  }

  /**
   * Returns the key or the member that sends the request, and what it may do. Every key can do this.
   *
   * @example
   * ```ts
   * const { scopes, member } = await engram.members.me();
   * console.log(scopes.join(" "), member?.name ?? "a key");
   * ```
   */
  me(options: CallOptions = {}): Call<Me> {
    return this.#http.call(options, (client, init) => client.GET("/v1/me", { ...init }));
  }
}

/** What OAuth clients, such as claude.ai, may do with a key. Their tokens work like keys. */
export class Grants {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Lists the grants of the organization's keys and members, newest first: which clients, such as claude.ai or
   * ChatGPT, people have connected by signing in, and where members are signed in to the console. Includes grants
   * whose key is no longer active, until they expire. Never returns tokens.
   *
   * Needs the scope `admin`.
   *
   * @example
   * ```ts
   * for await (const { client_name, scopes } of engram.grants.list()) console.log(client_name, scopes);
   * ```
   */
  list(query: ListGrantsQuery = {}, options: CallOptions = {}): List<Grant> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/grants", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Ends a grant, with all its tokens. Once this request returns, every request of the client fails with 401. The
   * key stays active. The client can ask a person again.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const [grant] = await engram.grants.list().toArray({ max: 1 });
   * if (grant) await engram.grants.delete(grant.id);
   * ```
   */
  delete(grantId: string, options: CallOptions = {}): Call<Grant> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/grants/{grant_id}", { ...init, params: { path: { grant_id: grantId } } }),
    );
  }
}

/** Ordered lists of messages, with title, tags and metadata. */
export class Conversations {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Creates an empty conversation. If the agent and the user have a conversation with this `external_id`, returns
   * that one with 200, unchanged. Those of other agents and users are separate, even with the same `external_id`.
   *
   * Needs the scope `write`.
   *
   * @returns 200: The existing conversation with this `external_id`. 201: The new conversation.
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again.
   * @example
   * ```ts
   * const { id } = await engram.conversations.create({ title: "Refund", user_id: "user_4711", tags: ["billing"] });
   * ```
   */
  create(body: CreateConversationBody = {}, options: WriteOptions = {}): Call<Conversation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * Lists conversations, most recently changed first unless `sort` and `order` say otherwise. All filters must
   * match. A page may hold fewer items than `limit`: it ends before its JSON exceeds 2 MB, or before its metadata
   * and parts together exceed 50,000 object fields and array items. A single item above these limits is returned
   * on a page of its own. A page may even be empty without being the last: to find matching items, one request
   * reads at most 4,000 items with a filter by tags or metadata, or 50,000 otherwise. Continue until `next_cursor`
   * is null. A conversation that is created or updated between two of your requests for pages may be skipped or
   * repeated. All others are returned exactly once.
   *
   * Needs the scope `read`.
   *
   * @example
   * ```ts
   * const open = engram.conversations.list({ user_id: "user_4711", metadata: { status: "open" } });
   * for await (const { title, message_count } of open) console.log(title, message_count);
   * ```
   */
  list(query: ListConversationsQuery = {}, options: CallOptions = {}): List<ListedConversation> {
    const { metadata, ...rest } = query;
    const filters = { ...rest, ...(metadata && { metadata: JSON.stringify(metadata) }) };
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/conversations", { ...init, params: { query: { ...filters, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Returns a conversation with its first messages, oldest first. To read on, pass `next_cursor` of `messages` to
   * `messages.list` as `cursor`, with the same `as_of`.
   *
   * Needs the scope `read`.
   *
   * `.withResponse()` also returns the ETag, to pass as `ifMatch`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { title, messages } = await engram.conversations.get(conversation.id, { message_limit: 20 });
   * for (const { role, content } of messages.items) console.log(role, content);
   * ```
   */
  get(
    conversationId: string,
    query: GetConversationQuery = {},
    options: CallOptions = {},
  ): Call<ConversationWithMessages> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/conversations/{conversation_id}", {
        ...init,
        params: { path: { conversation_id: conversationId }, query: query },
      }),
    );
  }

  /**
   * Changes title, tags, metadata, `shared` or `expires_at`; omitted fields stay unchanged. With `ifMatch`,
   * nothing is changed if the conversation has a newer version than that `ETag`.
   *
   * Needs the scope `write`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @throws {ApiError} `user_conflict`: The request gives a user to a memory that belongs to another user.
   * @throws {ApiError} `precondition_failed`: The item has changed since you read the `ETag` that `ifMatch` names.
   * @example
   * ```ts
   * const { etag } = await engram.conversations.get(conversation.id).withResponse();
   * await engram.conversations.update(conversation.id, { title: "Refund, done" }, { ifMatch: etag });
   * ```
   */
  update(
    conversationId: string,
    body: UpdateConversationBody,
    options: ConditionalOptions = {},
  ): Call<Conversation> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/conversations/{conversation_id}", {
        ...init,
        params: { path: { conversation_id: conversationId }, header: ifMatchHeader(options) },
        body,
      }),
    );
  }

  /**
   * Deletes a conversation with all its messages. They are excluded from every response at once. Their database
   * rows, keyword index entries and vectors are then removed for good, in the background. A deletion cannot be
   * undone. With `forget`, neither the conversation nor its messages are imported again, and its external id is
   * not used again for the agent and the user: `tombstones.list` says how. Forks are conversations of their own
   * and stay.
   *
   * Needs the scope `delete`.
   *
   * @returns The operation that tracks the deletion. Get it again with `operations.get` to see when rows and
   *   vectors are removed.
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @throws {ApiError} `precondition_failed`: The item has changed since you read the `ETag` that `ifMatch` names.
   * @example
   * ```ts
   * const receipt = await engram.conversations.delete(conversation.id);
   * console.log((await engram.operations.get(receipt.id)).status); // "running", then "succeeded"
   * ```
   */
  delete(
    conversationId: string,
    options: ConditionalOptions & DeleteConversationQuery = {},
  ): Call<DeleteConversationOperation> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/conversations/{conversation_id}", {
        ...init,
        params: {
          path: { conversation_id: conversationId },
          query: { forget: options.forget },
          header: ifMatchHeader(options),
        },
      }),
    );
  }

  /**
   * Copies a conversation: its agent, user, tags and metadata, whether it is shared, and its messages up to a
   * sequence number. The copied messages keep their sequence numbers and get new ids. The fork does not expire,
   * even if the original does. Later changes to one of the two conversations do not affect the other. All messages
   * are copied, or none. At most 10,000 messages can be copied; with more, the request fails with 409. Their
   * content, parts, metadata, names and ids may have 2,097,152 bytes in total; with more, it fails with 413.
   *
   * Needs the scope `write`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `external_id_conflict`: An `external_id` in the request belongs to a different item.
   * @throws {ApiError} `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again.
   * @throws {ApiError} `sequence_conflict`: A sequence number in the request does not match the conversation.
   * @throws {ApiError} `too_many_messages`: A fork would copy, or a replacement would delete, more than 10,000
   *   messages.
   * @example
   * ```ts
   * const { id } = await engram.conversations.fork(conversation.id, { sequence: 1, title: "What if" });
   * ```
   */
  fork(
    conversationId: string,
    body: ForkConversationBody = {},
    options: WriteOptions = {},
  ): Call<Conversation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations/{conversation_id}/fork", {
        ...init,
        params: { path: { conversation_id: conversationId }, header: idempotencyHeader(options) },
        body,
      }),
    );
  }

  /**
   * Sends a small JSON object to the sockets that are subscribed to the conversation by `filter.conversation_id`,
   * and to the streams of its events, for example that a user is typing. It is not stored: a client that
   * subscribes later does not get it, and one that reads too slowly may miss it. Append a message instead if it
   * must not be lost.
   *
   * Needs the scope `write`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * await engram.conversations.broadcast(conversation.id, { typing: true });
   * ```
   */
  broadcast(
    conversationId: string,
    value: NonNullable<BroadcastBody["value"]>,
    options: CallOptions = {},
  ): Call<BroadcastResult> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations/{conversation_id}/broadcasts", {
        ...init,
        params: { path: { conversation_id: conversationId } },
        body: { value },
      }),
    );
  }

  /**
   * Returns the sockets and keys that are present in a conversation now. Presence is a hint and is not stored
   * durably: it may be lost, and clients then set it again.
   *
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { items } = await engram.conversations.listPresences(conversation.id);
   * for (const { key_id, state } of items) console.log(key_id, state);
   * ```
   */
  listPresences(conversationId: string, options: CallOptions = {}): Call<PresenceList> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/conversations/{conversation_id}/presence", {
        ...init,
        params: { path: { conversation_id: conversationId } },
      }),
    );
  }

  /**
   * Makes the key present in a conversation for `ttl_seconds`, for an agent without a socket. Set it again before
   * it ends; `ttl_seconds: 1` ends it soon. A key has one presence in a conversation, and each call replaces its
   * `state`. The presence also ends with the key.
   *
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * await engram.conversations.setPresence(conversation.id, { state: { status: "reading" } });
   * ```
   */
  setPresence(conversationId: string, body: SetPresenceBody, options: CallOptions = {}): Call<Presence> {
    return this.#http.call(options, (client, init) =>
      client.PUT("/v1/conversations/{conversation_id}/presence", {
        ...init,
        params: { path: { conversation_id: conversationId } },
        body,
      }),
    );
  }
}

/** Messages of a conversation, stored verbatim. */
export class Messages {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Adds messages to the end of the conversation, all or none, with consecutive sequence numbers. They are stored
   * durably when the request returns. Keyword search finds them at once, semantic search after a short pause in
   * the conversation. One append holds at most 2,097,152 bytes (content as UTF-8, everything else as JSON); a
   * larger one fails with 413 and stores nothing.
   *
   * Needs the scope `write`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `external_id_conflict`: An `external_id` in the request belongs to a different item.
   * @throws {ApiError} `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again.
   * @throws {ApiError} `conversation_full`: The conversation has used its last sequence number, 16,777,215.
   * @example
   * ```ts
   * const { message_ids } = await engram.messages.append(conversation.id, {
   *   messages: [
   *     { role: "user", content: "Where is my refund?" },
   *     { role: "assistant", content: "It was sent on Tuesday." },
   *   ],
   * });
   * ```
   */
  append(
    conversationId: string,
    body: AppendMessagesBody,
    options: WriteOptions = {},
  ): Call<AppendedMessages> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations/{conversation_id}/messages", {
        ...init,
        params: { path: { conversation_id: conversationId }, header: idempotencyHeader(options) },
        body,
      }),
    );
  }

  /**
   * Lists messages, oldest first. Select a range of sequence numbers (`from_sequence`, `to_sequence`) or the
   * newest messages (`newest`). Default: all messages. With `wait_seconds`, a request without messages waits for
   * one. A page may hold fewer items than `limit`: it ends before its JSON exceeds 2 MB, or before its metadata
   * and parts together exceed 50,000 object fields and array items. A single item above these limits is returned
   * on a page of its own.
   *
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * for await (const { sequence, content } of engram.messages.list(conversation.id, { newest: 20 }))
   *   console.log(sequence, content);
   * ```
   */
  list(conversationId: string, query: ListMessagesQuery = {}, options: CallOptions = {}): List<Message> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/conversations/{conversation_id}/messages", {
          ...init,
          params: { path: { conversation_id: conversationId }, query: { ...query, cursor } },
        }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Returns one message, byte for byte as it was stored.
   *
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { content, created_at } = await engram.messages.get(conversation.id, message.id);
   * ```
   */
  get(
    conversationId: string,
    messageId: string,
    query: GetMessageQuery = {},
    options: CallOptions = {},
  ): Call<Message> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/conversations/{conversation_id}/messages/{message_id}", {
        ...init,
        params: { path: { conversation_id: conversationId, message_id: messageId }, query: query },
      }),
    );
  }

  /**
   * Changes content or metadata; omitted fields stay unchanged. Keyword search finds the message by its new text,
   * and no longer by the old one, at once. Semantic search follows within seconds.
   *
   * Needs the scope `write`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @example
   * ```ts
   * await engram.messages.update(conversation.id, message.id, { content: "Where is my money?" });
   * ```
   */
  update(
    conversationId: string,
    messageId: string,
    body: UpdateMessageBody,
    options: CallOptions = {},
  ): Call<Message> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/conversations/{conversation_id}/messages/{message_id}", {
        ...init,
        params: { path: { conversation_id: conversationId, message_id: messageId } },
        body,
      }),
    );
  }

  /**
   * Deletes a message and its entries in the keyword index at once. Each vector that was computed from its text,
   * together with that of neighboring messages, is deleted in the background. Its sequence number is never reused.
   * A deletion cannot be undone. With `forget`, an append with its external id to this conversation fails with
   * 409, and no import stores it again: `tombstones.list` says how. Another message may have the same words.
   *
   * Needs the scope `delete`.
   *
   * @returns The operation that tracks the deletion. Get it again with `operations.get` to see when the vectors
   *   are deleted.
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @example
   * ```ts
   * await engram.messages.delete(conversation.id, message.id);
   * ```
   */
  delete(
    conversationId: string,
    messageId: string,
    options: CallOptions & DeleteMessageQuery = {},
  ): Call<DeleteMessageOperation> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/conversations/{conversation_id}/messages/{message_id}", {
        ...init,
        params: {
          path: { conversation_id: conversationId, message_id: messageId },
          query: { forget: options.forget },
        },
      }),
    );
  }

  /**
   * Deletes all messages from `from_sequence` on and adds the given messages in their place, all or none. If the
   * newest message does not have the sequence number `expected_last_sequence`, the request fails with 409 and
   * changes nothing. With an empty `messages`, the request only deletes.
   *
   * Needs the scopes `write` and `delete`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @throws {ApiError} `sequence_conflict`: A sequence number in the request does not match the conversation.
   * @throws {ApiError} `too_many_messages`: A fork would copy, or a replacement would delete, more than 10,000
   *   messages.
   * @throws {ApiError} `external_id_conflict`: An `external_id` in the request belongs to a different item.
   * @throws {ApiError} `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again.
   * @throws {ApiError} `conversation_full`: The conversation has used its last sequence number, 16,777,215.
   * @example
   * ```ts
   * const { sequence } = message;
   * await engram.messages.replace(conversation.id, {
   *   expected_last_sequence: sequence,
   *   from_sequence: sequence,
   *   messages: [{ role: "user", content: "Say it another way." }],
   * });
   * ```
   */
  replace(
    conversationId: string,
    body: ReplaceMessagesBody,
    options: WriteOptions = {},
  ): Call<ReplacedMessages> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/conversations/{conversation_id}/messages/replace", {
        ...init,
        params: { path: { conversation_id: conversationId }, header: idempotencyHeader(options) },
        body,
      }),
    );
  }
}

/** Summaries of parts of a conversation, whose sentences cite its messages. */
export class Summaries {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Lists summaries, by level and then in the order of the messages. The service makes them in the background: of
   * each 24 sequence numbers once they are full, earlier if their messages have more than 3,000 tokens, and of the
   * end of a conversation when nothing was stored for ten minutes and at least eight messages have no summary.
   * Without a text model, the sentences are verbatim sentences of the messages. Summaries are those of today's
   * messages: there is no `as_of`, and exports leave them out. With a filter, a page may hold fewer items than
   * `limit`, or none, without being the last: one request reads at most 50,000 items to find matching ones.
   * Continue until `next_cursor` is null.
   *
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * for await (const { from_sequence, to_sequence, sentences } of engram.summaries.list(conversation.id, { level: 1 }))
   *   console.log(from_sequence, to_sequence, sentences.map(({ text }) => text).join(" "));
   * ```
   */
  list(conversationId: string, query: ListSummariesQuery = {}, options: CallOptions = {}): List<Summary> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/conversations/{conversation_id}/summaries", {
          ...init,
          params: { path: { conversation_id: conversationId }, query: { ...query, cursor } },
        }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Queues the summaries that a conversation lacks, up to its last message, also if the conversation does not
   * rest. They are made after the response, usually within seconds; each sends the event `summary.created`.
   * Summaries by earlier rules or another text model are made again. Sending the request again has no further
   * effect while they are queued.
   *
   * Needs the scope `write`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { last_sequence } = await engram.summaries.create(conversation.id);
   * ```
   */
  create(conversationId: string, options: CallOptions = {}): Call<QueuedSummaries> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) =>
        client.POST("/v1/conversations/{conversation_id}/summaries", {
          ...init,
          params: { path: { conversation_id: conversationId } },
        }),
      repeatable,
    );
  }
}

/** Notes that agents decide to remember, stored apart from conversations. */
export class Memories {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Stores a memory verbatim. If the agent and user have a memory with exactly this content, that one is returned
   * with 200: its `updated_at` is set to now, and nothing else of it changes. If the service has a text model, the
   * model writes the tags and the summary that you do not give, soon after the response. It never replaces yours.
   * Keyword search finds the memory at once, semantic search within seconds.
   *
   * Needs the scope `write`.
   *
   * @returns 200: The existing memory with this content. 201: The new memory.
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @throws {ApiError} `content_conflict`: Another memory of the same agent and user has this content.
   * @throws {ApiError} `external_id_conflict`: An `external_id` in the request belongs to a different item.
   * @throws {ApiError} `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again.
   * @example
   * ```ts
   * const { id } = await engram.memories.create({
   *   content: "Maria prefers refunds to her card.",
   *   user_id: "maria",
   *   agent_id: "support-bot",
   *   tags: ["refunds"],
   * });
   * ```
   */
  create(body: CreateMemoryBody, options: WriteOptions = {}): Call<CapturedMemory> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/memories", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * Stores a memory under your own id. If the agent and user have a memory with this `external_id`, all its fields
   * are replaced; one that you leave out gets its default. Its `id`, its `superseded_by` and, unless you send
   * them, its `created_at` and `supersedes` stay. The memory as it was before is kept as an earlier version.
   * Sending the same request again changes nothing but `updated_at`, so it needs no idempotency key. The path
   * names no memory, because your id is unique only together with the agent and the user in the body. With
   * `ifMatch`, nothing is stored if there is no such memory, or it has a newer version than that `ETag`.
   *
   * Needs the scope `write`.
   *
   * @returns 200: The replaced memory. 201: The new memory.
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @throws {ApiError} `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again.
   * @throws {ApiError} `precondition_failed`: The item has changed since you read the `ETag` that `ifMatch` names.
   * @example
   * ```ts
   * const diet = { external_id: "diet", user_id: "maria" };
   * await engram.memories.put({ ...diet, content: "Allergic to walnuts." });
   * const { content } = await engram.memories.put({ ...diet, content: "Allergic to walnuts and peanuts." });
   * console.log(content); // Allergic to walnuts and peanuts.
   * ```
   */
  put(body: PutMemoryBody, options: ConditionalOptions = {}): Call<Memory> {
    return this.#http.call(options, (client, init) =>
      client.PUT("/v1/memories", { ...init, params: { header: ifMatchHeader(options) }, body }),
    );
  }

  /**
   * Lists memories with their full content, most recently captured first unless `sort` and `order` say otherwise.
   * All filters must match. A page may hold fewer items than `limit`: it ends before its JSON exceeds 2 MB, or
   * before its metadata and parts together exceed 50,000 object fields and array items. A single item above these
   * limits is returned on a page of its own. A page may even be empty without being the last: to find matching
   * items, one request reads at most 4,000 items with a filter by tags or metadata, or 50,000 otherwise. Continue
   * until `next_cursor` is null. A memory that is captured or changed between two of your requests for pages may
   * be skipped or repeated. All others are returned exactly once.
   *
   * Needs the scope `read`.
   *
   * @example
   * ```ts
   * const preferences = engram.memories.list({ agent_id: "support-bot", tags_any: ["refunds"] });
   * for await (const { content, created_at } of preferences) console.log(created_at, content);
   * ```
   */
  list(query: ListMemoriesQuery = {}, options: CallOptions = {}): List<Memory> {
    const { metadata, ...rest } = query;
    const filters = { ...rest, ...(metadata && { metadata: JSON.stringify(metadata) }) };
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/memories", { ...init, params: { query: { ...filters, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Stores up to 1,000 memories, all or none, each in the same way as a single capture. Only those that were
   * deleted with `forget` are skipped, and their items say so. Content that occurs several times in the request is
   * stored once. One bulk capture holds at most 2,097,152 bytes (content as UTF-8, everything else as JSON); a
   * larger one fails with 413 and stores nothing.
   *
   * Needs the scope `write`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @throws {ApiError} `content_conflict`: Another memory of the same agent and user has this content.
   * @throws {ApiError} `external_id_conflict`: An `external_id` in the request belongs to a different item.
   * @example
   * ```ts
   * const { items } = await engram.memories.createMany({
   *   memories: [{ content: "Refunds take three days." }, { content: "Refunds over 100 euros need a second look." }],
   * });
   * console.log(items.filter(({ created }) => created).length);
   * ```
   */
  createMany(body: CreateMemoriesBody, options: WriteOptions = {}): Call<CapturedMemories> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/memories/bulk", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * Returns a memory with its full content, and the chunks by which semantic search finds it.
   *
   * Needs the scope `read`.
   *
   * `.withResponse()` also returns the ETag, to pass as `ifMatch`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { content, summary, chunks } = await engram.memories.get(memory.id);
   * console.log(content, summary, chunks.every(({ indexed }) => indexed));
   * ```
   */
  get(memoryId: string, query: GetMemoryQuery = {}, options: CallOptions = {}): Call<MemoryWithChunks> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/memories/{memory_id}", {
        ...init,
        params: { path: { memory_id: memoryId }, query: query },
      }),
    );
  }

  /**
   * Changes the given fields; omitted fields stay unchanged. The memory as it was before is kept as an earlier
   * version, which `memories.listVersions` returns. New content removes the tags and the summary that a text model
   * wrote for the old content, and sets `enriched_by` to null. With `ifMatch`, nothing is changed if the memory
   * has a newer version than that `ETag`. If the agent and user have another memory with the content, the request
   * fails with 409. If the memory would get content or a user that was deleted with `forget`, too.
   *
   * Needs the scope `write`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @throws {ApiError} `content_conflict`: Another memory of the same agent and user has this content.
   * @throws {ApiError} `external_id_conflict`: An `external_id` in the request belongs to a different item.
   * @throws {ApiError} `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again.
   * @throws {ApiError} `user_conflict`: The request gives a user to a memory that belongs to another user.
   * @throws {ApiError} `precondition_failed`: The item has changed since you read the `ETag` that `ifMatch` names.
   * @example
   * ```ts
   * const { etag } = await engram.memories.get(memory.id).withResponse();
   * await engram.memories.update(memory.id, { tags: ["refunds", "card"] }, { ifMatch: etag });
   * ```
   */
  update(memoryId: string, body: UpdateMemoryBody, options: ConditionalOptions = {}): Call<Memory> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/memories/{memory_id}", {
        ...init,
        params: { path: { memory_id: memoryId }, header: ifMatchHeader(options) },
        body,
      }),
    );
  }

  /**
   * Deletes a memory. It is excluded from every response at once. Its database row, earlier versions, keyword
   * index entries and vectors are then removed for good, in the background. A deletion cannot be undone. The same
   * content can be captured again, as a new memory. With `forget`, neither the content nor the external id is
   * stored again for the agent and the user, nor the memory by an import: `tombstones.list` says how.
   *
   * Needs the scope `delete`.
   *
   * @returns The operation that tracks the deletion. Get it again with `operations.get` to see when rows and
   *   vectors are removed.
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `held`: A legal hold forbids to delete or edit the item, or to delete or move an
   *   organization with an active hold.
   * @throws {ApiError} `precondition_failed`: The item has changed since you read the `ETag` that `ifMatch` names.
   * @example
   * ```ts
   * await engram.memories.delete(memory.id);
   * ```
   */
  delete(
    memoryId: string,
    options: ConditionalOptions & DeleteMemoryQuery = {},
  ): Call<DeleteMemoryOperation> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/memories/{memory_id}", {
        ...init,
        params: {
          path: { memory_id: memoryId },
          query: { forget: options.forget },
          header: ifMatchHeader(options),
        },
      }),
    );
  }

  /**
   * Lists the versions of a memory, newest first. The first one is the memory as it is now. Every change keeps the
   * version before it: an update, a replacement by `memories.put`, tags or a summary by a text model, and the end
   * of a memory that another one supersedes. A request that changes nothing keeps none. Whoever can read the
   * memory can read all its versions. They are removed with the memory. A page may hold fewer items than `limit`:
   * it ends before its JSON exceeds 2 MB, or before its metadata and parts together exceed 50,000 object fields
   * and array items. A single item above these limits is returned on a page of its own.
   *
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * for await (const { content, stored_at } of engram.memories.listVersions(memory.id))
   *   console.log(stored_at, content);
   * ```
   */
  listVersions(
    memoryId: string,
    query: ListMemoryVersionsQuery = {},
    options: CallOptions = {},
  ): List<MemoryVersion> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/memories/{memory_id}/versions", {
          ...init,
          params: { path: { memory_id: memoryId }, query: { ...query, cursor } },
        }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Has the text model of the service write the tags and summaries that memories lack. Tags and summaries that you
   * gave never change. Those that an earlier text model wrote are replaced; those of the current one are kept. If
   * the service has no text model, the request fails with 503. The work has two passes. In the first, the model
   * suggests tags for each memory, and nothing is stored. In the second, it writes tags and summaries. It can
   * choose from the 50 most frequent tags of the first pass, so that memories about one topic get the same tag.
   * Memories go through both passes in groups of 5,000, or 4,000 with a filter by tags or metadata, oldest first.
   * `progress` does not count memories that are queued for enrichment already: those captured or changed shortly
   * before, and those of another `memories.enrich` operation.
   *
   * Needs the scope `write`.
   *
   * @returns The operation that tracks the enrichment. Get it again with `operations.get` to see its progress.
   * @example
   * ```ts
   * const { id } = await engram.memories.enrich({ source: "slack" });
   * ```
   */
  enrich(
    filter: NonNullable<EnrichMemoriesBody["filter"]> = {},
    options: WriteOptions = {},
  ): Call<EnrichMemoriesOperation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/memories/enrich", {
        ...init,
        params: { header: idempotencyHeader(options) },
        body: { filter },
      }),
    );
  }

  /**
   * Finds memories by meaning and by keywords, best first, each with its full content and the chunk that matched.
   * Memories that hold come first: those that have ended, or not begun, follow all others. Filters apply before
   * ranking. Keyword search finds a memory as soon as it is stored, semantic search once its vectors are stored,
   * within seconds.
   *
   * Needs the scope `search`.
   *
   * @example
   * ```ts
   * const { results } = await engram.memories.search({ query: "How does Maria want refunds?", limit: 5 });
   * for (const { relevance, memory } of results) console.log(relevance, memory.content);
   * ```
   */
  search(body: SearchMemoriesBody, options: CallOptions = {}): Call<MemorySearchAnswer> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) => client.POST("/v1/memories/search", { ...init, body: withValidQuery(body) }),
      repeatable,
    );
  }
}

/** Files, errors, links, dates and other things that messages mention, found by rules. */
export class Entities {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Lists the entities that messages mention, ordered by kind and folded value (in lower case and without accents)
   * unless `sort` says otherwise. All filters must match. Entities are found when a message is indexed, by rules
   * and without a model: at most 64 mentions in the first 100,000 characters of a message, the first ones.
   * Messages that are edited or deleted lose their mentions at once. A key that is bound to an agent or a user
   * sees and counts only mentions in its own conversations. A page may hold fewer items than `limit`, or none,
   * without being the last, while conversations are being deleted: continue until `next_cursor` is null.
   *
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * for await (const { value, mention_count } of engram.entities.list({ kind: "file", sort: "mentions" })) {
   *   console.log(value, mention_count);
   * }
   * ```
   */
  list(query: ListEntitiesQuery = {}, options: CallOptions = {}): List<Entity> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/entities", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Lists the mentions of an entity, by conversation, the oldest first, and in the order of its messages. Each has
   * the place in the message and the exact text there. A key that is bound to an agent sees only mentions in its
   * own conversations, one bound to a user also those in shared ones. A page may hold fewer items than `limit`, or
   * none, without being the last, while conversations are being deleted: continue until `next_cursor` is null. If
   * the conversation of a cursor was removed meanwhile, the cursor is invalid.
   *
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const [entity] = await engram.entities.list({ kind: "error_code" }).toArray({ max: 1 });
   * if (entity !== undefined) {
   *   for await (const { conversation_id, sequence, text } of engram.entities.mentions(entity.id)) {
   *     console.log(conversation_id, sequence, text);
   *   }
   * }
   * ```
   */
  mentions(entityId: string, query: ListMentionsQuery = {}, options: CallOptions = {}): List<Mention> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/entities/{entity_id}/mentions", {
          ...init,
          params: { path: { entity_id: entityId }, query: { ...query, cursor } },
        }),
      );
    return new List(fetchPage, query.cursor);
  }
}

/** Users of conversations and memories, and the deletion of their data. */
export class Users {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Lists the users of the organization's conversations and memories, ordered by id. A key that is bound to an
   * agent or a user cannot list users.
   *
   * Needs the scope `read`.
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
   * Returns what is stored of a user. A user without conversations and memories has none to count: there is no 404
   * for it. A key that is bound to an agent or a user cannot get users.
   *
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { conversation_count, last_seen_at } = await engram.users.get("user_4711");
   * ```
   */
  get(userId: string, options: CallOptions = {}): Call<User> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/users/{user_id}", { ...init, params: { path: { user_id: userId } } }),
    );
  }

  /**
   * Deletes all conversations with a user, and all memories, receipts of recall and evaluations of the user. A key
   * that is bound to an agent deletes only those of its agent. The first 1,000 conversations and 1,000 memories
   * are deleted before the request returns; the others follow in the background. The deletion holds: it leaves a
   * tombstone, and from then on nothing is stored for the user, nor any of the deleted items for another.
   * Captures, new conversations and forks fail with 409 `forgotten`, and imports and bulk captures skip them. To
   * let the user come back, delete the tombstone, which allows all of it again. The tombstone of a key that is
   * bound to an agent refuses the user only for the agent. Keys that are bound to the user stay valid: revoke them
   * first. A deleted item is excluded from every response. Rows, keyword index entries and vectors are removed for
   * good afterwards, and the operation reports when. If there is nothing to delete, the operation says so. The
   * operation and its audit event keep the id of the user.
   *
   * Needs the scope `delete`.
   *
   * @returns The operation that tracks the deletion. Get it again with `operations.get` to see its progress, and
   *   when rows and vectors are removed.
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
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

/** Receipts of what searches and contexts answered, and their replay. */
export class Recalls {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Lists receipts of recall, newest first. All filters must match. Receipts are kept for 30 days. A key that is
   * bound to an agent or a user gets only those of keys with the same binding. A page may hold fewer receipts than
   * `limit`, or none, without being the last: it ends before its JSON exceeds 2 MB, and one request reads at most
   * 10,000 receipts to find matching ones. Continue until `next_cursor` is null.
   *
   * Needs the scope `search`.
   *
   * @example
   * ```ts
   * // Which answers had this message?
   * for await (const { id, created_at } of engram.recalls.list({ item_id: message.id })) console.log(id, created_at);
   * ```
   */
  list(query: ListRecallsQuery = {}, options: CallOptions = {}): List<Recall> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/recalls", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Returns what a search or a context with `record` answered: the request, every item with its version and a
   * keyed hash of its content, scores, what was left out, the models and the rules. Receipts are kept for 30 days.
   * A key that is bound to an agent or a user gets only those of keys with the same binding.
   *
   * Needs the scope `search`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { recall_id } = await engram.search({ query: "When was the refund sent?", record: true });
   * if (recall_id) console.log((await engram.recalls.get(recall_id)).items);
   * ```
   */
  get(recallId: string, options: CallOptions = {}): Call<Recall> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/recalls/{recall_id}", { ...init, params: { path: { recall_id: recallId } } }),
    );
  }

  /**
   * Notes which items of an answer were used, and what came of it. Fields that you leave out stay unchanged. An id
   * that the receipt does not have fails with 400. Nothing else of a receipt can be changed.
   *
   * Needs the scope `search`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { recall_id, results } = await engram.memories.search({ query: "How does Maria want refunds?", record: true });
   * const used = results.slice(0, 1).map(({ memory }) => memory.id);
   * if (recall_id) await engram.recalls.update(recall_id, { used, outcome: "answered" });
   * ```
   */
  update(recallId: string, body: UpdateRecallBody, options: CallOptions = {}): Call<Recall> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/recalls/{recall_id}", { ...init, params: { path: { recall_id: recallId } }, body }),
    );
  }

  /**
   * Sends the recorded request again, with the same binding to an agent and a user, and answers that the answer is
   * the same, or each difference with its cause. Memories are those that held when it was recorded. Nothing is
   * recorded. It counts as a search.
   *
   * Needs the scope `search`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const [recall] = await engram.recalls.list().toArray({ max: 1 });
   * if (recall) {
   *   const { same, differences } = await engram.recalls.replay(recall.id);
   *   for (const { change, cause, before, now } of differences) console.log(change, cause, (before ?? now)?.id);
   *   console.log(same);
   * }
   * ```
   */
  replay(recallId: string, options: CallOptions = {}): Call<Replay> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) =>
        client.POST("/v1/recalls/{recall_id}/replay", { ...init, params: { path: { recall_id: recallId } } }),
      repeatable,
    );
  }
}

/** Labelled queries: searches with what they should find, run again on request. */
export class Evaluations {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Keeps a search with the items that it should find, made from a request or from a receipt of recall. The query
   * is stored. An organization has at most 1,000. Nothing runs before `evaluations.run`.
   *
   * Needs the scope `search`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `forgotten`: The item, or its user, was deleted with `forget`, so it is not stored again.
   * @throws {ApiError} `too_many_evaluations`: The organization has 1,000 evaluations already.
   * @example
   * ```ts
   * const { results, recall_id } = await engram.memories.search({ query: "How does Maria want refunds?", record: true });
   * const expected = results.slice(0, 1).map(({ memory }) => memory.id);
   * if (recall_id) await engram.evaluations.create({ from_recall: recall_id, expected });
   * ```
   */
  create(body: CreateEvaluationBody = {}, options: WriteOptions = {}): Call<Evaluation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/evaluations", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * Lists evaluations with their last runs, newest first. A key that is bound to an agent or a user gets only
   * those of keys with the same binding.
   *
   * Needs the scope `search`.
   *
   * @example
   * ```ts
   * for await (const { request, last_run } of engram.evaluations.list()) console.log(request.query, last_run?.ndcg);
   * ```
   */
  list(query: ListEvaluationsQuery = {}, options: CallOptions = {}): List<Evaluation> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/evaluations", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Searches, finds the ranks of the expected items, and compares them with the last run, which this one replaces.
   * Nothing runs by itself: after a change of the embedding model, or of what is stored, run the evaluations
   * again. It counts as a search.
   *
   * Needs the scope `search`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * for await (const { id } of engram.evaluations.list()) {
   *   const { evaluation, previous, moved } = await engram.evaluations.run(id);
   *   console.log(evaluation.last_run?.ndcg, previous?.ndcg, moved);
   * }
   * ```
   */
  run(evaluationId: string, options: CallOptions = {}): Call<EvaluationResult> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) =>
        client.POST("/v1/evaluations/{evaluation_id}/run", {
          ...init,
          params: { path: { evaluation_id: evaluationId } },
        }),
      repeatable,
    );
  }

  /**
   * Deletes an evaluation with its query and its last run.
   *
   * Needs the scope `search`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const [evaluation] = await engram.evaluations.list().toArray({ max: 1 });
   * if (evaluation) await engram.evaluations.delete(evaluation.id);
   * ```
   */
  delete(evaluationId: string, options: CallOptions = {}): Call<Evaluation> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/evaluations/{evaluation_id}", {
        ...init,
        params: { path: { evaluation_id: evaluationId } },
      }),
    );
  }
}

/** Status and repair of the search index. */
export class Index {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Returns how many messages and memories of the organization, or messages of one conversation, are indexed for
   * semantic search, wait to be indexed, or failed. For a single memory, get its chunks with `memories.get`.
   *
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { messages, pending, failed } = await engram.index.status();
   * ```
   */
  status(query: GetIndexStatusQuery = {}, options: CallOptions = {}): Call<IndexStatus> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/index", { ...init, params: { query: query } }),
    );
  }

  /**
   * Indexes every conversation and memory, or one conversation, again from the stored content: keyword index,
   * chunks and vectors. Content whose indexing failed too often before is tried again. If a repair of the same
   * conversations and memories is running, that repair is returned, unless the model has already rejected every
   * text that is left of it. Searches work during the repair, and stored content is not changed. The service
   * queues conversations and memories in steps of 1,000, the first step before the response. `operations.cancel`
   * stops the work that has not begun.
   *
   * Needs the scope `write`.
   *
   * @returns The operation that tracks the repair. Get it again with `operations.get` to see its progress.
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const operation = await engram.index.repair({ conversation_id: conversation.id });
   * ```
   */
  repair(body: RepairIndexBody = {}, options: WriteOptions = {}): Call<RepairIndexOperation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/index/repair", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }
}

/** Work that continues after the response, with its progress. */
export class Operations {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Lists operations, newest first. Operations are deletions, imports, archives, index repairs and enrichments.
   * Moves of organizations are not listed: only the operator can get them. A key that is bound to an agent gets
   * only operations on data of that agent. With a filter, a page may hold fewer items than `limit`, or none,
   * without being the last: one request reads at most 50,000 items to find matching ones. Continue until
   * `next_cursor` is null.
   *
   * Needs the scope `read`.
   *
   * @example
   * ```ts
   * for await (const { type, status } of engram.operations.list({ status: "running" })) console.log(type, status);
   * ```
   */
  list(query: ListOperationsQuery = {}, options: CallOptions = {}): List<Operation> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/operations", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Returns an operation: its status, how much of the work is done, and why it failed if it did. For a deletion,
   * it reports when rows and vectors were removed for good. With the admin token of the service, returns an
   * operation of any organization in the shared database, and of the others their deletions and moves.
   *
   * Needs the scope `read`, or the admin token as `apiKey`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.index.repair();
   * const operation = await engram.operations.get(id);
   * if (operation.type === "repair_index") console.log(operation.status, operation.reindexed, operation.problem);
   * ```
   */
  get(operationId: string, options: CallOptions = {}): Call<Operation> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/operations/{operation_id}", {
        ...init,
        params: { path: { operation_id: operationId } },
      }),
    );
  }

  /**
   * Cancels the work that is left of an operation of the type `delete_conversations`, `delete_memories`,
   * `delete_user`, `repair_index`, `enrich_memories`, `create_archive` or `import`: no further step begins.
   * Deleted items stay deleted and are still removed for good; imported items stay; the archive is deleted. The
   * admin token of the service can cancel operations of any organization in the shared database. It can also
   * cancel a `move_organization` until the organization has moved, and a `delete_organization` until the last row
   * of the organization is removed. All data whose removal has not begun is then restored at once, with the keys
   * that the deletion revoked. Canceling an operation again returns it unchanged.
   *
   * Needs the scope `write`, or the admin token as `apiKey`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `not_cancelable`: The operation has ended already, or is of a type that cannot be canceled.
   * @example
   * ```ts
   * const receipt = await operator.organizations.delete(organization.id);
   * await operator.operations.cancel(receipt.id);
   * ```
   */
  cancel(operationId: string, options: CallOptions = {}): Call<Operation> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) =>
        client.POST("/v1/operations/{operation_id}/cancel", {
          ...init,
          params: { path: { operation_id: operationId } },
        }),
      repeatable,
    );
  }
}

/** Copies of all conversations and memories in an object store, with digests of their parts. */
export class Archives {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Begins an archive: a copy of all conversations and memories of the organization in the object store of the
   * deployment, with the lines that `export` returns. It is written in the background, in parts of about 8 MiB,
   * and continues where it was after any interruption. `target_id` of the operation is the id of the archive. As
   * an export, it is no snapshot: what is created, changed or deleted meanwhile is archived as it is when the
   * archive reaches it. An organization has at most 1,000 archives. A deployment without an object store fails
   * with 501.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `too_many_archives`: The organization has 1,000 archives already.
   * @example
   * ```ts
   * const { target_id, id } = await engram.archives.create({ expires_in_days: 30 });
   * const { status } = await engram.operations.get(id);
   * ```
   */
  create(body: CreateArchiveBody = {}, options: WriteOptions = {}): Call<CreateArchiveOperation> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/archives", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * Lists archives, newest first, also those that are still written.
   *
   * Needs the scope `admin`.
   *
   * @example
   * ```ts
   * for await (const { id, completed_at, counts } of engram.archives.list()) console.log(id, completed_at, counts);
   * ```
   */
  list(query: ListArchivesQuery = {}, options: CallOptions = {}): List<Archive> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/archives", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Returns when archives are begun without a request, and how long they are kept.
   *
   * Needs the scope `admin`.
   *
   * @returns The schedule. Without one, `every_days` is null.
   * @example
   * ```ts
   * const { every_days, next_at } = await engram.archives.getSchedule();
   * ```
   */
  getSchedule(options: CallOptions = {}): Call<ArchiveSchedule> {
    return this.#http.call(options, (client, init) => client.GET("/v1/archives/schedule", { ...init }));
  }

  /**
   * Has an archive begun each time a number of days has passed, the first within a minute or so. Archives that
   * exist keep the time at which they expire. None is begun while the organization has as many as it may have, or
   * is being deleted.
   *
   * Needs the scope `admin`.
   *
   * @example
   * ```ts
   * await engram.archives.setSchedule({ every_days: 7, keep_days: 30 });
   * ```
   */
  setSchedule(body: SetArchiveScheduleBody, options: CallOptions = {}): Call<ArchiveSchedule> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) => client.PUT("/v1/archives/schedule", { ...init, body }),
      repeatable,
    );
  }

  /**
   * Returns an archive with the size and the SHA-256 of each of its parts. Once it is complete, this does not
   * change any more, and the object store has it as `manifest.json` beside the parts.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { target_id } = await engram.archives.create();
   * const { parts, counts, completed_at } = await engram.archives.get(target_id);
   * ```
   */
  get(archiveId: string, options: CallOptions = {}): Call<ArchiveManifest> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/archives/{archive_id}", { ...init, params: { path: { archive_id: archiveId } } }),
    );
  }

  /**
   * Deletes an archive: it is excluded from every response, and its objects are removed within some minutes. One
   * that is still written is canceled. Until its objects are removed, receipts of deletions name it.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * await engram.archives.delete(archive.id);
   * ```
   */
  delete(archiveId: string, options: CallOptions = {}): Call<Archive> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/archives/{archive_id}", { ...init, params: { path: { archive_id: archiveId } } }),
    );
  }
}

/** What deletions with `forget` left behind, so that nothing brings the deleted items back. */
export class Tombstones {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Lists tombstones, newest first. A deletion with `forget`, and each deletion of a user, leaves one. While it
   * exists, nothing that was deleted is stored again: captures, appends and forks of it fail with 409 `forgotten`,
   * and imports and bulk captures skip it.
   *
   * Needs the scope `admin`.
   *
   * @example
   * ```ts
   * for await (const { kind, memories, created_at } of engram.tombstones.list()) console.log(kind, memories, created_at);
   * ```
   */
  list(query: ListTombstonesQuery = {}, options: CallOptions = {}): List<Tombstone> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/tombstones", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Allows again, from the next request on, all that the deletion refused: the user, and every item that the
   * deletion deleted. It restores nothing: what was deleted stays deleted until it is captured or imported again.
   * Steps of the deletion that have not begun still delete, but refuse nothing any more. Hashes are removed in the
   * background. An item that another tombstone covers stays refused.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const receipt = await engram.memories.delete(memory.id, { forget: true });
   * const [tombstone] = await engram.tombstones.list().toArray({ max: 1 });
   * if (tombstone?.operation_id === receipt.id) await engram.tombstones.delete(tombstone.id);
   * ```
   */
  delete(tombstoneId: string, options: CallOptions = {}): Call<Tombstone> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/tombstones/{tombstone_id}", {
        ...init,
        params: { path: { tombstone_id: tombstoneId } },
      }),
    );
  }
}

/** Legal holds: what must not be deleted or edited until somebody lifts them. */
export class Holds {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Holds conversations and memories: from now on, nothing deletes or edits them, and nothing that was deleted
   * shortly before is removed for good. Such requests fail with 409 `held`. Deletions by a filter skip what is
   * held and say how many items that were; the deletion of a user waits for the holds. Messages can still be added
   * to a held conversation, and everything can be read, searched and exported. An item can be under several holds.
   * An organization has at most 100 active holds. The hold is recorded as an audit event.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `too_many_holds`: The organization has 100 active legal holds already.
   * @example
   * ```ts
   * const hold = await engram.holds.create({ reason: "Case 2026-114", filter: { user_id: "user_4711" } });
   * await engram.holds.lift(hold.id);
   * ```
   */
  create(body: CreateHoldBody, options: WriteOptions = {}): Call<Hold> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/holds", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * Lists legal holds, newest first. Holds are never deleted, only lifted: they are deleted with the organization.
   *
   * Needs the scope `admin`.
   *
   * @example
   * ```ts
   * for await (const { id, reason } of engram.holds.list({ status: "active" })) console.log(id, reason);
   * ```
   */
  list(query: ListHoldsQuery = {}, options: CallOptions = {}): List<Hold> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/holds", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Returns a legal hold with the ids that it names, and how many conversations and memories it holds now.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.holds.create({ reason: "Case 2026-114", ids: [conversation.id] });
   * const { conversations, memories } = await engram.holds.get(id);
   * await engram.holds.lift(id);
   * ```
   */
  get(holdId: string, options: CallOptions = {}): Call<HoldDetails> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/holds/{hold_id}", { ...init, params: { path: { hold_id: holdId } } }),
    );
  }

  /**
   * Ends a legal hold. What no other hold holds can be edited and deleted again, and deletions of users that
   * waited for it continue in the background. The lift is recorded as an audit event. Lifting a hold again returns
   * it unchanged.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.holds.create({ reason: "Case 2026-114", ids: [conversation.id] });
   * await engram.holds.lift(id);
   * ```
   */
  lift(holdId: string, options: CallOptions = {}): Call<Hold> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) =>
        client.POST("/v1/holds/{hold_id}/lift", { ...init, params: { path: { hold_id: holdId } } }),
      repeatable,
    );
  }
}

/** Rules that delete what has reached an age. */
export class Retention {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Creates a rule, which the service usually applies for the first time within a few minutes, and later if many
   * organizations have something due, which then take turns: what is older is then deleted. Use
   * `retention.preview` before, or `dry_run`. A rule of conversations or memories is applied again each hour, any
   * other each day. The conversations or memories that it matches are deleted by an ordinary operation with a
   * receipt, as `conversations.deleteMany` and `memories.deleteMany` do, which names the rule. If nothing matches,
   * there is no operation, unless a list is too long to know that before. While one still finds what to delete,
   * the rule begins no other. Everything else is removed in the steps of the service's periodic work, without an
   * operation. Each application that deletes something has the audit event `retention.applied`. Of audit events,
   * only those that are in the chain are deleted, oldest first, and never the newest of it. An organization has at
   * most 50 rules.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @throws {ApiError} `too_many_retention_rules`: The organization has 50 rules of retention already.
   * @example
   * ```ts
   * const { id } = await engram.retention.create({
   *   name: "Support chats",
   *   kind: "conversations",
   *   older_than_days: 365,
   *   by: "last_message_at",
   *   filter: { tags_any: ["support"] },
   * });
   * ```
   */
  create(body: CreateRetentionRuleBody, options: WriteOptions = {}): Call<RetentionRule> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/retention", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * Returns all rules of the organization, at most 50, oldest first.
   *
   * Needs the scope `admin`.
   *
   * @example
   * ```ts
   * const { items } = await engram.retention.list();
   * for (const { name, kind, older_than_days, matched } of items) console.log(name, kind, older_than_days, matched);
   * ```
   */
  list(options: CallOptions = {}): Call<RetentionRuleList> {
    return this.#http.call(options, (client, init) => client.GET("/v1/retention", { ...init }));
  }

  /**
   * Counts what a rule with these fields would delete now, and returns some of it. Changes nothing.
   *
   * Needs the scope `admin`.
   *
   * @example
   * ```ts
   * const { matched, samples } = await engram.retention.preview({ kind: "conversations", older_than_days: 365 });
   * console.log(matched, samples);
   * ```
   */
  preview(body: PreviewRetentionRuleBody, options: CallOptions = {}): Call<RetentionPreview> {
    const repeatable = true;
    return this.#http.call(
      options,
      (client, init) => client.POST("/v1/retention/preview", { ...init, body }),
      repeatable,
    );
  }

  /**
   * Returns a rule, with how many items it matched when it was last applied.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.retention.create({ name: "Usage", kind: "usage", older_than_days: 365 });
   * const { matched, applied_at } = await engram.retention.get(id);
   * ```
   */
  get(ruleId: string, options: CallOptions = {}): Call<RetentionRule> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/retention/{rule_id}", { ...init, params: { path: { rule_id: ruleId } } }),
    );
  }

  /**
   * Changes the given fields; omitted fields stay unchanged. The rule is usually applied again within a few
   * minutes. What a rule is about (`kind`, `by`, `filter`) never changes: create another rule in its place.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const rule = { name: "Old notes", kind: "memories", older_than_days: 730, dry_run: true } as const;
   * const { id } = await engram.retention.create(rule);
   * await engram.retention.update(id, { dry_run: false });
   * ```
   */
  update(ruleId: string, body: UpdateRetentionRuleBody, options: CallOptions = {}): Call<RetentionRule> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/retention/{rule_id}", { ...init, params: { path: { rule_id: ruleId } }, body }),
    );
  }

  /**
   * Deletes a rule, which is not applied again. A deletion that it has begun goes on; `operations.cancel` stops
   * it.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.retention.create({ name: "Usage", kind: "usage", older_than_days: 365 });
   * await engram.retention.delete(id);
   * ```
   */
  delete(ruleId: string, options: CallOptions = {}): Call<RetentionRule> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/retention/{rule_id}", { ...init, params: { path: { rule_id: ruleId } } }),
    );
  }
}

/** Create a ticket. */
export class Tickets {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Creates a ticket, with which a browser opens `GET /v1/events/socket` without knowing a key. A ticket opens one
   * socket, within a minute. The socket gets the events that the key could list, and closes when the key is
   * revoked. It gets events of keys only with `include_key_events`.
   *
   * Needs the scope `read`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { ticket } = await engram.tickets.create({ conversation_id: conversation.id });
   * // In the browser: new WebSocket(url, ["engram.v1", `engram.ticket.${ticket}`])
   * console.log(ticket.startsWith("engram_tk_")); // true
   * ```
   */
  create(body: CreateTicketBody = {}, options: CallOptions = {}): Call<Ticket> {
    return this.#http.call(options, (client, init) => client.POST("/v1/tickets", { ...init, body }));
  }
}

/** URLs that events are sent to, with signatures. */
export class Webhooks {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Creates a webhook: each event is sent to its URL by POST, signed as Standard Webhooks 1.0 states. The body is
   * `{type, timestamp, data}`, and `data` is the event, which has ids and numbers, never content. The header
   * `webhook-id` is the id of the event, also when it is sent again. Delivery is at least once and in order, one
   * request at a time. Any status of 200 to 299 within 10 seconds is a success; a redirect is a failure. A failed
   * event is tried again after 5 seconds, 5 and 30 minutes, then 2, 5, 10, 14, 20, 20, 24 and 24 hours: five days
   * in all. Later events wait for it. After the last attempt, the webhook is paused. An organization has at most
   * 20 webhooks. The secret is shown only in this response, so a repeat with the same idempotency key fails with
   * 409, whose `detail` names the id of the webhook.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `too_many_webhooks`: The organization has 20 webhooks already.
   * @throws {ApiError} `secret_already_shown`: An earlier request with this idempotency key created the API key,
   *   whose secret is shown only once.
   * @example
   * ```ts
   * const { id, secret } = await engram.webhooks.create({
   *   url: "https://hooks.example.com/engram",
   *   types: ["messages.appended"],
   * });
   * ```
   */
  create(body: CreateWebhookBody, options: WriteOptions = {}): Call<WebhookWithSecret> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/webhooks", { ...init, params: { header: idempotencyHeader(options) }, body }),
    );
  }

  /**
   * Returns all webhooks of the organization, at most 20, oldest first. Never returns secrets.
   *
   * Needs the scope `admin`.
   *
   * @example
   * ```ts
   * const { items } = await engram.webhooks.list();
   * for (const { id, url, enabled } of items) console.log(id, url, enabled);
   * ```
   */
  list(options: CallOptions = {}): Call<WebhookList> {
    return this.#http.call(options, (client, init) => client.GET("/v1/webhooks", { ...init }));
  }

  /**
   * Returns a webhook, without its secret.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * const { enabled, after } = await engram.webhooks.get(id);
   * ```
   */
  get(webhookId: string, options: CallOptions = {}): Call<Webhook> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/webhooks/{webhook_id}", { ...init, params: { path: { webhook_id: webhookId } } }),
    );
  }

  /**
   * Changes the fields that the body has. A failed event is tried again soon, and its schedule starts again;
   * `webhooks.resume` ends a pause. A webhook that is enabled again continues after its last event. Events older
   * than seven days are no longer in the log. A request that is being sent is not stopped.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * await engram.webhooks.update(id, { types: ["memory.created", "memory.deleted"] });
   * ```
   */
  update(webhookId: string, body: UpdateWebhookBody, options: CallOptions = {}): Call<Webhook> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/webhooks/{webhook_id}", {
        ...init,
        params: { path: { webhook_id: webhookId } },
        body,
      }),
    );
  }

  /**
   * Deletes a webhook. A request that has begun may still arrive.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * await engram.webhooks.delete(id);
   * ```
   */
  delete(webhookId: string, options: CallOptions = {}): Call<Webhook> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/webhooks/{webhook_id}", { ...init, params: { path: { webhook_id: webhookId } } }),
    );
  }

  /**
   * Gives the webhook a new secret, which is shown only in this response. For 24 hours, requests are signed with
   * both the new and the old secret. A second rotation in that time ends the signatures with the old one. The
   * webhook stays the same, so the request creates nothing and takes no idempotency key.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * const { secret } = await engram.webhooks.rotate(id);
   * ```
   */
  rotate(webhookId: string, options: CallOptions = {}): Call<WebhookWithSecret> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/webhooks/{webhook_id}/rotate", {
        ...init,
        params: { path: { webhook_id: webhookId } },
      }),
    );
  }

  /**
   * Sends one event of the type `webhook.test` to the URL, signed as every event is, and returns how the receiver
   * responded. It is not retried, does not change the webhook, and also works while the webhook is disabled or
   * paused. A webhook has at most 10 tests in a minute, which begins with the first of them; a further one gets
   * 429 with `Retry-After`, and sends nothing.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram", enabled: false });
   * const { attempt } = await engram.webhooks.test(id);
   * console.log(attempt.error ?? "delivered", attempt.status);
   * ```
   */
  test(webhookId: string, options: CallOptions = {}): Call<WebhookTest> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/webhooks/{webhook_id}/test", { ...init, params: { path: { webhook_id: webhookId } } }),
    );
  }

  /**
   * Tries the failed event again now, in the background, and starts its schedule again. Ends a pause, and the wait
   * for the next attempt. Later events follow in order. Changes nothing for a webhook without a failed event; a
   * disabled one continues once it is enabled.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { items } = await engram.webhooks.list();
   * for (const { id, paused_reason } of items) if (paused_reason !== null) await engram.webhooks.resume(id);
   * ```
   */
  resume(webhookId: string, options: CallOptions = {}): Call<Webhook> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/webhooks/{webhook_id}/resume", {
        ...init,
        params: { path: { webhook_id: webhookId } },
      }),
    );
  }

  /**
   * Returns events of which an attempt failed, newest event first, with their last attempts. An event that was
   * delivered at the first attempt is not listed: `after` of the webhook says up to where all were sent. A webhook
   * keeps 500 deliveries, as long as their events are in the log, which is at most seven days.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * for await (const { sequence, attempts } of engram.webhooks.listDeliveries(id, { status: "pending" }))
   *   console.log(sequence, attempts.at(-1)?.error);
   * ```
   */
  listDeliveries(
    webhookId: string,
    query: ListDeliveriesQuery = {},
    options: CallOptions = {},
  ): List<Delivery> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/webhooks/{webhook_id}/deliveries", {
          ...init,
          params: { path: { webhook_id: webhookId }, query: { ...query, cursor } },
        }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Gives up the event that a webhook fails to deliver, and continues with the next one now, also after a pause.
   * Use it for an event that the receiver can never process. If the event was delivered or skipped meanwhile,
   * nothing changes, and `status` says which. An event without a failed attempt, or behind another that was not
   * sent yet, is answered with 404. A request that is being sent is not stopped.
   *
   * Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found`: The item does not exist, was deleted, or is not accessible with this key.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * const [failing] = await engram.webhooks.listDeliveries(id, { status: "pending" }).toArray({ max: 1 });
   * if (failing !== undefined) await engram.webhooks.skipDelivery(id, failing.id);
   * ```
   */
  skipDelivery(webhookId: string, deliveryId: string, options: CallOptions = {}): Call<Delivery> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/skip", {
        ...init,
        params: { path: { webhook_id: webhookId, delivery_id: deliveryId } },
      }),
    );
  }
}

/** Who created, revoked or rotated keys, which clients got access, and who deleted or exported data. */
export class AuditEvents {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Lists audit events, newest first unless `order` says otherwise: who created, revoked or rotated keys, who
   * managed members, which clients got a grant, who changed webhooks or settings, who deleted, exported or
   * archived data, who set and lifted legal holds, who canceled the deletion of the organization, and when it was
   * moved. An event is written in the same transaction as its action. A request that is repeated with the same
   * idempotency key adds no second event. Events are deleted with the organization, except `organization.deleted`,
   * `organization.restored` and a `hold.lifted` of the deletion itself, which stay in the database, and by rules
   * of retention. Within some minutes, an event becomes part of a chain of hashes, so that a change to an earlier
   * event or a missing one shows: `engram audit verify` checks it. With a filter, a page may hold fewer items than
   * `limit`, or none, without being the last: one request reads at most 50,000 items to find matching ones.
   * Continue until `next_cursor` is null.
   *
   * Needs the scope `admin`.
   *
   * @example
   * ```ts
   * const latest = await engram.auditEvents.list().toArray({ max: 10 });
   * ```
   */
  list(query: ListAuditEventsQuery = {}, options: CallOptions = {}): List<AuditEvent, AuditEventPage> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/audit-events", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }
}

/** Whether the service is running and ready. */
export class Health {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Responds while the service is running, under any `Host`. Needs no key and does not read the database;
   * `health.ready` does.
   *
   * @example
   * ```ts
   * const { status } = await engram.health.get();
   * ```
   */
  get(options: CallOptions = {}): Call<HealthSchema> {
    return this.#http.call(options, (client, init) => client.GET("/health", { ...init }));
  }

  /**
   * Needs no API key, and responds under any `Host`. Reads the database once, and succeeds if the database has
   * every migration that this version requires. Does not check the embedding model or the vector store: without
   * them everything works except semantic search, and a `hybrid` search reports that in `degraded`.
   *
   * @example
   * ```ts
   * const { migration } = await engram.health.ready();
   * ```
   */
  ready(options: CallOptions = {}): Call<Readiness> {
    return this.#http.call(options, (client, init) => client.GET("/ready", { ...init }));
  }
}
