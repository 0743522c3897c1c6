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
  sdkExample,
  sdkMethod,
  timestamp,
  writeProblems,
} from "./common.ts";
import { RepairIndexOperation } from "./operations.ts";
import { problems } from "./problem.ts";

export const IndexStatus = z
  .strictObject({
    model: z
      .string()
      .meta({ description: "Embedding model in use.", examples: ["@cf/baai/bge-base-en-v1.5"] }),
    dimensions: count("Number of dimensions of the vectors of this model."),
    messages: count("Number of messages and memories stored. Keyword search finds all of them."),
    pending: count(
      "Number of messages and memories that are still waiting to be indexed for semantic search: the vector store has not accepted their vectors.",
    ),
    failed: count(
      "Number of messages and memories whose indexing for semantic search failed 10 times and is not tried again. `repairIndex` tries again.",
    ),
    chunks: count(
      "Number of chunks with a stored vector of the current embedding model: windows of messages, and parts of memories.",
    ),
    chunks_of_other_models: count(
      "Number of chunks whose vector was made by an earlier embedding model. Semantic search does not find them.",
    ),
    deletions_pending: count(
      "Number of vectors of deleted or changed content whose deletion the vector store has not confirmed yet.",
    ),
    complete: z.boolean().meta({
      description:
        "Whether everything was counted. `false` if a count stopped at 50,000 rows. The counts are then lower bounds, except `messages` for a key that is not bound to an agent.",
    }),
    last_error: z
      .strictObject({
        message: z.string().meta({
          description:
            "Error code, followed by numbers such as a status. It never contains text that a model or another service returned. `text_refused`: the embedding model accepts other texts, but not this one. `embedding_failed`: the embedding model gave no response, or an invalid one. `vector_store_failed`: the same of the vector store. `internal_failure`: another failure, which the log of the service describes.",
          examples: ["text_refused: code 5006, status 422"],
        }),
        at: timestamp("Time of the failure."),
      })
      .nullable()
      .meta({
        description:
          "Newest failure among the messages and memories that `pending` and `failed` count; null if there was none.",
      }),
  })
  .openapi("IndexStatus");
export type IndexStatus = z.infer<typeof IndexStatus>;

export const getIndexStatus = createRoute({
  operationId: "getIndexStatus",
  ...sdkMethod({ method: "index.status" }),
  ...sdkExample(`
    const { messages, pending, failed } = await engram.index.status();
  `),
  method: "get",
  path: "/v1/index",
  tags: ["Index"],
  summary: "Get the status of the search index",
  description:
    "Returns how many messages and memories of the organization, or messages of one conversation, are indexed for semantic search, wait to be indexed, or failed. For a single memory, get its chunks with `getMemory`.",
  security: requires("read"),
  request: {
    query: z.strictObject({
      conversation_id: ConversationId.optional().openapi({
        description: "Count only messages of this conversation. Default: all messages and memories.",
      }),
    }),
  },
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
  ...sdkExample(`
    const operation = await engram.index.repair({ conversation_id: conversation.id });
  `),
  method: "post",
  path: "/v1/index/repair",
  tags: ["Index"],
  summary: "Repair the search index",
  description:
    "Indexes every conversation and memory, or one conversation, again from the stored content: keyword index, chunks and vectors. Content whose indexing failed too often before is tried again. If a repair of the same conversations and memories is running, that repair is returned, unless the model has already rejected every text that is left of it. Searches work during the repair, and stored content is not changed. The service queues conversations and memories in steps of 1,000, the first step before the response. `cancelOperation` stops the work that has not begun.",
  security: requires("write"),
  request: { headers: IdempotencyHeaders, body: jsonBody(RepairIndexBody) },
  responses: {
    202: jsonAnswer(
      "The operation that tracks the repair. Get it again with `getOperation` to see its progress.",
      RepairIndexOperation,
      replayHeaders,
    ),
    ...problems(...bodyProblems, "not_found", "idempotency_mismatch", ...writeProblems),
  },
});
