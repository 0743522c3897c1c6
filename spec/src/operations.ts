import { createRoute, z } from "@hono/zod-openapi";
import {
  Cursor,
  count,
  id,
  jsonAnswer,
  keyProblems,
  OperationId,
  PageLimit,
  page,
  ROW_SCAN_BOUNDS,
  requires,
  requiresAdminToken,
  sdkExample,
  sdkMethod,
  timestamp,
  writeProblems,
} from "./common.ts";
import { HOLDS_MAX, RECEIPT_ARCHIVES_MAX } from "./limits.ts";
import { Place } from "./places.ts";
import { problems } from "./problem.ts";

/** Stored in databases and used by clients: add types, never rename one. */
export const OPERATION_TYPES = [
  "delete_organization",
  "move_organization",
  "delete_conversation",
  "delete_conversations",
  "delete_message",
  "delete_memory",
  "delete_memories",
  "delete_user",
  "enrich_memories",
  "repair_index",
  "create_archive",
  "import",
] as const;
const OperationType = z.enum(OPERATION_TYPES);
export type OperationType = z.infer<typeof OperationType>;

const OperationStatus = z.enum(["running", "succeeded", "canceled", "failed"]);
export type OperationStatus = z.infer<typeof OperationStatus>;

/** Error codes of failed operations. Stored in databases and used by clients: add codes, never rename one. */
const OPERATION_PROBLEM_CODES = ["attempts_exhausted"] as const;

