import { createRoute, z } from "@hono/zod-openapi";
import {
  bodyProblems,
  booleanQuery,
  Cursor,
  count,
  IdempotencyHeaders,
  jsonAnswer,
  jsonBody,
  keyProblems,
  OrganizationId,
  PageLimit,
  page,
  requires,
  requiresAdminToken,
  sdkExample,
  sdkMethod,
  shortText,
  timestamp,
  writeProblems,
} from "./common.ts";
import { ApiKeyWithSecret } from "./keys.ts";
import { WORK_COUNTED_MAX } from "./limits.ts";
import { DeleteOrganizationOperation, MoveOrganizationOperation } from "./operations.ts";
import { Place } from "./places.ts";
import { problems } from "./problem.ts";

const OrganizationName = shortText("Display name of the organization.", "Acme support");

/** Stored in databases and used by clients: add values, never rename one. */
export const OnSourceDeleted = z
  .enum(["keep", "flag", "delete"])
  .meta({
    description:
      "What happens to a memory when a message that it cites is deleted or its content is edited, in the same transaction. Each source of the memory has the new `state` in any case, and no longer has text that the message lost. `keep`: nothing else. `flag`: the version number of the memory and its `updated_at` change, and the event `memory.updated` is recorded; `listMemoryVersions` gets no item, because the content is the same. `delete`: the memory is deleted, with the event `memory.deleted`; after an edit only if the message no longer has the cited text, or was cited as a whole, and otherwise it is flagged. A memory under legal hold is flagged instead of deleted, and keeps its quotations until the hold is lifted. Default `flag`.",
    examples: ["flag"],
  })
  .openapi("OnSourceDeleted");
export type OnSourceDeleted = z.infer<typeof OnSourceDeleted>;

/** Stored in databases and used by clients: add values, never rename one. */
export const Jurisdiction = z
  .enum(["eu", "fedramp"])
  .meta({
    description:
      "Jurisdiction in which the cell of the organization, and the object that sends its events, run and store data, as Cloudflare guarantees. `eu`: the European Union. `fedramp`: data centers that comply with FedRAMP.",
    examples: ["eu"],
  })
  .openapi("Jurisdiction");
export type Jurisdiction = z.infer<typeof Jurisdiction>;

/** Stored in databases and used by clients: add values, never rename one. */
export const LocationHint = z
  .enum(["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"])
  .meta({
    description:
      "Region near which the cell of the organization was to be created: a hint to Cloudflare, and no guarantee. Western and eastern North America, South America, western and eastern Europe, Asia-Pacific, Oceania, Africa, the Middle East.",
    examples: ["weur"],
  })
  .openapi("LocationHint");
export type LocationHint = z.infer<typeof LocationHint>;

export const Organization = z
  .strictObject({
    id: OrganizationId,
    name: OrganizationName,
    on_source_deleted: OnSourceDeleted,
    place: Place,
    jurisdiction: Jurisdiction.nullable(),
    location: LocationHint.nullable(),
    conversation_count: count("Number of conversations, not counting memories."),
    message_count: count("Number of messages in these conversations."),
    created_at: timestamp("Time when the organization was created."),
    deleted_at: timestamp(
      "Time when the organization was deleted; null if it is not deleted. Its data is removed for good afterwards.",
    ).nullable(),
  })
  .meta({ description: "A tenant: the owner of keys, conversations and memories." })
  .openapi("Organization");
export type Organization = z.infer<typeof Organization>;

export const CreateOrganizationBody = z
  .strictObject({
    name: OrganizationName,
    place: Place.optional().describe(
      "Where the data of the organization is: in the shared database, or in one of its own. Default: what the deployment has set, `d1` unless it has set another. A deployment without cells refuses `cell`.",
    ),
    jurisdiction: Jurisdiction.optional().describe(
      'Jurisdiction in which the cell of the organization runs and stores data. It cannot be changed. The organization is then in a cell, whatever the default is; `place: "d1"` and `location` are refused with it. A deployment whose runtime has no jurisdictions refuses it. Default: none.',
    ),
    location: LocationHint.optional().describe(
      'Region near which the cell of the organization is created, if Cloudflare can. The organization is then in a cell, whatever the default is; `place: "d1"` and `jurisdiction` are refused with it. Default: near the request that creates the organization.',
    ),
  })
  .openapi("CreateOrganizationBody", { example: { name: "Acme support" } });

