import { createRoute, z } from "@hono/zod-openapi";
import {
  Cursor,
  id,
  jsonAnswer,
  KeyId,
  keyProblems,
  OperationId,
  PageLimit,
  page,
  ROW_SCAN_BOUNDS,
  requires,
  sdkExample,
  timestamp,
} from "./common.ts";
import { problems, RequestId } from "./problem.ts";

/** Stored in databases and used by clients: add actions, never rename one. */
export const AUDIT_ACTIONS = [
  "key.created",
  "key.revoked",
  "key.rotated",
  "message.deleted",
  "messages.replaced",
  "conversation.deleted",
  "conversations.deleted",
  "memory.deleted",
  "memories.deleted",
  "user.deleted",
  "tombstone.deleted",
  "data.exported",
  "webhook.created",
  "webhook.updated",
  "webhook.rotated",
  "webhook.paused",
  "webhook.resumed",
  "webhook.deleted",
  "delivery.skipped",
  "organization.updated",
  "organization.deleted",
  "organization.restored",
] as const;
export const AuditAction = z.enum(AUDIT_ACTIONS);
export type AuditAction = z.infer<typeof AuditAction>;

export const AuditEvent = z
  .strictObject({
    id: id("Id of an audit event.", "aud_06e3tqz8m1k4v9x2c7d0"),
    action: AuditAction.meta({
      description:
        "What was done. `organization.restored`: the deletion of the organization was canceled. `messages.replaced` is recorded only if messages were deleted. Actions are added, but never renamed or removed.",
    }),
    key_id: KeyId.nullable().meta({
      description:
        "Id of the key that was used; null if the request was made with the admin token, or for `webhook.paused`, which the service does by itself.",
    }),
    target_id: z.string().meta({
      description:
        "Id of the affected key, message, conversation, memory, tombstone, webhook or user. `messages.replaced`: the conversation. `delivery.skipped`: the webhook. `key.rotated`: the old key. `conversations.deleted` and `memories.deleted` (by filter), `organization.updated`, `organization.deleted`, `organization.restored`: the organization. `data.exported`: the user of an export with `user_id`, otherwise the organization.",
      examples: ["conv_06e3tqz8m1k4v9x2c7d0"],
    }),
    operation_id: OperationId.nullable().meta({
      description:
        "Id of the operation that tracks the deletion; null if the action has none. `organization.restored`: the operation of the deletion that was canceled. `tombstone.deleted`: that of the deletion which left the tombstone.",
    }),
    request_id: RequestId.nullable().meta({
      description:
        "Id of the request that did it: the `x-request-id` of its response. Null for background work, and for actions before request ids were recorded.",
    }),
    created_at: timestamp("Time of the action."),
  })
  .openapi("AuditEvent");
export type AuditEvent = z.infer<typeof AuditEvent>;

export const listAuditEvents = createRoute({
  operationId: "listAuditEvents",
  ...sdkExample(`
    const latest = await engram.auditEvents.list().toArray({ max: 10 });
  `),
  method: "get",
  path: "/v1/audit-events",
  tags: ["Audit events"],
  summary: "List audit events",
  description: `Returns a page of audit events, newest first: who created, revoked or rotated keys, who changed webhooks or settings, who deleted or exported data, and who canceled the deletion of the organization. An event is written in the same transaction as its action. A request that is repeated with the same idempotency key adds no second event. Events are deleted with the organization, except \`organization.deleted\` and \`organization.restored\`, which stay in the database. ${ROW_SCAN_BOUNDS}`,
  security: requires("admin"),
  request: {
    query: z.strictObject({
      action: AuditAction.optional().openapi({ description: "Only events of this action." }),
      request_id: RequestId.optional().meta({ description: "Only events of this request." }),
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of audit events.", page(AuditEvent, "AuditEventPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});
