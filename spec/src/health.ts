import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswer, requiresNothing } from "./common.ts";
import { problems } from "./problem.ts";

export const getHealth = createRoute({
  operationId: "getHealth",
  method: "get",
  path: "/health",
  tags: ["Health"],
  summary: "Check that the service answers",
  description: "Answers without a key and without touching the database.",
  security: requiresNothing,
  responses: {
    200: jsonAnswer("The service answers.", z.strictObject({ status: z.literal("ok") }).openapi("Health")),
    ...problems("forbidden", "internal"),
  },
});
