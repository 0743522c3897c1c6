import { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import { type AppEnv, type Env, runLogged, type Surroundings } from "./context.ts";
import { registerDocs } from "./docs.ts";
import { notFound } from "./errors.ts";
import { SERVICE_LIMITS } from "./limits.ts";
import { createLog } from "./log.ts";
import { registerMcp } from "./mcp/route.ts";
import { checkHost } from "./middleware/hosts.ts";
import { openRequest } from "./middleware/requests.ts";
import { toProblemResponse, toValidationError } from "./problems.ts";
import type { DueConversation } from "./queries/index-jobs.ts";
import { registerRoutes } from "./routes.ts";
import type { Runtime } from "./runtime.ts";
import { enrichDue } from "./services/enrichment.ts";
import { indexShare } from "./services/indexing.ts";
import { type Apart, sweep } from "./services/sweep.ts";
import { UsageCounts } from "./services/usage-counts.ts";
import { openTurns } from "./text/pace.ts";

/**
 * Entry points of the Worker: requests, the cron, and the invocations that the cron starts through the export
 * `Background`. They share one set of usage counts.
 */
export function createWorker(runtime: Runtime) {
  const usage = new UsageCounts();
  const turns = openTurns(runtime);
  const surroundings = (env: Env, ctx: ExecutionContext): Surroundings => ({
    env,
    runtime,
    limits: SERVICE_LIMITS,
    usage,
    turns,
    log: createLog({}),
    waitUntil: (work) => ctx.waitUntil(work),
  });
  const handlers = {
    fetch: createApp(runtime, usage, SERVICE_LIMITS, turns).fetch,
    async scheduled(_controller, env, ctx) {
      const background = () => (ctx.exports as unknown as { Background: Apart }).Background;
      const apart: Apart = {
        index: (due) => background().index(due),
        enrich: () => background().enrich(),
      };
      await runLogged(surroundings(env, ctx), "sweep", (service) => sweep(service, apart));
    },
  } satisfies ExportedHandler<Env>;
  /** Resolves to whether a dependency of indexing was down. */
  const index = async (due: DueConversation[], env: Env, ctx: ExecutionContext): Promise<boolean> =>
    (await runLogged(surroundings(env, ctx), "index", (service) => indexShare(service, due))) ?? true;
  /** Resolves to whether the text model answers. */
  const enrich = async (env: Env, ctx: ExecutionContext): Promise<boolean> =>
    (await runLogged(surroundings(env, ctx), "enrich", (service) => enrichDue(service))) ?? false;
  return { handlers, index, enrich };
}

export function createApp(
  runtime: Runtime,
  usage = new UsageCounts(),
  limits = SERVICE_LIMITS,
  turns = openTurns(runtime),
): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      // The format of ids is internal. An id that is too long names nothing, so it is answered as not found.
      if (result.target === "param") throw notFound("resource");
      throw toValidationError(result.error);
    },
  });
  app.onError(toProblemResponse);
  app.notFound(() => {
    throw notFound("resource");
  });
  app.use(openRequest({ runtime, usage, limits, turns }), checkHost);
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
