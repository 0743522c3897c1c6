import { createRoute, z } from "@hono/zod-openapi";
import {
  ActorId,
  Cursor,
  id,
  jsonAnswer,
  keyProblems,
  OperationId,
  PageLimit,
  pageFields,
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
  "grant.created",
  "grant.deleted",
  "member.created",
  "member.updated",
  "member.deleted",
  "member.sign_in_code.created",
  "message.deleted",
  "messages.replaced",
  "conversation.deleted",
  "conversations.deleted",
  "memory.deleted",
  "memories.deleted",
  "user.deleted",
  "tombstone.deleted",
  "hold.created",
  "hold.lifted",
  "items.expired",
  "retention.created",
  "retention.updated",
  "retention.deleted",
  "retention.applied",
  "data.exported",
  "archive.created",
  "archive.deleted",
  "archive_schedule.updated",
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
  "organization.move.started",
] as const;
export const AuditAction = z.enum(AUDIT_ACTIONS);
export type AuditAction = z.infer<typeof AuditAction>;

export const AuditEvent = z
  .strictObject({
    id: id("Id of an audit event.", "aud_06e3tqz8m1k4v9x2c7d0"),
    action: AuditAction.meta({
      description:
        "What was done. `organization.restored`: the deletion of the organization was canceled. `organization.move.started`: the operator has it moved between the shared database and one of its own; a move that is canceled afterwards has no further event. `messages.replaced` is recorded only if messages were deleted. Actions are added, but never renamed or removed.",
    }),
    key_id: ActorId.nullable().meta({
      description:
        "Id of the key that was used, or of the member who did it; null if the request was made with the admin token, or for what the service does by itself: `items.expired`, `retention.applied`, `webhook.paused`, an archive of the schedule, and the deletion of one that has expired.",
    }),
    client_id: z.string().nullable().meta({
      description:
        "OAuth id of the client that did it with a grant of the key. `grant.created`, `grant.deleted`: the client of the grant. Otherwise null.",
    }),
    client_name: z.string().nullable().meta({
      description: "Name of that client, as it calls itself. Nothing proves it. Null without a client.",
    }),
    target_id: z.string().meta({
      description:
        "Id of the affected key, grant, member, message, conversation, memory, tombstone, legal hold, rule of retention, archive, webhook or user. `messages.replaced`: the conversation. `delivery.skipped`: the webhook. `key.rotated`: the old key. `conversations.deleted` and `memories.deleted` (by filter), `items.expired`, `archive_schedule.updated`, `organization.updated`, `organization.deleted`, `organization.restored`, `organization.move.started`: the organization. `hold.lifted` by the deletion of the organization: the organization. `data.exported`: the user of an export with `user_id`, the archive whose lines were read, otherwise the organization.",
      examples: ["conv_06e3tqz8m1k4v9x2c7d0"],
    }),
    operation_id: OperationId.nullable().meta({
      description:
        "Id of the operation that tracks the deletion, the archive or the move; null if the action has none, as `retention.applied` for what is no conversation or memory. `organization.restored`: the operation of the deletion that was canceled. `tombstone.deleted`: that of the deletion which left the tombstone. `hold.lifted`: the deletion of the organization that overrode its holds, and null if a key lifted the hold.",
    }),
    request_id: RequestId.nullable().meta({
      description:
        "Id of the request that did it: the `x-request-id` of its response. Null for background work, and for actions before request ids were recorded.",
    }),
    created_at: timestamp("Time of the action."),
    number: z.int().min(1).nullable().meta({
      description:
        "Place in the chain of the organization's events, from 1 on without a gap. Null for an event of the last minutes, which is not in the chain yet.",
    }),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .meta({
        description:
          "SHA-256 of a JSON array of two elements, as `JSON.stringify` writes it: the `hash` of the event before in the chain (null for the first), and an array of `[name, value]` of all other fields of this event that are not null, sorted by name. So an event that was changed or removed shows in the hashes of all later ones. Null if `number` is.",
        examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
      }),
  })
  .openapi("AuditEvent");
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditStart = z.strictObject({
  number: z.int().min(1).meta({ description: "`number` of the last event that was deleted." }),
  hash: z.string().meta({ description: "`hash` of it, from which that of the next event goes on." }),
});
export type AuditStart = z.infer<typeof AuditStart>;

const AuditEventPage = z
  .strictObject({
    ...pageFields(AuditEvent),
    start: AuditStart.nullable().meta({
      description:
        "Where the chain begins, if a rule of retention has deleted its first events. Null if none is deleted.",
    }),
  })
  .meta({ description: "One page of a list." })
  .openapi("AuditEventPage");

export const listAuditEvents = createRoute({
  operationId: "listAuditEvents",
  ...sdkExample(`
    const latest = await engram.auditEvents.list().toArray({ max: 10 });
  `),
  method: "get",
  path: "/v1/audit-events",
  tags: ["Audit events"],
  summary: "List audit events",
  description: `Returns a page of audit events, newest first unless \`order\` says otherwise: who created, revoked or rotated keys, who managed members, which clients got a grant, who changed webhooks or settings, who deleted, exported or archived data, who set and lifted legal holds, who canceled the deletion of the organization, and when it was moved. An event is written in the same transaction as its action. A request that is repeated with the same idempotency key adds no second event. Events are deleted with the organization, except \`organization.deleted\`, \`organization.restored\` and a \`hold.lifted\` of the deletion itself, which stay in the database, and by rules of retention. Within some minutes, an event becomes part of a chain of hashes, so that a change to an earlier event or a missing one shows: \`engram audit verify\` checks it. ${ROW_SCAN_BOUNDS}`,
  security: requires("admin"),
  request: {
    query: z.strictObject({
      action: AuditAction.optional().openapi({ description: "Only events of this action." }),
      request_id: RequestId.optional().meta({ description: "Only events of this request." }),
      order: z.enum(["asc", "desc"]).default("desc").meta({ description: "Sort order, by time." }),
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of audit events.", AuditEventPage),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});
