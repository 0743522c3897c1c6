import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  bodyProblems,
  Cursor,
  IdempotencyHeaders,
  id,
  jsonAnswer,
  jsonBody,
  keyProblems,
  PageLimit,
  page,
  RecallId,
  replayHeaders,
  requires,
  sdkExample,
  sdkMethod,
  timestamp,
  UserId,
  writeProblems,
} from "./common.ts";
import { EVALUATION_EXPECTED_MAX, EVALUATIONS_MAX, SEARCH_RESULTS_MAX } from "./limits.ts";
import { problems } from "./problem.ts";
import { ItemId, Models, RecalledRequest, Rules } from "./recalls.ts";
import { SearchAnswer, SearchBody } from "./search.ts";

export const EvaluationId = id("Id of an evaluation.", "eval_06e3tqz8m1k4v9x2c7d0");

/** Operations that can be evaluated. Stored in databases and used by clients: add some, never rename one. */
export const EVALUATED_OPERATIONS = ["search", "searchMemories"] as const;
export type EvaluatedOperation = (typeof EVALUATED_OPERATIONS)[number];

const Rank = z
  .int()
  .min(1)
  .max(SEARCH_RESULTS_MAX)
  .nullable()
  .meta({ description: "Place of the result that has the item, from 1. Null if none has it." });

const Share = (description: string) => z.number().min(0).max(1).meta({ description });

export const EvaluationRun = z
  .strictObject({
    ranks: z
      .array(z.strictObject({ id: ItemId, rank: Rank }))
      .max(EVALUATION_EXPECTED_MAX)
      .meta({ description: "Where each expected item was found, in the order of `expected`." }),
    any: z.boolean().meta({
      description: "Whether any expected item is among the first `depth` results: any@k of this query.",
    }),
    ndcg: Share(
      "nDCG of the first `depth` results, to six digits: 1 if all expected items rank first, 0 if none is found. A result that has several of them counts for each, up to 1.",
    ),
    degraded: SearchAnswer.shape.degraded,
    models: Models.meta({ description: "Models of the search." }),
    rules: Rules,
    run_at: timestamp("Time of the run."),
  })
  .meta({ description: "How a search did: where it found what was expected." })
  .openapi("EvaluationRun");
export type EvaluationRun = z.infer<typeof EvaluationRun>;

const Depth = z.int().min(1).max(SEARCH_RESULTS_MAX).meta({
  description: "Number of results that count: the k of any@k and nDCG.",
});
const Expected = z.array(ItemId).min(1).max(EVALUATION_EXPECTED_MAX);

export const Evaluation = z
  .strictObject({
    id: EvaluationId,
    operation: z.enum(EVALUATED_OPERATIONS).meta({ description: "Operation that is run." }),
    request: RecalledRequest.meta({
      description: "Body of the search: the query, the filters and all other fields with their defaults.",
    }),
    expected: Expected.meta({ description: "Ids of the messages and memories that the search should find." }),
    depth: Depth,
    agent_id: AgentId.nullable().meta({
      description: "Agent of the search: that of the key, or of the filter.",
    }),
    user_id: UserId.nullable().meta({
      description:
        "User of the search: that of the key, of the filter, or of `conversation_id`. The evaluation is deleted with the user.",
    }),
    from_recall: RecallId.nullable().meta({
      description: "Receipt that it was made from; null if it was made from a request.",
    }),
    last_run: z
      .union([EvaluationRun, z.null()])
      .meta({ description: "The last run; null if there was none." }),
    created_at: timestamp("Time when it was created."),
  })
  .meta({ description: "A labelled query: a search, and what it should find." })
  .openapi("Evaluation");
export type Evaluation = z.infer<typeof Evaluation>;

export const CreateEvaluationBody = z
  .strictObject({
    request: SearchBody.omit({ record: true }).optional(),
    from_recall: RecallId.optional().meta({
      description:
        "Receipt of a search whose request is taken, in place of `request`. A receipt of a context cannot be used.",
    }),
    expected: Expected.optional().meta({
      description:
        "Ids of the messages and memories that the search should find. Default with `from_recall`: the items that its receipt notes as `used`.",
    }),
    depth: Depth.default(10),
  })
  .refine(({ request, from_recall }) => (request === undefined) !== (from_recall === undefined), {
    path: ["request"],
    message: "must be given, or `from_recall` in its place",
  })
  .refine(({ expected, from_recall }) => expected !== undefined || from_recall !== undefined, {
    path: ["expected"],
    message: "must be given with `request`",
  })
  .openapi("CreateEvaluationBody", {
    example: {
      request: { query: "When was the refund sent?" },
      expected: ["msg_06e3tqz8m1k4v9x2c7d0"],
    },
  });
