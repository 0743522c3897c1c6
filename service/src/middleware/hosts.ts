import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";

/**
 * Rejects requests without a single host name, or with a host that the deployment does not allow.
 *
 * This prevents DNS rebinding: a page of another site can point its own name at this machine, but its
 * requests carry that name in `Host`.
 */
export const checkHost: MiddlewareHandler<AppEnv> = async (c, next) => {
  const allowed = (c.env.ALLOWED_HOSTS ?? "").split(",").filter((host) => host !== "");
  const named = c.req.header("host");
  // Two headers arrive joined by a comma, which makes the URL invalid.
  if (named?.includes(",") || !URL.canParse(c.req.url)) {
    throw new ApiError("validation_failed", "Send one `Host` header that names one host.");
  }
  if (allowed.length > 0 && !allowed.includes(named ?? new URL(c.req.url).host)) {
    throw new ApiError("forbidden", "This host name is not served here.");
  }
  await next();
};
