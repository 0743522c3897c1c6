import { createRoute, z } from "@hono/zod-openapi";
import {
  bodyProblems,
  booleanQuery,
  IdempotencyHeaders,
  integerQuery,
  jsonAnswer,
  jsonBody,
  keyProblems,
  OperationId,
  replayHeaders,
  requires,
  WRITE_SIZE,
} from "./common.ts";
import { ExportLine, NDJSON_TYPE } from "./exports.ts";
import { IMPORT_TOTAL_MAX } from "./limits.ts";
import { Operation } from "./operations.ts";
import { problems } from "./problem.ts";

export const ImportProblem = z
  .strictObject({
    line: z.int().meta({ description: "Number of the line in this request, from 1." }),
    code: z.enum(["invalid_json", "validation_failed", "not_found", "import_conflict"]).meta({
      description:
        "`invalid_json`: no JSON that can be kept exactly. `validation_failed`: not a line as export gives them. `not_found`: a message whose conversation has not come before it. `import_conflict`: its place, id or external id holds something else, or its agent has a memory's content under another id.",
    }),
    detail: z.string().meta({ description: "What is wrong with it, for people." }),
  })
  .meta({ description: "A line that was left out." })
  .openapi("ImportProblem");
export type ImportProblem = z.infer<typeof ImportProblem>;

const counts = (of: string) =>
  z.strictObject({
    created: z.int().meta({ description: `${of} that are new.` }),
    existing: z.int().meta({ description: `${of} that were there already.` }),
  });

export const ImportedLines = z
  .strictObject({
    conversations: counts("Conversations"),
    messages: counts("Messages"),
    memories: counts("Memories"),
    problems: z
      .array(ImportProblem)
      .meta({ description: "Every line that was left out, in order; empty when all is there now." }),
  })
  .openapi("ImportedLines");
export type ImportedLines = z.infer<typeof ImportedLines>;

export const BeginImportBody = z
  .strictObject({
    lines: z
      .int()
      .min(0)
      .max(IMPORT_TOTAL_MAX)
      .optional()
      .meta({ description: "How many lines there will be, if you know; `progress` tells it as `total`." }),
  })
  .openapi("BeginImportBody", { example: { lines: 120_000 } });

export const beginImport = createRoute({
  operationId: "beginImport",
  method: "post",
  path: "/v1/imports",
  tags: ["Export and import"],
  summary: "Begin an import of many requests",
  description:
    "Opens an operation for an import that is longer than one request may be. Send its lines to `importConversations` in order, each request with `operation_id` and how many lines came before it, and the last with `last=true`. The operation counts the lines, so that whoever has to begin again knows where; what came of a part whose answer was lost, the same part tells when it is sent again. `cancelOperation` calls it off: what was stored stays, and no further line is taken. One that is not done after 7 days is called off.",
  security: requires("admin"),
  request: { headers: IdempotencyHeaders, body: jsonBody(BeginImportBody) },
  responses: {
    202: jsonAnswer("The operation, which counts the lines as they come.", Operation, replayHeaders),
    ...problems(...bodyProblems, "idempotency_mismatch", ...keyProblems),
  },
});

export const importConversations = createRoute({
  operationId: "importConversations",
  method: "post",
  path: "/v1/import",
  tags: ["Export and import"],
  summary: "Import conversations and memories",
  description: `Takes lines as export gives them, one JSON object a line, and stores what is new with its ids, sequence numbers and times. Lines are stored in order, in batches of at most ${WRITE_SIZE}, one transaction each; a longer line is a batch of its own. What is there already stays as it is, so that importing twice changes nothing. A request that fails may have stored its first batches, each whole, and its operation has counted exactly their lines. Send the request again: those lines are \`existing\` then, and the answer names every problem. A line that cannot be taken is named in the answer and keeps no other from being stored. A message's conversation must have come before it, in this request or an earlier one. A memory's tags and summary stay whose they were: a text model, if one is configured, writes only what nobody has. Words can be found at once, meaning follows. One request takes 1,000 lines, 8 MiB and 100,000 fields and items, all lines together; beyond it, 413 and nothing is stored. For a longer export begin an operation with \`beginImport\` and send its lines in parts, one after the other. A part may be sent again; as with every import, what of it was deleted meanwhile comes back.`,
  security: requires("admin"),
  request: {
    query: z
      .strictObject({
        operation_id: OperationId.optional().openapi({
          description: "The import, as `beginImport` answered it, that these lines are a part of.",
        }),
        after_line: integerQuery(
          0,
          IMPORT_TOTAL_MAX,
          "With `operation_id`: how many lines of the import come before these, blank ones too; 0 by default. What the operation has had already may be sent again, but nothing be left out.",
        ).optional(),
        last: booleanQuery(
          "With `operation_id`: that these lines are the last, so that the operation has succeeded.",
        ).optional(),
      })
      .refine((query) => query.operation_id !== undefined || query.after_line === undefined, {
        path: ["after_line"],
        message: "goes with `operation_id`",
      })
      .refine((query) => query.operation_id !== undefined || query.last === undefined, {
        path: ["last"],
        message: "goes with `operation_id`",
      }),
    body: { required: true, content: { [NDJSON_TYPE]: { schema: ExportLine } } },
  },
  responses: {
    200: jsonAnswer("What was stored, and what was not.", ImportedLines),
    ...problems(...bodyProblems, "not_found", "operation_ended", "lines_missing", ...keyProblems),
  },
});
