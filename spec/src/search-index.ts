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
import { RepairIndexOperation } from "./operations.ts";
import { problems } from "./problem.ts";

export const IndexStatus = z
  .strictObject({
    model: z
      .string()
      .meta({ description: "Embedding model in use.", examples: ["@cf/baai/bge-base-en-v1.5"] }),
    dimensions: count("Number of dimensions of its vectors."),
    messages: count("Number of messages and memories stored. Keyword search finds all of them."),
    pending: count("Number of messages and memories whose vectors the vector store has not accepted yet."),
    failed: count(
      "Number of messages and memories whose indexing was given up after 10 attempts. `repairIndex` tries again.",
    ),
    chunks: count("Number of chunks with a stored vector: windows of messages, and parts of memories."),
    chunks_of_other_models: count(
      "Number of chunks whose vector is of an earlier model. They are not searched.",
    ),
    deletions_pending: count(
      "Number of vectors of deleted or replaced content that the vector store has not confirmed as deleted.",
    ),
    complete: z.boolean().meta({
      description:
        "Whether everything was counted. `false` if a count stopped at 50,000 rows. The counts are then lower bounds, except `messages` for a key that is not bound to an agent.",
    }),
    last_error: z
      .strictObject({
        message: z.string().meta({
          description:
            "Error code with its numbers, never text of a model or an endpoint. `text_refused`: the model accepts other texts, but not this one. `embedding_failed`, `vector_store_failed`: no response, or an invalid one. `internal_failure`: see the log. `earlier_failure`: from before an upgrade.",
          examples: ["text_refused: code 5006, status 422"],
        }),
        at: timestamp("Time of the failure."),
      })
      .nullable()
      .meta({ description: "Newest failure of what is pending or failed; null if nothing failed." }),
  })
  .openapi("IndexStatus");
export type IndexStatus = z.infer<typeof IndexStatus>;

export const getIndexStatus = createRoute({
  operationId: "getIndexStatus",
  method: "get",
  path: "/v1/index",
  tags: ["Index"],
  summary: "Get the status of the search index",
  description:
    "Returns how much of the organization, including memories, or of one conversation semantic search can find now. For a single memory, get its chunks with `getMemory`.",
  security: requires("read"),
  request: { query: z.strictObject({ conversation_id: ConversationId.optional() }) },
  responses: {
    200: jsonAnswer("The status of the index.", IndexStatus),
    ...problems("validation_failed", "not_found", ...keyProblems),
  },
});

export const RepairIndexBody = z
  .strictObject({
    conversation_id: ConversationId.optional().meta({
      description: "Repair only this conversation. Default: all conversations and memories.",
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
    "Indexes every conversation and memory again from what is stored: keyword index, chunks and vectors. What was given up is tried again. If a repair of the same conversations and memories is queued or running, that repair is returned, unless everything that is left of it has failed before. Searches work during the repair, and stored content is not changed. The service queues conversations and memories in steps of 1,000, the first before the response. `cancelOperation` stops what has not begun.",
  security: requires("write"),
  request: { headers: IdempotencyHeaders, body: jsonBody(RepairIndexBody) },
  responses: {
    202: jsonAnswer("The operation, which reports the progress.", RepairIndexOperation, replayHeaders),
    ...problems(...bodyProblems, "not_found", "idempotency_mismatch", ...keyProblems),
  },
});
