import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";

/**
 * Refuses requests that name another host than the deployment allows.
 *
 * A page of a foreign site can point its own name at this machine; the Host it sends gives it away.
 */
export const checkHost: MiddlewareHandler<AppEnv> = async (c, next) => {
  const allowed = (c.env.ALLOWED_HOSTS ?? "").split(",").filter((host) => host !== "");
  const { host } = new URL(c.req.url);
  if (allowed.length > 0 && !allowed.includes(c.req.header("host") ?? host)) {
    throw new ApiError("forbidden", "This host name is not served here.");
  }
  await next();
};
