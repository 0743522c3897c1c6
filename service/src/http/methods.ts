import type { Hono, MiddlewareHandler, NotFoundHandler } from "hono";
import { ApiError, notFound } from "../errors.ts";
import type { AppEnv } from "../invocation.ts";

const METHODS = ["DELETE", "GET", "PATCH", "POST", "PUT"];

/** Lists the methods of the path in the header `Allow` of each response to OPTIONS. */
export function listMethods(app: Hono<AppEnv>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const methods = c.req.method === "OPTIONS" ? methodsOf(app, c.req.path) : [];
    if (methods.length > 0) c.header("allow", methods.join(", "));
    await next();
  };
}

/**
 * Answers requests that no route handles.
 *
 * @throws {ApiError} `not_found` for an unknown path, `method_not_allowed` for a path with other methods.
 */
export function answerUnrouted(app: Hono<AppEnv>): NotFoundHandler<AppEnv> {
  return (c) => {
    const methods = methodsOf(app, c.req.path);
    if (methods.length === 0) throw notFound("resource");
    if (c.req.method === "OPTIONS") return c.body(null, 204);
    const allowed = methods.join(", ");
    c.header("allow", allowed);
    throw new ApiError(
      "method_not_allowed",
      `This path does not have the method ${c.req.method}. It has ${allowed}.`,
    );
  };
}

/**
 * Methods of the routes that match the path; empty for an unknown path. Depends on nothing but the routes, so that a
 * response does not tell which items exist.
 */
function methodsOf(app: Hono<AppEnv>, path: string): string[] {
  const own = METHODS.filter((method) =>
    // Middleware matches, too, with the method `ALL`.
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  );
  if (own.length === 0) return [];
  return [...own, ...(own.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
}
