import { createRoute, z } from "@hono/zod-openapi";
import {
  Cursor,
  count,
  IncludeTotal,
  jsonAnswer,
  keyProblems,
  OperationId,
  PageLimit,
  page,
  requires,
  requiresAdminToken,
  timestamp,
} from "./common.ts";
import { problems } from "./problem.ts";

/** Kinds of work that continue after the response. Add, never rename. */
export const OPERATION_TYPES = [
  "delete_organization",
  "delete_conversation",
  "delete_conversations",
  "delete_message",
  "delete_memory",
  "delete_memories",
  "enrich_memories",
  "repair_index",
  "import",
] as const;
const OperationType = z.enum(OPERATION_TYPES);
export type OperationType = z.infer<typeof OperationType>;

const OperationStatus = z.enum(["running", "succeeded", "canceled"]);
export type OperationStatus = z.infer<typeof OperationStatus>;

export const Operation = z
  .strictObject({
    id: OperationId,
    type: OperationType.meta({ description: "What is being done." }),
    status: OperationStatus.meta({
      description: "`succeeded` once nothing is left to do, `canceled` once called off.",
    }),
    target_id: z.string().meta({
      description: "What it is done to; the organization when it is many.",
      examples: ["conv_06e3tqz8m1k4v9x2c7d0"],
    }),
    progress: z
      .strictObject({
        done: count(
          "What is done: conversations or memories, of a deletion by filter hidden from every answer, of an organization's deletion purged, or not brought back once it was called off, of a repair indexed anew, of an enrichment described. Of an import lines that were stored or refused: it goes on behind these.",
        ),
        total: count(
          "How many there were to do when it was asked for; null for an import that did not say how many lines it has, for a deletion by filter that has to read more than one step does, until it is done, and for a repair or an enrichment until all is queued.",
        ).nullable(),
      })
      .optional()
      .meta({ description: "How far it is; only of work on many." }),
    created_at: timestamp("When it was asked for."),
    completed_at: timestamp("When nothing was left to do.").nullable(),
    rows_deleted_at: timestamp("When rows and keyword index were gone.").nullable(),
    vectors_deleted_at: timestamp("When the vector store confirmed that the vectors are gone.").nullable(),
    recoverable_until: timestamp(
      "When the database's point-in-time history forgets it too: 30 days after the rows were deleted.",
    ).nullable(),
  })
  .meta({ description: "Work that goes on after its answer. Of a deletion it is the receipt." })
  .openapi("Operation");
export type Operation = z.infer<typeof Operation>;

export const listOperations = createRoute({
  operationId: "listOperations",
  method: "get",
  path: "/v1/operations",
  tags: ["Operations"],
  summary: "List operations",
  description: "Lists operations, newest first. A key that is bound to an agent sees those of its agent.",
  security: requires("read"),
  request: {
    query: z.strictObject({
      type: OperationType.optional().openapi({ description: "Only operations of this type." }),
      status: OperationStatus.optional().openapi({ description: "Only operations of this status." }),
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
      include_total: IncludeTotal.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of operations.", page(Operation, "OperationPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

const params = z.object({ operation_id: OperationId });

export const getOperation = createRoute({
  operationId: "getOperation",
  method: "get",
  path: "/v1/operations/{operation_id}",
  tags: ["Operations"],
  summary: "Get an operation",
  description: "Tells how far an operation is; of a deletion, when each part was gone.",
  security: [...requires("read"), ...requiresAdminToken],
  request: { params },
  responses: { 200: jsonAnswer("The operation.", Operation), ...problems("not_found", ...keyProblems) },
});

export const cancelOperation = createRoute({
  operationId: "cancelOperation",
  method: "post",
  path: "/v1/operations/{operation_id}/cancel",
  tags: ["Operations"],
  summary: "Cancel an operation",
  description:
    "Calls off what is left of a `delete_conversations`, `delete_memories`, `repair_index`, `enrich_memories` or `import`: nothing further is begun. What was deleted stays deleted, and is purged to the end; what was imported stays. With the admin token those of any organization, and also a `delete_organization`, until the organization's last row is gone: what the purge has not come to is back at once, with the keys that the deletion took away. Canceling twice answers alike.",
  security: [...requires("write"), ...requiresAdminToken],
  request: { params },
  responses: {
    200: jsonAnswer("The operation, canceled.", Operation),
    ...problems("not_found", "not_cancelable", ...keyProblems),
  },
});
