import { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import { getPathNoStrict } from "hono/utils/url";
import { purgeApart } from "./deletions/purge.ts";
import { enrichDue } from "./enrichment/service.ts";
import { notFound } from "./errors.ts";
import { registerConsole } from "./http/console.ts";
import { registerDocs } from "./http/docs.ts";
import { checkHost } from "./http/hosts.ts";
import { toLoggedPath } from "./http/logged-path.ts";
import { answerUnrouted, listMethods } from "./http/methods.ts";
import { registerPages } from "./http/pages.ts";
import { toProblemResponse, toValidationError } from "./http/problems.ts";
import { indexShare } from "./indexing/sweep.ts";
import type { AppEnv, Env, InvocationEnv, Isolate } from "./invocation.ts";
import { openIsolate, runLogged } from "./isolate.ts";
import type { DueConversation } from "./jobs/queries.ts";
import { SERVICE_LIMITS } from "./limits.ts";
import { SocketHub } from "./live/hub.ts";
import { registerSocket } from "./live/socket.ts";
import { registerMcp } from "./mcp/route.ts";
import { registerOAuth } from "./oauth/endpoints.ts";
import { createLog } from "./platform/log.ts";
import type { Runtime } from "./platform/runtime.ts";
import { openRequest } from "./requests.ts";
import { registerRoutes } from "./routes.ts";
import { summarizeDue } from "./summaries/run.ts";
import { backgroundOf, type Invocations, sweep } from "./sweep.ts";
import { deliverShare } from "./webhooks/deliveries.ts";
import type { WebhookRef } from "./webhooks/queries.ts";

/**
 * The returned functions share one `Isolate`, the state that is kept between requests. The handler of the cron trigger,
 * `scheduled`, runs `index`, `enrich`, `summarize`, `purge` and `deliver` in separate invocations through the Worker's export
 * `Background`.
 */
export function createWorker(runtime: Runtime, limits = SERVICE_LIMITS) {
  const isolate = openIsolate(runtime, limits);
  // Without `invokeDeliver`: Cloudflare limits the invocations that follow from a sweep, and it starts them itself.
  const invocation = (env: Env, ctx: ExecutionContext): InvocationEnv => ({
    isolate,
    env,
    log: createLog(runtime),
    waitUntil: (work) => ctx.waitUntil(work),
  });
  const handlers = {
    fetch: createApp(isolate).fetch,
    async scheduled(_controller, env, ctx) {
      const invocations: Invocations = {
        index: (due) => backgroundOf(ctx).index(due),
        enrich: () => backgroundOf(ctx).enrich(),
        summarize: () => backgroundOf(ctx).summarize(),
        purge: () => backgroundOf(ctx).purge(),
        deliver: (due) => backgroundOf(ctx).deliver(due),
      };
      await runLogged(invocation(env, ctx), "sweep", (service) => sweep(service, invocations));
    },
  } satisfies ExportedHandler<Env>;
  /** Resolves to true if the embedding model or the vector store was down, or the run failed. */
  const index = async (due: DueConversation[], env: Env, ctx: ExecutionContext): Promise<boolean> =>
    (await runLogged(invocation(env, ctx), "index", (service) => indexShare(service, due))) ?? true;
  /** Resolves to false if no text model is configured, or if an enrichment or the whole run failed. */
  const enrich = async (env: Env, ctx: ExecutionContext): Promise<boolean> =>
    (await runLogged(invocation(env, ctx), "enrich", (service) => enrichDue(service))) ?? false;
  /** Resolves to true if more summaries may be due; false if none is, or one or the whole run failed. */
  const summarize = async (env: Env, ctx: ExecutionContext): Promise<boolean> =>
    (await runLogged(invocation(env, ctx), "summarize", summarizeDue)) ?? false;
  /** Resolves to true if more is left to purge; false if nothing is, or the run failed. */
  const purge = async (env: Env, ctx: ExecutionContext): Promise<boolean> =>
    (await runLogged(invocation(env, ctx), "purge", purgeApart)) ?? false;
  /** Continues after it resolves, so that it outlives the invocation that starts it. */
  const deliver = async (due: WebhookRef[], env: Env, ctx: ExecutionContext): Promise<void> =>
    ctx.waitUntil(
      runLogged(
        { ...invocation(env, ctx), invokeDeliver: (next) => backgroundOf(ctx).deliver(next) },
        "deliver webhooks",
        (service) => deliverShare(service, due),
      ),
    );
  const openHub = (state: DurableObjectState, env: Env) => new SocketHub(state, env, isolate);
  return { handlers, index, enrich, summarize, purge, deliver, openHub };
}

export function createApp(isolate: Isolate): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({
    // Without a slash at its end, which clients add to base URLs. A redirect would lose the body of a POST.
    // The URL of `OPTIONS *` is `*`. Hono would find each middleware twice for it.
    getPath: (request) => (URL.canParse(request.url) ? getPathNoStrict(request) : "/"),
    defaultHook: (result) => {
      if (result.success) return;
      // An invalid id in the path gets 404, as an unknown id does, so that callers do not depend on the form of ids.
      if (result.target === "param") throw notFound("resource");
      throw toValidationError(result.error);
    },
  });
  app.onError(toProblemResponse);
  app.notFound(answerUnrouted(app));
  app.use(openRequest(isolate, toLoggedPath(app)), checkHost, listMethods(app));
  app.use(
    "/v1/*",
    cors({
      origin: "*",
      allowHeaders: ["authorization", "content-type", "idempotency-key", "if-match", "last-event-id"],
      exposeHeaders: [
        "allow",
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
  registerConsole(app);
  registerPages(app);
  registerMcp(app);
  registerOAuth(app);
  registerSocket(app);
  return app;
}