export const createOrganization = createRoute({
  operationId: "createOrganization",
  ...sdkExample(`
    const operator = new Engram({ apiKey: adminToken, baseUrl });
    const { organization, key } = await operator.organizations.create({ name: "Acme" });
    const first = new Engram({ apiKey: key.secret, baseUrl });
    console.log(await first.organizations.get(organization.id));
  `),
  method: "post",
  path: "/v1/organizations",
  tags: ["Organizations"],
  summary: "Create an organization",
  description:
    "Creates an organization and its first key, which has every scope, in the shared database or in one of its own. Requires the admin token of the service; if the service has none, the request fails with 404. The secret of the key is shown only in this response. A repeat with the same idempotency key therefore fails with 409, whose `detail` names the id of the organization.",
  security: requiresAdminToken,
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateOrganizationBody) },
  responses: {
    201: jsonAnswer(
      "The organization and its first key.",
      z.strictObject({ organization: Organization, key: ApiKeyWithSecret }).openapi("CreatedOrganization"),
    ),
    ...problems(
      ...bodyProblems,
      "unauthenticated",
      "forbidden",
      "host_not_allowed",
      "not_found",
      "secret_already_shown",
      "idempotency_mismatch",
      "internal",
      "unavailable",
      "insufficient_storage",
    ),
  },
});

export const ListedOrganization = z
  .strictObject({
    ...Organization.shape,
    memory_count: count("Number of memories."),
    size_bytes: count(
      "Size of the cell of the organization in bytes, with its indexes, as its last sweep has reported it: after a write within some minutes, otherwise once a day. Null in the shared database, which does not count it by organization, and before the first report.",
    ).nullable(),
    last_active_on: z.iso
      .date()
      .nullable()
      .meta({
        description:
          "Last day, in UTC, that the usage of the organization has. It is counted about a minute after a request. Null if there is none.",
        examples: ["2026-11-02"],
      }),
  })
  .meta({ description: "An organization with its size and its last activity." })
  .openapi("ListedOrganization");
export type ListedOrganization = z.infer<typeof ListedOrganization>;

export const listOrganizations = createRoute({
  operationId: "listOrganizations",
  ...sdkExample(`
    const operator = new Engram({ apiKey: adminToken, baseUrl });
    const largest = operator.organizations.list({ sort: "message_count" });
    for await (const { name, message_count } of largest) console.log(name, message_count);
  `),
  method: "get",
  path: "/v1/organizations",
  tags: ["Organizations"],
  summary: "List organizations",
  description:
    "Returns a page of all organizations, newest first unless `sort` and `order` say otherwise, with where they are, their sizes and their last activity. An organization whose value of `sort` changes between two of your requests for pages may be skipped or repeated. All others are returned exactly once. A deleted organization is listed until its last database row is removed. A page that is sorted by anything but `created_at` reads the rows of all organizations, so it takes longer the more there are. Requires the admin token of the service; if the service has none, the request fails with 404.",
  security: requiresAdminToken,
  request: {
    query: z.strictObject({
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
      sort: z
        .enum(["created_at", "place", "size_bytes", "message_count", "last_active_on"])
        .default("created_at")
        .meta({
          description:
            "Field to sort by. Organizations with equal values are ordered by `created_at`, and null is less than any other value.",
        }),
      order: z.enum(["asc", "desc"]).default("desc").meta({ description: "Sort order." }),
    }),
  },
  responses: {
    200: jsonAnswer("A page of organizations.", page(ListedOrganization, "OrganizationPage")),
    ...problems(
      "validation_failed",
      "invalid_cursor",
      "unauthenticated",
      "forbidden",
      "host_not_allowed",
      "not_found",
      "internal",
      "unavailable",
    ),
  },
});

const params = z.object({ organization_id: OrganizationId });
const ownParams = z.object({
  organization_id: OrganizationId.meta({
    description: "Id of an organization, or `current` for the one that the key belongs to.",
  }),
});