export type CreateEvaluationBody = z.infer<typeof CreateEvaluationBody>;

const OWN = "A key that is bound to an agent or a user gets only those of keys with the same binding.";

export const createEvaluation = createRoute({
  operationId: "createEvaluation",
  ...sdkExample(`
    const { results, recall_id } = await engram.memories.search({ query: "How does Maria want refunds?", record: true });
    const expected = results.slice(0, 1).map(({ memory }) => memory.id);
    if (recall_id) await engram.evaluations.create({ from_recall: recall_id, expected });
  `),
  method: "post",
  path: "/v1/evaluations",
  tags: ["Evaluations"],
  summary: "Create an evaluation",
  description: `Keeps a search with the items that it should find, made from a request or from a receipt of recall. The query is stored. An organization has at most ${EVALUATIONS_MAX.toLocaleString("en-US")}. Nothing runs before \`runEvaluation\`.`,
  security: requires("search"),
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateEvaluationBody) },
  responses: {
    201: jsonAnswer("The evaluation.", Evaluation, replayHeaders),
    ...problems(
      ...bodyProblems,
      "not_found",
      "forgotten",
      "too_many_evaluations",
      "idempotency_mismatch",
      ...writeProblems,
    ),
  },
});

export const listEvaluations = createRoute({
  operationId: "listEvaluations",
  ...sdkExample(`
    for await (const { request, last_run } of engram.evaluations.list()) console.log(request.query, last_run?.ndcg);
  `),
  method: "get",
  path: "/v1/evaluations",
  tags: ["Evaluations"],
  summary: "List evaluations",
  description: `Returns a page of evaluations with their last runs, newest first. ${OWN}`,
  security: requires("search"),
  request: { query: z.strictObject({ limit: PageLimit.optional(), cursor: Cursor.optional() }) },
  responses: {
    200: jsonAnswer("A page of evaluations.", page(Evaluation, "EvaluationPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

const params = z.object({ evaluation_id: EvaluationId });

export const EvaluationResult = z
  .strictObject({
    evaluation: Evaluation,
    previous: z
      .union([EvaluationRun, z.null()])
      .meta({ description: "The run before; null if this is the first." }),
    moved: z
      .array(z.strictObject({ id: ItemId, before: Rank, now: Rank }))
      .max(EVALUATION_EXPECTED_MAX)
      .meta({ description: "Expected items that have another rank than in the run before." }),
  })
  .meta({ description: "A run, compared with the one before." })
  .openapi("EvaluationResult");
export type EvaluationResult = z.infer<typeof EvaluationResult>;

export const runEvaluation = createRoute({
  operationId: "runEvaluation",
  ...sdkMethod({ repeatable: true }),
  ...sdkExample(`
    for await (const { id } of engram.evaluations.list()) {
      const { evaluation, previous, moved } = await engram.evaluations.run(id);
      console.log(evaluation.last_run?.ndcg, previous?.ndcg, moved);
    }
  `),
  method: "post",
  path: "/v1/evaluations/{evaluation_id}/run",
  tags: ["Evaluations"],
  summary: "Run an evaluation",
  description:
    "Searches, finds the ranks of the expected items, and compares them with the last run, which this one replaces. Nothing runs by itself: after a change of the embedding model, or of what is stored, run the evaluations again. It counts as a search.",
  security: requires("search"),
  request: { params },
  responses: {
    200: jsonAnswer("The result.", EvaluationResult),
    ...problems("not_found", ...writeProblems),
  },
});

export const deleteEvaluation = createRoute({
  operationId: "deleteEvaluation",
  ...sdkExample(`
    const [evaluation] = await engram.evaluations.list().toArray({ max: 1 });
    if (evaluation) await engram.evaluations.delete(evaluation.id);
  `),
  method: "delete",
  path: "/v1/evaluations/{evaluation_id}",
  tags: ["Evaluations"],
  summary: "Delete an evaluation",
  description: "Deletes an evaluation with its query and its last run.",
  security: requires("search"),
  request: { params },
  responses: {
    200: jsonAnswer("The deleted evaluation.", Evaluation),
    ...problems("not_found", ...writeProblems),
  },
});
