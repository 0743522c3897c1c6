import { createRoute, z } from "@hono/zod-openapi";
import {
  Cursor,
  IncludeTotal,
  id,
  jsonAnswer,
  KeyId,
  keyProblems,
  OperationId,
  PageLimit,
  page,
  requires,
  timestamp,
} from "./common.ts";
import { problems } from "./problem.ts";

/** Add, never rename. */
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
  "data.exported",
  "organization.deleted",
  "organization.restored",
] as const;
export const AuditAction = z.enum(AUDIT_ACTIONS);
export type AuditAction = z.infer<typeof AuditAction>;

export const AuditEvent = z
  .strictObject({
    id: id("Id of an audit event.", "evt_06e3tqz8m1k4v9x2c7d0"),
    action: AuditAction.meta({
      description:
        "What was done. `organization.restored` is the organization's deletion called off. `messages.replaced` stands here when messages were deleted by it. The list only grows.",
    }),
    key_id: KeyId.nullable().meta({ description: "The key that it was done with; null for the operator." }),
    target_id: z.string().meta({
      description:
        "The key, message, conversation or memory that it was done to; of `messages.replaced` the conversation, of `key.rotated` the old key, of `conversations.deleted` and `memories.deleted`, which are by a filter, `data.exported`, `organization.deleted` and `organization.restored` the organization.",
      examples: ["conv_06e3tqz8m1k4v9x2c7d0"],
    }),
    operation_id: OperationId.nullable().meta({
      description:
        "The deletion's receipt, where there is one; of `organization.restored` that of the deletion that was called off.",
    }),
    created_at: timestamp("When it was done."),
  })
  .openapi("AuditEvent");
export type AuditEvent = z.infer<typeof AuditEvent>;

export const listAuditEvents = createRoute({
  operationId: "listAuditEvents",
  method: "get",
  path: "/v1/audit-events",
  tags: ["Audit events"],
  summary: "List audit events",
  description:
    "Lists who created, revoked or rotated keys and who deleted or exported what or called an organization's deletion off, newest first. An event is written in the same transaction as what it tells of, once however often a request is repeated, and goes when the organization is deleted, but for `organization.deleted` and `organization.restored`, which stay in the database.",
  security: requires("admin"),
  request: {
    query: z.strictObject({
      action: AuditAction.optional().openapi({ description: "Only events of this action." }),
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
      include_total: IncludeTotal.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of audit events.", page(AuditEvent, "AuditEventPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});
