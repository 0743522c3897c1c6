import { createRoute, z } from "@hono/zod-openapi";
import { jsonAnswer, requiresNothing, sdkExample, sdkMethod } from "./common.ts";
import { problems } from "./problem.ts";

export const getHealth = createRoute({
  operationId: "getHealth",
  ...sdkExample(`
    const { status } = await engram.health.get();
  `),
  method: "get",
  path: "/health",
  tags: ["Health"],
  summary: "Check that the service is running",
  description:
    "Responds while the service is running, under any `Host`. Needs no key and does not read the database; `getReadiness` does.",
  security: requiresNothing,
  responses: {
    200: jsonAnswer("The service is running.", z.strictObject({ status: z.literal("ok") }).openapi("Health")),
    ...problems("internal"),
  },
});

export const Readiness = z
  .strictObject({
    status: z.literal("ready"),
    migration: z.string().meta({
      description:
        "File name of the newest database migration that this version of the service requires. The database has it.",
      examples: ["0026_summaries.sql"],
    }),
  })
  .openapi("Readiness");
export type Readiness = z.infer<typeof Readiness>;

export const getReadiness = createRoute({
  operationId: "getReadiness",
  ...sdkMethod({ method: "health.ready" }),
  ...sdkExample(`
    const { migration } = await engram.health.ready();
  `),
  method: "get",
  path: "/ready",
  tags: ["Health"],
  summary: "Check that the service is ready",
  description:
    "Needs no API key, and responds under any `Host`. Reads the database once, and succeeds if the database has every migration that this version requires. Does not check the embedding model or the vector store: without them everything works except semantic search, and a `hybrid` search reports that in `degraded`.",
  security: requiresNothing,
  responses: {
    200: jsonAnswer("The database responds and has every migration that this version requires.", Readiness),
    ...problems("internal", "unavailable"),
  },
});
