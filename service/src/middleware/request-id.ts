import type { MiddlewareHandler } from "hono";
import { type AppEnv, createServiceContext } from "../context.ts";
import { createId } from "../ids.ts";
import type { Runtime } from "../runtime.ts";

/** Names the request and hands the services their bindings. */
export function openRequest(runtime: Runtime): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const requestId = createId(runtime, "req");
    c.set("requestId", requestId);
    c.header("x-request-id", requestId);
    const defer = (work: Promise<unknown>) =>
      c.executionCtx.waitUntil(
        work.catch((error: unknown) =>
          console.error(JSON.stringify({ request_id: requestId, error: String(error) })),
        ),
      );
    c.set("service", createServiceContext(c.env, runtime, defer));
    await next();
  };
}
