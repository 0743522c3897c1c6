import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv, InvokeDeliver, Isolate } from "./invocation.ts";
import { createInvocation } from "./isolate.ts";
import { createId } from "./platform/ids.ts";
import { createLog, toFields } from "./platform/log.ts";
import type { Meter } from "./platform/meter.ts";
import { backgroundOf } from "./sweep.ts";
import { countRequest, watchUsage } from "./usage/service.ts";

const FIRST_ERROR_STATUS = 400;

/** @param toLoggedPath Removes texts of callers from a path. */
export function openRequest(
  isolate: Isolate,
  toLoggedPath: (path: string) => string,
): MiddlewareHandler<AppEnv> {
  const { runtime } = isolate;
  // An MCP request passes here several times, as the request to /mcp and as the API requests that it becomes, but counts
  // as one request of the key. Each of its tool calls also counts once for its operation.
  const counted = new WeakSet<object>();
  return async (c, next) => {
    const startMs = runtime.nowMs();
    const { PASSED: passed } = c.env;
    const requestId = passed?.requestId ?? createId(runtime, "req");
    const { method, path } = c.req;
    const log = createLog(runtime, { request_id: requestId, method, path: toLoggedPath(path) });
    // Not through `c`, which background work would keep in memory, with the body of the request.
    const { executionCtx } = c;
    const waitUntil = (work: Promise<unknown>) => executionCtx.waitUntil(work);
    const invokeDeliver: InvokeDeliver = (due) => backgroundOf(executionCtx).deliver(due);
    const service = createInvocation({
      ...{ env: c.env, requestId, log, waitUntil },
      ...(passed === undefined
        ? { isolate, invokeDeliver }
        : {
            isolate: { ...isolate, usage: passed.usage },
            organizationId: passed.principal.organizationId,
          }),
    });
    c.set("requestId", requestId);
    c.set("caller", { ...service, kind: "anonymous", principal: null });
    await next();
    // The Worker logs and counts the request, and writes its counts.
    if (passed !== undefined)
      return passed.ended({ problem: c.var.problem ?? null, costs: service.meter.costs });
    const endMs = runtime.nowMs();
    const durationMs = endMs - startMs;
    c.header("x-request-id", requestId);
    c.header("server-timing", toServerTiming(service.meter, durationMs));
    log.info("request", { ...describe(c), ...toFields(service.meter, durationMs) });
    const { caller } = c.var;
    if (caller.kind !== "key") return;
    const requests = counted.has(c.executionCtx) ? 0 : 1;
    const call = c.env.MCP_CALL;
    const calls = call !== undefined && counted.has(call) ? 0 : 1;
    countRequest(caller, { requests, calls, isError: c.res.status >= FIRST_ERROR_STATUS });
    counted.add(c.executionCtx);
    if (call !== undefined) counted.add(call);
    watchUsage(service, endMs);
  };
}

/** Fields that the log states about a request. They contain no content of the request. */
function describe(c: Context<AppEnv>) {
  const { principal } = c.var.caller;
  return {
    operation: c.var.operation ?? null,
    organization_id: principal?.organizationId ?? null,
    key_prefix: principal?.keyPrefix ?? null,
    status: c.res.status,
    code: c.var.problem ?? null,
  };
}

function toServerTiming(meter: Meter, durationMs: number): string {
  const bindings = (["d1", "ai", "vectorize"] as const)
    .filter((name) => meter[name].count > 0)
    .map((name) => `${name};dur=${meter[name].durationMs};desc="calls: ${meter[name].count}"`);
  const statements =
    meter.d1.count > 0
      ? [
          `sql;dur=${Math.round(meter.sqlMs)}`,
          `rows;desc="read: ${meter.rowsRead}, written: ${meter.rowsWritten}"`,
        ]
      : [];
  return [`total;dur=${durationMs}`, ...bindings, ...statements].join(", ");
}
