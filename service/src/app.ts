import { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import { getPathNoStrict } from "hono/utils/url";
import { OrganizationCell } from "./cell.ts";
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
import { SERVICE_LIMITS } from "./limits.ts";
import { SocketHub } from "./live/hub.ts";
import { registerSocket } from "./live/socket.ts";
import { registerMcp } from "./mcp/route.ts";
import { registerOAuth } from "./oauth/endpoints.ts";
import { answerErrors } from "./openai/errors.ts";
import { createLog } from "./platform/log.ts";
import type { Runtime } from "./platform/runtime.ts";
import { openRequest } from "./requests.ts";
import { registerRoutes } from "./routes.ts";
import { summarizeDue } from "./summaries/run.ts";
import { backgroundOf, deleteApart, type Invocations, sweep } from "./sweep.ts";
import { archiveApart } from "./transfer/archives.ts";
import { deliverShare } from "./webhooks/deliveries.ts";
import type { WebhookRef } from "./webhooks/queries.ts";

/**
 * The returned functions share one `Isolate`, the state that is kept between requests. The handler of the cron trigger,
 * `scheduled`, runs the methods of `backgroundIn` in separate invocations through the Worker's export `Background`.
 */
export function createWorker(runtime: Runtime, limits = SERVICE_LIMITS) {
  const isolate = openIsolate(runtime, limits);
  // Without `invokeDeliver`: Cloudflare limits the invocations that follow from a sweep, and it starts them itself.
  const invocation = (env: Env, ctx: ExecutionContext, organizationId?: string): InvocationEnv => ({
    isolate,
    env,
    log: createLog(runtime),
    ...(organizationId === undefined ? {} : { organizationId }),
    waitUntil: (work) => ctx.waitUntil(work),
  });
  const { fetch } = createApp(isolate);
  const handlers = {
    fetch,
    async scheduled(_controller, env, ctx) {
      const invocations: Invocations = {
        index: (due) => backgroundOf(ctx).index(due),
        enrich: () => backgroundOf(ctx).enrich(),
        summarize: () => backgroundOf(ctx).summarize(),
        archive: () => backgroundOf(ctx).archive(),
        purge: () => backgroundOf(ctx).purge(),
        deliver: (due) => backgroundOf(ctx).deliver(due),
      };
      await runLogged(invocation(env, ctx), "sweep", (service) => sweep(service, invocations));
    },
  } satisfies ExportedHandler<Env>;
  /** What the Worker's export `Background` does. */
  const backgroundIn = (env: Env, ctx: ExecutionContext): Invocations => ({
    ...background(invocation(env, ctx)),
    deliver: (due: WebhookRef[]) =>
      background({
        // All are in one database.
        ...invocation(env, ctx, due[0]?.organizationId),
        invokeDeliver: (next) => backgroundOf(ctx).deliver(next),
      }).deliver(due),
  });
  const openCell = (state: DurableObjectState, env: Env, scan: WebAssembly.Module) =>
    new OrganizationCell(state, env, { isolate, fetch, background, scan });
  const openHub = (state: DurableObjectState, env: Env) => new SocketHub(state, env, isolate);
  return { handlers, backgroundIn, openCell, openHub };
}

/** The separate runs of a sweep, each with its own log line, in the environment of one. */
export const background = (environment: InvocationEnv): Invocations => ({
  index: async (due) =>
    (await runLogged(environment, "index", (service) => indexShare(service, due))) ?? true,
  enrich: async () => (await runLogged(environment, "enrich", (service) => enrichDue(service))) ?? false,
  summarize: async () => (await runLogged(environment, "summarize", summarizeDue)) ?? false,
  archive: async () => (await runLogged(environment, "archive", archiveApart)) ?? false,
  purge: async () => (await runLogged(environment, "purge", deleteApart)) ?? false,
  // Continues after it resolves, so that it outlives the invocation that starts it.
  deliver: async (due) =>
    environment.waitUntil(
      runLogged(environment, "deliver webhooks", (service) => deliverShare(service, due)),
    ),
});

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
  app.use("/v1/openai/*", answerErrors);
  registerRoutes(app);
  // Its error passes through the middleware above, which that of `app.notFound` does not.
  app.all("/v1/openai/*", answerUnrouted(app));
  registerDocs(app);
  registerConsole(app);
  registerPages(app);
  registerMcp(app);
  registerOAuth(app);
  registerSocket(app);
  return app;
}
