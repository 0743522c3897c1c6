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

export const Readiness = z
  .strictObject({
    status: z.literal("ready"),
    migration: z.string().meta({
      description: "Newest migration that this version needs.",
      examples: ["0002_message_traits.sql"],
    }),
  })
  .openapi("Readiness");
export type Readiness = z.infer<typeof Readiness>;

export const getReadiness = createRoute({
  operationId: "getReadiness",
  method: "get",
  path: "/ready",
  tags: ["Health"],
  summary: "Check that the service can work",
  description:
    "Reads the database once, without a key, and answers when it is there with every migration that this version needs. The embedding model and the vector store are not asked: without them everything works but search by meaning, and each search says so in `degraded`.",
  security: requiresNothing,
  responses: {
    200: jsonAnswer("The database is there and up to date.", Readiness),
    ...problems("forbidden", "internal", "unavailable"),
  },
});