const OperationProblem = z.strictObject({
  code: z.enum(OPERATION_PROBLEM_CODES).meta({
    description:
      "Error code, for programs. `attempts_exhausted`: the work failed as often as the service tries it.",
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
      "`running` while work is left to do, then `succeeded` or `failed`; `canceled` after `cancelOperation`, or, for an import, if it is not complete after 7 days, or, for a move, if the organization was deleted or got a legal hold before it had moved. Only an operation of the type `repair_index` can fail.",
  }),
  target_id: z.string().meta({
    description:
      "Id of the item that the operation works on, such as the deleted conversation or the user. If it works on several items otherwise, the id of the organization.",
    examples: ["conv_06e3tqz8m1k4v9x2c7d0"],
  }),
  created_at: timestamp("Time of the request that started the operation."),
  completed_at: timestamp("Time when no work was left to do; null until then.").nullable(),
};

const progress = (units: string, unknownTotal: string) =>
  z
    .strictObject({
      done: count(`Number of ${units} completed so far.`),
      total: count(`Number of ${units} to complete. Null ${unknownTotal}.`).nullable(),
    })
    .meta({ description: "How much of the work is complete." });

/** Field of every deletion: the copies that it does not reach. */
const archived = {
  archives: z
    .array(
      z.strictObject({
        id: z.string().meta({
          description: "Id of the archive.",
          examples: ["arc_06e3tqz8m1k4v9x2c7d0"],
        }),
        expires_at: timestamp("Time from which the archive is deleted; null if it is kept.").nullable(),
      }),
    )
    .max(RECEIPT_ARCHIVES_MAX)
    .meta({
      description: `Archives that may still have what was deleted: they were begun before the last row was removed, and their objects exist. Empty once none does. Those that are kept longest come first, and at most ${RECEIPT_ARCHIVES_MAX} are named: \`archive_count\` is the number of all.`,
    }),
  archive_count: count(
    "Number of archives that may still have what was deleted, also of those that `archives` does not name.",
  ),
};

/** Fields of every deletion, which report when each copy of the data was removed. */
const receipt = {
  rows_deleted_at: timestamp(
    "Time when the last database row and keyword index entry was removed for good; null until then.",
  ).nullable(),
  vectors_deleted_at: timestamp(
    "Time when the vector store confirmed that the vectors are deleted; null until then.",
  ).nullable(),
  recoverable_until: timestamp(
    "Time until which the history of the database, from which it can be restored to an earlier point in time, still holds the deleted rows: 30 days after `rows_deleted_at`. Null until the rows are removed.",
  ).nullable(),
  ...archived,
};

/** Fields of deletions that may include memories. */
const memoryReceipt = {
  ...receipt,
  memory_versions_deleted: count("Number of earlier versions of memories that were removed for good so far."),
};

/** Fields of a deletion of messages, which memories may cite. */
const citing = {
  memories_flagged: count(
    "Number of memories that cite a deleted message and got a new version, because the organization's `on_source_deleted` is `flag`.",
  ),
  memories_deleted: count(
    "Number of memories that cite a deleted message and were deleted with it, because the organization's `on_source_deleted` is `delete`. Their rows and vectors are removed like those of any deleted memory. The times of this operation do not cover them.",
  ),
};

const HoldIds = z.array(id("Id of a legal hold.", "hold_06e3tqz8m1k4v9x2c7d0"));

/** Fields of a deletion by a filter, which skips what is under legal hold. */
const held = {
  held: count(
    "Number of matching items that it found under legal hold and did not delete. `delete_user`: 0 again once it continues after a hold was lifted. What came under a hold after it was deleted does not count: the deletion is `running` until it can be removed for good.",
  ),
  hold_ids: HoldIds.meta({ description: "Ids of the legal holds that held these items." }),
};

/** Field of a deletion that may include messages. */
const summarized = {
  summaries_deleted: count("Number of summaries over deleted messages that were removed for good so far."),
};

export const DeleteConversationOperation = z
  .strictObject({ type: z.literal("delete_conversation"), ...common, ...citing, ...summarized, ...receipt })
  .meta({
    description:
      "Deletion of one conversation. It reports when the rows and vectors of the conversation are removed for good.",
  })
  .openapi("DeleteConversationOperation");

export const DeleteMessageOperation = z
  .strictObject({ type: z.literal("delete_message"), ...common, ...citing, ...summarized, ...receipt })
  .meta({
    description: "Deletion of one message. It reports when its row and vectors are removed for good.",
  })
  .openapi("DeleteMessageOperation");

export const DeleteMemoryOperation = z
  .strictObject({ type: z.literal("delete_memory"), ...common, ...memoryReceipt })
  .meta({
    description: "Deletion of one memory. It reports when its row and vectors are removed for good.",
  })
  .openapi("DeleteMemoryOperation");

/** Field of a deletion that a rule may have begun. */
const ruled = {
  retention_rule_id: z
    .string()
    .nullable()
    .meta({
      description:
        "Id of the rule of retention that began the deletion; null if a request did, or if the items had expired.",
      examples: ["ret_06e3tqz8m1k4v9x2c7d0"],
    }),
};

const bulk = <Receipt extends z.ZodRawShape>(items: string, receipt: Receipt) => ({
  ...common,
  progress: progress(items, `until all matching ${items} are found, which may take several steps`),
  soft_deleted: count(
    `Number of ${items} deleted so far: they are excluded from every response, and then removed for good.`,
  ),
  ...held,
  ...receipt,
});

export const DeleteConversationsOperation = z
  .strictObject({
    type: z.literal("delete_conversations"),
    ...bulk("conversations", receipt),
    ...ruled,
    ...citing,
    ...summarized,
  })
  .meta({
    description:
      "Deletion of conversations by filter. It reports its progress, and when all their rows and vectors are removed for good.",
  })
  .openapi("DeleteConversationsOperation");

export const DeleteMemoriesOperation = z
  .strictObject({ type: z.literal("delete_memories"), ...bulk("memories", memoryReceipt), ...ruled })
  .meta({
    description:
      "Deletion of memories by filter, or of all memories. It reports its progress, and when all their rows and vectors are removed for good.",
  })
  .openapi("DeleteMemoriesOperation");

export const DeleteUserOperation = z
  .strictObject({
    type: z.literal("delete_user"),
    ...bulk("conversations and memories", memoryReceipt),
    recalls_deleted: count(
      "Number of receipts of recall of the user that were removed for good so far. All are excluded from every response from the request on.",
    ),
    ...citing,
    ...summarized,
  })
  .meta({
    description:
      "Deletion of the conversations, memories and receipts of recall of a user. It reports its progress, and when all their rows and vectors are removed for good. What is under legal hold stays: the deletion is `running` until the last of these holds is lifted, and then deletes it, too. `target_id` is the id of the user.",
  })
  .openapi("DeleteUserOperation");

export const DeleteOrganizationOperation = z
  .strictObject({
    type: z.literal("delete_organization"),
    ...common,
    progress: progress("conversations and memories", "if they were not counted at the request"),
    purged: count(
      "Number of conversations and memories removed for good. `cancelOperation` adds those whose removal has begun, which are not restored; then it does not change any more.",
    ),
    restored: count(
      "Number of conversations and memories that `cancelOperation` restored; null if the deletion is not canceled.",
    ).nullable(),
    overridden_holds: HoldIds.max(HOLDS_MAX).meta({
      description:
        "Ids of the legal holds that the deletion lifted, because the request had `force`. `cancelOperation` restores them.",
    }),
    ...summarized,
    ...memoryReceipt,
  })
  .meta({
    description:
      "Deletion of an organization. It reports its progress, and when all rows and vectors of the organization are removed for good.",
  })
  .openapi("DeleteOrganizationOperation");

export const MoveOrganizationOperation = z
  .strictObject({
    type: z.literal("move_organization"),
    ...common,
    progress: progress("messages and memories", "never"),
    place: Place.meta({ description: "Where the organization moves to." }),
    moved_at: timestamp(
      "Time from which the organization is where it moved to. Its old rows are then removed. Null until then.",
    ).nullable(),
  })
  .meta({ description: "A move of an organization between the shared database and one of its own." })
  .openapi("MoveOrganizationOperation");

export const RepairIndexOperation = z
  .strictObject({
    type: z.literal("repair_index"),
    ...common,
    progress: progress(
      "conversations and memories",
      "until all conversations and memories to repair are queued",
    ),
    reindexed: count("Number of conversations and memories that were indexed again completely."),
    failed: count(
      "Number of conversations and memories of which some content could not be indexed for semantic search in 10 attempts. Keyword search still finds them.",
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
    progress: progress("memories", "until all memories to enrich are queued"),
    enriched: count(
      "Number of memories for which the text model wrote tags or a summary. `progress.done` also counts memories for which the model gave no usable answer.",
    ),
  })
  .meta({ description: "Enrichment: a text model writes the tags and summaries that memories lack." })
  .openapi("EnrichMemoriesOperation");

export const ImportOperation = z
  .strictObject({
    type: z.literal("import"),
    ...common,
    progress: progress("lines", "if `createImport` did not state the number of lines"),
    lines_processed: count(
      "Number of lines processed, whether stored or rejected. To resume the import, send the lines after these.",
    ),
  })
  .meta({ description: "An import whose lines are sent in several requests." })
  .openapi("ImportOperation");

export const CreateArchiveOperation = z
  .strictObject({
    type: z.literal("create_archive"),
    ...common,
    progress: progress("lines", "until the archive is complete"),
  })
  .meta({
    description:
      "The writing of an archive. `target_id` is the id of the archive. It is canceled if the archive is deleted before it is complete.",
  })
  .openapi("CreateArchiveOperation");

export const Operation = z
  .discriminatedUnion("type", [
    DeleteConversationOperation,
    DeleteConversationsOperation,
    DeleteMessageOperation,
    DeleteMemoryOperation,
    DeleteMemoriesOperation,
    DeleteUserOperation,
    DeleteOrganizationOperation,
    MoveOrganizationOperation,
    RepairIndexOperation,
    EnrichMemoriesOperation,
    CreateArchiveOperation,
    ImportOperation,
  ])
  .meta({
    description:
      "Work that continues after the response to the request that started it. The fields depend on `type`. For a deletion, they report when each part of the data was removed for good.",
  })
  .openapi("Operation");
export type Operation = z.infer<typeof Operation>;
/** The member of the union `Operation` that has this `type`. */
export type OperationOf<Type extends OperationType> = { [One in Operation as One["type"]]: One }[Type];

export const listOperations = createRoute({
  operationId: "listOperations",
  ...sdkExample(`
    for await (const { type, status } of engram.operations.list({ status: "running" })) console.log(type, status);
  `),
  method: "get",
  path: "/v1/operations",
  tags: ["Operations"],
  summary: "List operations",
  description: `Returns a page of operations, newest first. Operations are deletions, imports, archives, index repairs and enrichments. Moves of organizations are not listed: only the operator can get them. A key that is bound to an agent gets only operations on data of that agent. ${ROW_SCAN_BOUNDS}`,
  security: requires("read"),
  request: {
    query: z.strictObject({
      type: OperationType.optional().openapi({ description: "Only operations of this type." }),
      status: OperationStatus.optional().openapi({ description: "Only operations of this status." }),
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
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
  ...sdkExample(`
    const { id } = await engram.index.repair();
    const operation = await engram.operations.get(id);
    if (operation.type === "repair_index") console.log(operation.status, operation.reindexed, operation.problem);
  `),
  method: "get",
  path: "/v1/operations/{operation_id}",
  tags: ["Operations"],
  summary: "Get an operation",
  description:
    "Returns an operation: its status, how much of the work is done, and why it failed if it did. For a deletion, it reports when rows and vectors were removed for good. With the admin token of the service, returns an operation of any organization in the shared database, and of the others their deletions and moves.",
  security: [...requires("read"), ...requiresAdminToken],
  request: { params },
  responses: { 200: jsonAnswer("The operation.", Operation), ...problems("not_found", ...keyProblems) },
});

export const cancelOperation = createRoute({
  operationId: "cancelOperation",
  ...sdkMethod({ repeatable: true }),
  ...sdkExample(`
    const receipt = await operator.organizations.delete(organization.id);
    await operator.operations.cancel(receipt.id);
  `),
  method: "post",
  path: "/v1/operations/{operation_id}/cancel",
  tags: ["Operations"],
  summary: "Cancel an operation",
  description:
    "Cancels the work that is left of an operation of the type `delete_conversations`, `delete_memories`, `delete_user`, `repair_index`, `enrich_memories`, `create_archive` or `import`: no further step begins. Deleted items stay deleted and are still removed for good; imported items stay; the archive is deleted. The admin token of the service can cancel operations of any organization in the shared database. It can also cancel a `move_organization` until the organization has moved, and a `delete_organization` until the last row of the organization is removed. All data whose removal has not begun is then restored at once, with the keys that the deletion revoked. Canceling an operation again returns it unchanged.",
  security: [...requires("write"), ...requiresAdminToken],
  request: { params },
  responses: {
    200: jsonAnswer("The canceled operation.", Operation),
    ...problems("not_found", "not_cancelable", ...writeProblems),
  },
});
