import { createRoute, z } from "@hono/zod-openapi";
import { bodyProblems, jsonAnswer, keyProblems, requires } from "./common.ts";
import { ExportLine, NDJSON_TYPE } from "./exports.ts";
import { problems } from "./problem.ts";

/** Most lines that one request imports. */
export const IMPORT_LINES_MAX = 1_000;

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

export const importConversations = createRoute({
  operationId: "importConversations",
  method: "post",
  path: "/v1/import",
  tags: ["Export and import"],
  summary: "Import conversations and memories",
  description:
    "Takes lines as export gives them, one JSON object a line, and stores what is new with its ids, sequence numbers and times, all of it in one transaction. What is there already stays as it is, so that importing twice changes nothing. A line that cannot be taken is named in the answer and keeps no other from being stored. A message's conversation must have come before it, in this request or an earlier one. A memory's tags and summary stay whose they were: a text model, if one is configured, writes only what nobody has. Words can be found at once, meaning follows. One request takes 1,000 lines and 8 MiB; send a longer export in parts, one after the other.",
  security: requires("admin"),
  request: {
    body: { required: true, content: { [NDJSON_TYPE]: { schema: ExportLine } } },
  },
  responses: {
    200: jsonAnswer("What was stored, and what was not.", ImportedLines),
    ...problems(...bodyProblems, ...keyProblems),
  },
});
