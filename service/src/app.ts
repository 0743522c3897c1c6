import { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import type { AppEnv } from "./context.ts";
import { registerDocs } from "./docs.ts";
import { notFound } from "./errors.ts";
import { registerMcp } from "./mcp/route.ts";
import { checkHost } from "./middleware/hosts.ts";
import { openRequest } from "./middleware/requests.ts";
import { toProblemResponse, toValidationError } from "./problems.ts";
import { registerRoutes } from "./routes.ts";
import { type Runtime, systemRuntime } from "./runtime.ts";

/** The HTTP face of the service. */
export function createApp(runtime: Runtime = systemRuntime): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      // What an id may look like is nobody's business: one that is too long simply names nothing.
      if (result.target === "param") throw notFound("resource");
      throw toValidationError(result.error);
    },
  });
  app.onError(toProblemResponse);
  app.notFound(() => {
    throw notFound("resource");
  });
  app.use(openRequest(runtime), checkHost);
  app.use(
    "/v1/*",
    cors({
      origin: "*",
      allowHeaders: ["authorization", "content-type", "idempotency-key", "if-match"],
      exposeHeaders: [
        "etag",
        "idempotent-replayed",
        "ratelimit-policy",
        "retry-after",
        "server-timing",
        "x-request-id",
      ],
      maxAge: 86_400,
    }),
  );
  registerRoutes(app);
  registerDocs(app);
  registerMcp(app);
  return app;
}
