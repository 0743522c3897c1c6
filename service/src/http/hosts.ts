import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";

/**
 * Rejects requests whose `Host` is not allowed. This prevents DNS rebinding: a page of another site can point its own
 * name at this machine, but its requests carry that name in `Host`.
 */
export const checkHost: MiddlewareHandler<AppEnv> = async (c, next) => {
  const allowed = (c.env.ALLOWED_HOSTS ?? "").split(",").filter((host) => host !== "");
  const requestedHost = c.req.header("host");
  // If a request has two `Host` headers, the runtime joins them with a comma.
  if (requestedHost?.includes(",") || !URL.canParse(c.req.url)) {
    throw new ApiError("validation_failed", "Send one `Host` header with one host name.");
  }
  if (allowed.length > 0 && !allowed.includes(requestedHost ?? new URL(c.req.url).host)) {
    throw new ApiError(
      "forbidden",
      "The service does not accept requests for this host name. Use one that the operator has allowed.",
    );
  }
  await next();
};
