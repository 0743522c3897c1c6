import { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import { type AppEnv, type Env, runLogged } from "./context.ts";
import { registerDocs } from "./docs.ts";
import { notFound } from "./errors.ts";
import { createLog } from "./log.ts";
import { registerMcp } from "./mcp/route.ts";
import { checkHost } from "./middleware/hosts.ts";
import { openRequest } from "./middleware/requests.ts";
import { toProblemResponse, toValidationError } from "./problems.ts";
import { registerRoutes } from "./routes.ts";
import type { Runtime } from "./runtime.ts";
import { sweep } from "./services/sweep.ts";
import { UsageCounts } from "./services/usage-counts.ts";

/** The service as Cloudflare runs it: requests and the cron, which count usage together. */
export function createWorker(runtime: Runtime) {
  const usage = new UsageCounts();
  return {
    fetch: createApp(runtime, usage).fetch,
    async scheduled(_controller, env, ctx) {
      const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
      await runLogged({ env, runtime, usage, log: createLog({}), waitUntil }, "sweep", sweep);
    },
  } satisfies ExportedHandler<Env>;
}

/** The HTTP face of the service. */
export function createApp(runtime: Runtime, usage = new UsageCounts()): OpenAPIHono<AppEnv> {
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
  app.use(openRequest(runtime, usage), checkHost);
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
