import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";

/**
 * Refuses requests that name no host or several, or another one than the deployment allows.
 *
 * A page of a foreign site can point its own name at this machine; the Host it sends gives it away.
 */
export const checkHost: MiddlewareHandler<AppEnv> = async (c, next) => {
  const allowed = (c.env.ALLOWED_HOSTS ?? "").split(",").filter((host) => host !== "");
  const named = c.req.header("host");
  // Two headers arrive as one with a comma, and with them a URL that is none.
  if (named?.includes(",") || !URL.canParse(c.req.url)) {
    throw new ApiError("validation_failed", "Send one `Host` header that names one host.");
  }
  if (allowed.length > 0 && !allowed.includes(named ?? new URL(c.req.url).host)) {
    throw new ApiError("forbidden", "This host name is not served here.");
  }
  await next();
};
