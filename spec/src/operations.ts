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

const OperationStatus = z.enum(["running", "succeeded", "canceled", "failed"]);
export type OperationStatus = z.infer<typeof OperationStatus>;

/** Codes of the problem of a failed operation. Add, never rename. */
const OPERATION_PROBLEM_CODES = ["attempts_exhausted"] as const;

/** Why an operation failed. */
const OperationProblem = z.strictObject({
  code: z.enum(OPERATION_PROBLEM_CODES).meta({
    description: "Error code, for programs. `attempts_exhausted`: every attempt failed, up to the last one.",
  }),
  title: z
    .string()
    .meta({ description: "Short name of the error, the same for every occurrence of the code." }),
  detail: z.string().meta({ description: "What failed and what to do next, for people. Safe to display." }),
});
export type OperationProblem = z.infer<typeof OperationProblem>;

const common = {
  id: OperationId,
  status: OperationStatus.meta({
    description:
      "`running` until nothing is left to do, then `succeeded` or `failed`; `canceled` after a cancel. Only a repair can fail.",
  }),
  target_id: z.string().meta({
    description:
      "Id of the item that the operation works on; the id of the organization if it works on several.",
    examples: ["conv_06e3tqz8m1k4v9x2c7d0"],
  }),
  created_at: timestamp("Time of the request."),
  completed_at: timestamp("Time when nothing was left to do; null before.").nullable(),
};

const progress = (units: string, unknownTotal: string) =>
  z
    .strictObject({
      done: count(`Number of ${units} completed so far.`),
      total: count(`Number of ${units} to complete. Null ${unknownTotal}.`).nullable(),
    })
    .meta({ description: "How much of the work is complete." });

const receipt = {
  rows_deleted_at: timestamp("Time when rows and keyword index were purged; null before.").nullable(),
  vectors_deleted_at: timestamp(
    "Time when the vector store confirmed that the vectors are deleted; null before.",
  ).nullable(),
  recoverable_until: timestamp(
    "Time until which the point-in-time history of the database holds the deleted rows: 30 days after they were purged. Null before.",
  ).nullable(),
};

export const DeleteConversationOperation = z
  .strictObject({ type: z.literal("delete_conversation"), ...common, ...receipt })
  .meta({ description: "Receipt of the deletion of one conversation." })
  .openapi("DeleteConversationOperation");

export const DeleteMessageOperation = z
  .strictObject({ type: z.literal("delete_message"), ...common, ...receipt })
  .meta({ description: "Receipt of the deletion of one message." })
  .openapi("DeleteMessageOperation");

export const DeleteMemoryOperation = z
  .strictObject({ type: z.literal("delete_memory"), ...common, ...receipt })
  .meta({ description: "Receipt of the deletion of one memory." })
  .openapi("DeleteMemoryOperation");

const bulk = (items: string) => ({
  ...common,
  progress: progress(
    items,
    "until all that match are found, which takes several steps if not all fit into the first",
  ),
  soft_deleted: count(`Number of ${items} excluded from every response. They are purged afterwards.`),
  ...receipt,
});

export const DeleteConversationsOperation = z
  .strictObject({ type: z.literal("delete_conversations"), ...bulk("conversations") })
  .meta({ description: "Receipt of the deletion of conversations by filter." })
  .openapi("DeleteConversationsOperation");

export const DeleteMemoriesOperation = z
  .strictObject({ type: z.literal("delete_memories"), ...bulk("memories") })
  .meta({ description: "Receipt of the deletion of memories by filter, or of all." })
  .openapi("DeleteMemoriesOperation");

export const DeleteOrganizationOperation = z
  .strictObject({
    type: z.literal("delete_organization"),
    ...common,
    progress: progress("conversations and memories", "if they were not counted at the request"),
    purged: count(
      "Number of conversations and memories purged. After a cancel: of those that were not restored, which are still purged.",
    ),
    restored: count("Number of conversations and memories that a cancel restored; null before.").nullable(),
    ...receipt,
  })
  .meta({ description: "Receipt of the deletion of an organization." })
  .openapi("DeleteOrganizationOperation");

export const RepairIndexOperation = z
  .strictObject({
    type: z.literal("repair_index"),
    ...common,
    progress: progress("conversations and memories", "until everything is queued"),
    reindexed: count("Number of conversations and memories that were indexed again completely."),
    failed: count(
      "Number of conversations and memories of which a part could not be indexed in 10 attempts. Keyword search still finds them.",
    ),
    problem: OperationProblem.nullable().meta({
      description: "Why the repair failed; null unless `status` is `failed`.",
    }),
  })
  .meta({ description: "A repair of the search index." })
  .openapi("RepairIndexOperation");

export const EnrichMemoriesOperation = z
  .strictObject({
    type: z.literal("enrich_memories"),
    ...common,
    progress: progress("memories", "until everything is queued"),
    enriched: count(
      "Number of memories that the text model has enriched. `progress.done` also counts those for which it gave no usable answer.",
    ),
  })
  .meta({ description: "An enrichment of memories with tags and summaries." })
  .openapi("EnrichMemoriesOperation");

export const ImportOperation = z
  .strictObject({
    type: z.literal("import"),
    ...common,
    progress: progress("lines", "if the number of lines was not given"),
    lines_processed: count(
      "Number of lines processed, whether stored or rejected. To resume the import, send the lines after these.",
    ),
  })
  .meta({ description: "An import in several requests." })
  .openapi("ImportOperation");

export const Operation = z
  .discriminatedUnion("type", [
    DeleteConversationOperation,
    DeleteConversationsOperation,
    DeleteMessageOperation,
    DeleteMemoryOperation,
    DeleteMemoriesOperation,
    DeleteOrganizationOperation,
    RepairIndexOperation,
    EnrichMemoriesOperation,
    ImportOperation,
  ])
  .meta({
    description:
      "Work that continues after the response. The fields depend on `type`. The operation of a deletion is its receipt.",
  })
  .openapi("Operation");
export type Operation = z.infer<typeof Operation>;
/** The operation of one type. */
export type OperationOf<Type extends OperationType> = { [One in Operation as One["type"]]: One }[Type];

export const listOperations = createRoute({
  operationId: "listOperations",
  method: "get",
  path: "/v1/operations",
  tags: ["Operations"],
  summary: "List operations",
  description:
    "Returns a page of operations, newest first. A key that is bound to an agent gets only those of its agent.",
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
  description:
    "Returns an operation with its progress, and for a failed one the problem. For a deletion, it reports when each part was purged.",
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
    "Cancels what is left of a `delete_conversations`, `delete_memories`, `repair_index`, `enrich_memories` or `import`: no further step begins. What was deleted stays deleted and is still purged; what was imported stays. With the admin token, it cancels operations of any organization, and also a `delete_organization` until the organization's last row is purged. Everything that is not purged yet is then restored at once, with the keys that the deletion revoked. Canceling again returns the same operation.",
  security: [...requires("write"), ...requiresAdminToken],
  request: { params },
  responses: {
    200: jsonAnswer("The operation, canceled.", Operation),
    ...problems("not_found", "not_cancelable", ...keyProblems),
  },
});
