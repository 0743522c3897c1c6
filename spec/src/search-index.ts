import { createRoute, z } from "@hono/zod-openapi";
import {
  bodyProblems,
  ConversationId,
  count,
  IdempotencyHeaders,
  jsonAnswer,
  jsonBody,
  keyProblems,
  replayHeaders,
  requires,
  timestamp,
} from "./common.ts";
import { Operation } from "./operations.ts";
import { problems } from "./problem.ts";

export const IndexStatus = z
  .strictObject({
    model: z
      .string()
      .meta({ description: "The embedding model in use.", examples: ["@cf/baai/bge-base-en-v1.5"] }),
    dimensions: count("Length of its vectors."),
    messages: count("Messages stored, and memories, each as one; words find them all."),
    pending: count("Messages and memories whose vectors the store has not taken yet."),
    failed: count(
      "Messages and memories whose indexing was given up after 10 attempts; `repairIndex` tries again.",
    ),
    chunks: count("Windows of messages, and chunks of memories, whose vector is in."),
    chunks_of_other_models: count(
      "Windows and chunks whose vector comes from an earlier model; not searched.",
    ),
    deletions_pending: count(
      "Vectors of what was deleted or replaced that the store has not confirmed gone.",
    ),
    complete: z.boolean().meta({
      description:
        "Whether all was counted. `false` when a count stopped at 50,000 rows: then the counts are lower bounds, except `messages` for a key without agent.",
    }),
    last_error: z
      .strictObject({
        message: z.string().meta({
          description:
            "A code and the numbers that came with it, never text of a model or endpoint. `text_refused`: the model takes other texts, but not this one. `embedding_failed`, `vector_store_failed`: no answer, or none that is one. `internal_failure`: the log says more. `earlier_failure`: from before an upgrade.",
          examples: ["text_refused: code 5006, status 422"],
        }),
        at: timestamp("When."),
      })
      .nullable()
      .meta({ description: "The newest failure of what is pending or failed; null when nothing failed." }),
  })
  .openapi("IndexStatus");
export type IndexStatus = z.infer<typeof IndexStatus>;

export const getIndexStatus = createRoute({
  operationId: "getIndexStatus",
  method: "get",
  path: "/v1/index",
  tags: ["Index"],
  summary: "Get the state of the search index",
  description:
    "Tells how much of the organization, memories too, or of one conversation can be found by meaning now. A memory tells of itself with its chunks.",
  security: requires("read"),
  request: { query: z.strictObject({ conversation_id: ConversationId.optional() }) },
  responses: {
    200: jsonAnswer("The state of the index.", IndexStatus),
    ...problems("validation_failed", "not_found", ...keyProblems),
  },
});

export const RepairIndexBody = z
  .strictObject({
    conversation_id: ConversationId.optional().meta({
      description: "Only this conversation; all, and all memories, by default.",
    }),
  })
  .openapi("RepairIndexBody", { example: {} });

export const repairIndex = createRoute({
  operationId: "repairIndex",
  method: "post",
  path: "/v1/index/repair",
  tags: ["Index"],
  summary: "Repair the search index",
  description:
    "Queues every conversation and memory to be indexed anew from what is stored: keyword rows, chunks and vectors. What was given up is tried again. While a repair of the same is queued or running, the answer is that repair, unless all that is left of it has failed before. Searching goes on meanwhile; nothing stored is touched. The service queues conversations and memories in steps of 1,000, the first step with the answer. `cancelOperation` calls off what no run has taken up yet.",
  security: requires("write"),
  request: { headers: IdempotencyHeaders, body: jsonBody(RepairIndexBody) },
  responses: {
    202: jsonAnswer("The operation, filled in as the repair goes on.", Operation, replayHeaders),
    ...problems(...bodyProblems, "not_found", "idempotency_mismatch", ...keyProblems),
  },
});
