import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswer, keyProblems, OperationId, requires, requiresAdminToken, timestamp } from "./common.ts";
import { problems } from "./problem.ts";

export const OPERATION_TYPES = ["delete_organization", "delete_conversation", "delete_message"] as const;

export const Operation = z
  .strictObject({
    id: OperationId,
    type: z.enum(OPERATION_TYPES).meta({ description: "What is being done." }),
    status: z.enum(["running", "succeeded"]).meta({ description: "`succeeded` once nothing is left to do." }),
    target_id: z
      .string()
      .meta({ description: "What it is done to.", examples: ["conv_06e3tqz8m1k4v9x2c7d0"] }),
    created_at: timestamp("When it was asked for. From then on nothing of the target is answered."),
    completed_at: timestamp("When the last part was gone.").nullable(),
    rows_deleted_at: timestamp("When rows and keyword index were gone.").nullable(),
    vectors_deleted_at: timestamp("When the vector store confirmed that the vectors are gone.").nullable(),
    recoverable_until: timestamp(
      "When the database's point-in-time history forgets it too: 30 days after the rows were deleted.",
    ).nullable(),
  })
  .meta({ description: "Work that goes on after its answer. Of a deletion it is the receipt." })
  .openapi("Operation");
export type Operation = z.infer<typeof Operation>;

export const getOperation = createRoute({
  operationId: "getOperation",
  method: "get",
  path: "/v1/operations/{operation_id}",
  tags: ["Operations"],
  summary: "Get an operation",
  description: "Tells how far an operation is; of a deletion, when each part was gone.",
  security: [...requires("read"), ...requiresAdminToken],
  request: { params: z.object({ operation_id: OperationId }) },
  responses: { 200: jsonAnswer("The operation.", Operation), ...problems("not_found", ...keyProblems) },
});