export const getOrganization = createRoute({
  operationId: "getOrganization",
  ...sdkExample(`
    const { name, created_at } = await engram.organizations.get(organization.id);
  `),
  method: "get",
  path: "/v1/organizations/{organization_id}",
  tags: ["Organizations"],
  summary: "Get an organization",
  description:
    "Returns the organization that the key belongs to. With the admin token of the service, returns any organization, also a deleted one until its last database row is removed.",
  security: [...requires("read"), ...requiresAdminToken],
  request: {
    params: ownParams,
  },
  responses: {
    200: jsonAnswer("The organization.", Organization),
    ...problems("not_found", ...keyProblems),
  },
});

const waiting = (what: string) =>
  count(`Number of ${what}. Above ${WORK_COUNTED_MAX.toLocaleString("en-US")}, that number.`);

export const OrganizationWork = z
  .strictObject({
    index_jobs: waiting("ranges of messages, and memories, that wait to be embedded"),
    failed_index_jobs: waiting("of those that failed ten times, and are not tried again before a repair"),
    enrichment_jobs: waiting("memories that wait for tags and a summary"),
    summary_jobs: waiting("conversations that wait for summaries"),
    late_words: waiting("messages whose words the keyword index does not have yet"),
    deletions: waiting(
      "deleted conversations and memories whose rows are not removed yet, without those under a hold",
    ),
    vector_deletions: waiting("deleted vectors whose removal is not confirmed yet"),
    operations: waiting("operations that are not complete, apart from imports"),
    webhooks: waiting("webhooks that wait to repeat a delivery that failed"),
  })
  .meta({ description: "Work that is left for sweeps, the periodic runs in the background." })
  .openapi("OrganizationWork");
export type OrganizationWork = z.infer<typeof OrganizationWork>;

export const OrganizationHealth = z
  .strictObject({
    organization_id: OrganizationId,
    place: Place,
    reachable: z.boolean().meta({
      description:
        "Whether the database of the organization responded. If it did not, the fields below are what its cell has last reported, or null.",
      examples: [true],
    }),
    failure: z
      .enum(["timeout", "overloaded", "reset", "other"])
      .nullable()
      .meta({
        description:
          "Why it did not respond. `timeout`: not in time. `overloaded`: too many requests wait for it. `reset`: it was restarted, as deployments do; it responds again in a moment. `other`: an error, which the log has under the id of this request. Null if it responded.",
        examples: [null],
      }),
    migration: z
      .string()
      .nullable()
      .meta({
        description: "Newest migration of its database.",
        examples: ["0032_locations.sql"],
      }),
    size_bytes: count("Size of its cell in bytes. Null in the shared database.").nullable(),
    work: OrganizationWork.nullable(),
    oldest_due_at: timestamp(
      "Time at which the first of this work was or will be due. Long past, it says that sweeps do not keep up or fail. Null if no work is left.",
    ).nullable(),
    next_sweep_at: timestamp(
      "Time of the next sweep of its cell. Null while one runs, and in the shared database, which is swept each minute.",
    ).nullable(),
    last_sweep_at: timestamp(
      "Time of the last sweep of its cell that was reported. Null before the first one, and in the shared database.",
    ).nullable(),
  })
  .meta({ description: "What an operator needs to know of the database of an organization." })
  .openapi("OrganizationHealth");
export type OrganizationHealth = z.infer<typeof OrganizationHealth>;

export const getOrganizationHealth = createRoute({
  operationId: "getOrganizationHealth",
  ...sdkMethod({ method: "organizations.health" }),
  ...sdkExample(`
    const { reachable, work, oldest_due_at } = await operator.organizations.health(organization.id);
  `),
  method: "get",
  path: "/v1/organizations/{organization_id}/health",
  tags: ["Organizations"],
  summary: "Get the health of an organization",
  description:
    "Returns whether the database of an organization responds, its size, the work that is left for it, and its sweeps, also for one that is deleted and not removed yet. A cell that does not respond is reported, and is no error. Requires the admin token of the service; if the service has none, the request fails with 404.",
  security: requiresAdminToken,
  request: { params },
  responses: {
    200: jsonAnswer("The health of the organization.", OrganizationHealth),
    ...problems("unauthenticated", "forbidden", "host_not_allowed", "not_found", "internal", "unavailable"),
  },
});

