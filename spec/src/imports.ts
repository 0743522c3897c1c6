import { createRoute, z } from "@hono/zod-openapi";
import {
  bodyProblems,
  booleanQuery,
  IdempotencyHeaders,
  integerQuery,
  jsonAnswer,
  jsonBody,
  OperationId,
  replayHeaders,
  requires,
  sdkExample,
  sdkMethod,
  WRITE_SIZE,
  writeProblems,
} from "./common.ts";
import { EXPORT_EXAMPLE, ExportLine, NDJSON_TYPE } from "./exports.ts";
import { IMPORT_TOTAL_MAX } from "./limits.ts";
import { ImportOperation } from "./operations.ts";
import { problems } from "./problem.ts";

export const ImportProblem = z
  .strictObject({
    line: z.int().meta({ description: "Number of the line in this request, from 1." }),
    code: z.enum(["invalid_json", "validation_failed", "not_found", "import_conflict", "held"]).meta({
      description:
        "Why the line was not imported. `invalid_json`: it is not JSON, or is JSON that cannot be stored exactly. `validation_failed`: it does not have the form of an export line. `not_found`: it is a message whose conversation, or a version whose memory, was not imported before it. `import_conflict`: its sequence number, id or external id belongs to a different item, or its agent has a memory with this content under another id. `held`: it would change an item under legal hold: it is an earlier version of a held memory, or a message before the last one of a held conversation.",
    }),
    detail: z.string().meta({ description: "What is wrong with the line, for people." }),
  })
  .meta({ description: "A line that was not imported." })
  .openapi("ImportProblem");
export type ImportProblem = z.infer<typeof ImportProblem>;

export const SkippedLine = z
  .strictObject({
    line: z.int().meta({ description: "Number of the line in this request, from 1." }),
    skipped: z.literal("forgotten").meta({
      description: "Why. `forgotten`: the item, its conversation or its user was deleted with `forget`.",
    }),
  })
  .meta({ description: "A line that is valid and was left out." })
  .openapi("SkippedLine");
export type SkippedLine = z.infer<typeof SkippedLine>;

const counts = (of: string) =>
  z.strictObject({
    created: z.int().meta({ description: `Number of ${of} that are new.` }),
    existing: z.int().meta({ description: `Number of ${of} that were stored already.` }),
  });

export const ImportedLines = z
  .strictObject({
    conversations: counts("conversations"),
    messages: counts("messages"),
    memories: counts("memories"),
    memory_versions: counts("earlier versions of memories"),
    recalls: counts("receipts of recall"),
    problems: z
      .array(ImportProblem)
      .meta({ description: "Lines that were refused, in order. Empty if there were none." }),
    skipped: z.array(SkippedLine).meta({
      description: "Lines of items that were deleted with `forget`, in order. They are no problem.",
    }),
  })
  .openapi("ImportedLines");
export type ImportedLines = z.infer<typeof ImportedLines>;

export const CreateImportBody = z
  .strictObject({
    lines: z.int().min(0).max(IMPORT_TOTAL_MAX).optional().meta({
      description:
        "Total number of lines of the import, if you know it. It becomes `progress.total` of the operation.",
    }),
  })
  .openapi("CreateImportBody", { example: { lines: 120_000 } });

export const createImport = createRoute({
  operationId: "createImport",
  ...sdkMethod({ method: "createImport" }),
  ...sdkExample(`
    const { id } = await engram.createImport({ lines: 120_000 });
    await engram.import(other.export(), { operationId: id });
    const { status } = await engram.operations.get(id);
  `),
  method: "post",
  path: "/v1/imports",
  tags: ["Export and import"],
  summary: "Begin an import in several requests",
  description:
    "Creates an operation for an import that is too large for one request. Then send the lines to `importLines` in parts, in order. Each of these requests has the `operation_id` and, as `after_line`, the number of lines sent before it; the last one has `last=true`. The operation counts the lines, so that an interrupted import can be resumed. If you did not receive the response to a part, send the same part again to get its result. `cancelOperation` cancels the import: stored items stay, and no further lines are accepted. An import that is not complete after 7 days is canceled.",
  security: requires("admin"),
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateImportBody) },
  responses: {
    202: jsonAnswer(
      "The operation. It counts the lines of each part that you send with `importLines`.",
      ImportOperation,
      replayHeaders,
    ),
    ...problems(...bodyProblems, "idempotency_mismatch", ...writeProblems),
  },
});

export const importLines = createRoute({
  operationId: "importLines",
  ...sdkMethod({ method: "import", repeatable: true }),
  ...sdkExample(`
    // From one service to another, without a file between.
    const { messages, memories, problems } = await engram.import(other.export());
  `),
  method: "post",
  path: "/v1/imports/lines",
  tags: ["Export and import"],
  summary: "Import conversations and memories",
  description: `Imports conversations, messages and memories from the lines of an export, one JSON object per line. Ids, sequence numbers and times are kept. Existing items are left unchanged, so importing the same lines twice has no effect. A conversation must precede its messages, and a memory its earlier versions, in this request or an earlier one. A receipt of recall is stored as it is; it expires as it would have. Invalid lines are listed in \`problems\` and do not prevent others from being stored. Lines are stored in order, in batches of at most ${WRITE_SIZE}. A longer line is a batch of its own. Each batch is stored completely or not at all, so a request that fails may have stored its first batches. Send such a request again: items that are stored already count as \`existing\`, and the response lists every problem. Sending lines again is safe, but stores items again that were deleted in the meantime, unless they were deleted with \`forget\`: those are listed in \`skipped\`. Imported tags and summaries are kept: the text model, if the service has one, writes only those that are missing. Keyword search finds everything at once, semantic search later. One request holds at most 1,000 lines, 8 MiB, and 100,000 object fields and array items in all lines together. A larger one fails with 413 and stores nothing. For a longer export, create an operation with \`createImport\` and send the lines in parts, one after another. The operation counts exactly the lines that were stored or rejected, also if a part fails.`,
  security: requires("admin"),
  request: {
    query: z
      .strictObject({
        operation_id: OperationId.optional().openapi({
          description: "The import that these lines are part of, from `createImport`.",
        }),
        after_line: integerQuery(
          0,
          IMPORT_TOTAL_MAX,
          "With `operation_id`: number of lines of the import before these, including blank ones. Default 0. You may send lines again that the operation has counted, but may not leave any out.",
        ).optional(),
        last: booleanQuery(
          "With `operation_id`: `true` if these are the last lines. The operation then succeeds as soon as they are processed. Default `false`.",
        ).optional(),
      })
      .refine((query) => query.operation_id !== undefined || query.after_line === undefined, {
        path: ["after_line"],
        message: "requires `operation_id`",
      })
      .refine((query) => query.operation_id !== undefined || query.last === undefined, {
        path: ["last"],
        message: "requires `operation_id`",
      }),
    body: { required: true, content: { [NDJSON_TYPE]: { schema: ExportLine, example: EXPORT_EXAMPLE } } },
  },
  responses: {
    200: jsonAnswer("Counts of the items, and the lines that were not imported.", ImportedLines),
    ...problems(...bodyProblems, "not_found", "operation_ended", "lines_missing", ...writeProblems),
  },
});
