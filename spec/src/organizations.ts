import { createRoute, z } from "@hono/zod-openapi";
import {
  bodyProblems,
  count,
  IdempotencyHeaders,
  jsonAnswer,
  jsonBody,
  keyProblems,
  OrganizationId,
  requires,
  requiresAdminToken,
  shortText,
  timestamp,
} from "./common.ts";
import { ApiKeyWithSecret } from "./keys.ts";
import { DeleteOrganizationOperation } from "./operations.ts";
import { problems } from "./problem.ts";

const OrganizationName = shortText("Display name of the organization.", "Acme support");

export const Organization = z
  .strictObject({
    id: OrganizationId,
    name: OrganizationName,
    conversation_count: count("Number of conversations, not counting memories."),
    message_count: count("Number of messages in these conversations."),
    created_at: timestamp("Time of creation."),
    deleted_at: timestamp(
      "Time of the deletion, after which its rows are purged; null if it is not deleted.",
    ).nullable(),
  })
  .meta({ description: "A tenant: the owner of keys, conversations and memories." })
  .openapi("Organization");
export type Organization = z.infer<typeof Organization>;

export const CreateOrganizationBody = z
  .strictObject({ name: OrganizationName })
  .openapi("CreateOrganizationBody");

export const createOrganization = createRoute({
  operationId: "createOrganization",
  method: "post",
  path: "/v1/organizations",
  tags: ["Organizations"],
  summary: "Create an organization",
  description:
    "Creates an organization and its first key, which has every scope. Requires the admin token; if none is configured, the request fails with 404. The secret of the key is shown only in this response, so a repeat with the same idempotency key fails with 409, which names the id of the organization.",
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
      "not_found",
      "secret_already_shown",
      "idempotency_mismatch",
      "internal",
      "unavailable",
    ),
  },
});

const params = z.object({ organization_id: OrganizationId });

export const getOrganization = createRoute({
  operationId: "getOrganization",
  method: "get",
  path: "/v1/organizations/{organization_id}",
  tags: ["Organizations"],
  summary: "Get an organization",
  description:
    "Returns the organization of the key, or any organization with the admin token. A deleted organization is returned only with the admin token, until its last row is purged.",
  security: [...requires("read"), ...requiresAdminToken],
  request: { params },
  responses: {
    200: jsonAnswer("The organization.", Organization),
    ...problems("not_found", ...keyProblems),
  },
});

export const deleteOrganization = createRoute({
  operationId: "deleteOrganization",
  method: "delete",
  path: "/v1/organizations/{organization_id}",
  tags: ["Organizations"],
  summary: "Delete an organization",
  description:
    "Deletes an organization: its keys are revoked and its data is excluded from every response at once. Rows, keyword index and vectors are then purged in steps. Requires the admin token, or a key of the organization with the scope `admin`. The purge begins within a minute, or later if others are waiting, and purges 1,000 conversations or memories per step. With the admin token, `cancelOperation` can restore what is not purged yet. What is purged cannot be restored.",
  security: [...requires("admin"), ...requiresAdminToken],
  request: { params },
  responses: {
    202: jsonAnswer(
      "The operation of the deletion. Get it again with `getOperation` to see when rows and vectors are purged.",
      DeleteOrganizationOperation,
    ),
    ...problems("not_found", ...keyProblems),
  },
});