export const updateOrganization = createRoute({
  operationId: "updateOrganization",
  ...sdkExample(`
    await engram.organizations.update("current", { on_source_deleted: "delete" });
  `),
  method: "patch",
  path: "/v1/organizations/{organization_id}",
  tags: ["Organizations"],
  summary: "Update the settings of an organization",
  description:
    "Changes the settings of the organization that the key belongs to. They hold from the next request on; nothing that was deleted or flagged before changes. The change is recorded as an audit event.",
  security: requires("admin"),
  request: {
    params: ownParams,
    body: jsonBody(
      z
        .strictObject({ on_source_deleted: OnSourceDeleted })
        .openapi("UpdateOrganizationBody", { example: { on_source_deleted: "delete" } }),
    ),
  },
  responses: {
    200: jsonAnswer("The organization.", Organization),
    ...problems(...bodyProblems, "not_found", ...writeProblems),
  },
});

export const deleteOrganization = createRoute({
  operationId: "deleteOrganization",
  ...sdkExample(`
    const receipt = await operator.organizations.delete(organization.id);
    console.log(receipt.status); // "running"
  `),
  method: "delete",
  path: "/v1/organizations/{organization_id}",
  tags: ["Organizations"],
  summary: "Delete an organization",
  description:
    "Deletes an organization: its keys are revoked and its data is excluded from every response at once. Requires the admin token of the service, or a key of the organization with the scope `admin`. Rows, keyword index entries and vectors are then removed for good in the background, in steps of 1,000 conversations or memories. The first step begins within a minute, or later if other deletions are waiting. With the admin token, `cancelOperation` can restore everything whose removal has not begun. Other data cannot be restored. While a legal hold is active, the request fails with 409 `held`, unless the holder of the admin token sends `force`.",
  security: [...requires("admin"), ...requiresAdminToken],
  request: {
    params,
    query: z.strictObject({
      force: booleanQuery(
        "Whether to delete the organization although it has active legal holds, which are then lifted. Only with the admin token; a key gets 403. It is recorded as an audit event, and the operation names the holds. Default `false`.",
      ).optional(),
    }),
  },
  responses: {
    202: jsonAnswer(
      "The operation that tracks the deletion. Get it again with `getOperation` to see when rows and vectors are removed.",
      DeleteOrganizationOperation,
    ),
    ...problems("validation_failed", "not_found", "held", ...writeProblems),
  },
});

export const moveOrganization = createRoute({
  operationId: "moveOrganization",
  ...sdkMethod({ repeatable: true }),
  ...sdkExample(`
    const move = await operator.organizations.move(organization.id, { place: "cell" });
    console.log(move.progress.done, move.moved_at);
  `),
  method: "post",
  path: "/v1/organizations/{organization_id}/move",
  tags: ["Organizations"],
  summary: "Move an organization",
  description:
    "Moves an organization from the shared database to one of its own, or back. Requires the admin token of the service. The organization can be used meanwhile. Its rows are copied first, which takes at least a minute. Then writes wait for up to two seconds; those that wait longer fail with 503 and can be sent again. All ids, times and events stay as they are. Old rows are removed a minute after the move. `cancelOperation` cancels the move until the organization has moved. If it moves to the same place already, returns that operation. An organization with an active legal hold is not moved: the request fails with 409 `held`, and a hold that is created during the move cancels it.",
  security: requiresAdminToken,
  request: {
    params,
    body: jsonBody(
      z
        .strictObject({ place: Place.describe("Where the organization is to be.") })
        .openapi("MoveOrganizationBody", { example: { place: "cell" } }),
    ),
  },
  responses: {
    202: jsonAnswer(
      "The operation that tracks the move. Get it again with `getOperation`, with the admin token.",
      MoveOrganizationOperation,
    ),
    ...problems(
      ...bodyProblems,
      "unauthenticated",
      "forbidden",
      "host_not_allowed",
      "not_found",
      "held",
      "organization_moving",
      "internal",
      "unavailable",
      "insufficient_storage",
    ),
  },
});
