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
import { Operation } from "./operations.ts";
import { problems } from "./problem.ts";

const OrganizationName = shortText("What people call it.", "Acme support");

export const Organization = z
  .strictObject({
    id: OrganizationId,
    name: OrganizationName,
    conversation_count: count("Conversations it holds; memories are none."),
    message_count: count("Messages it holds, in these conversations."),
    created_at: timestamp("When it was created."),
    deleted_at: timestamp("When it was deleted; its rows are being purged.").nullable(),
  })
  .meta({ description: "What keys, conversations and memories belong to." })
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
    "Creates an organization and its first key, which holds every scope. For the operator: it takes the admin token, and where none is configured it answers 404. The key's secret is shown in this answer only, so a repeat under the same idempotency key answers 409 with the ids.",
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
    "Answers the key's own organization, or any for the admin token. A deleted one answers to the admin token until its last row is purged.",
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
    "Takes away every key at once and hides all data; rows, keyword index and vectors are then purged in steps. For the admin token, or a key of the organization with the scope `admin`. The purge begins within a minute, behind others' later, and takes 1,000 conversations or memories at a step; what it has not come to, the operator can bring back with `cancelOperation`. The rest cannot be undone.",
  security: [...requires("admin"), ...requiresAdminToken],
  request: { params },
  responses: {
    202: jsonAnswer("The receipt, filled in as the purge goes on.", Operation),
    ...problems("not_found", ...keyProblems),
  },
});
