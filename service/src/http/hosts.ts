import { getHealth, getReadiness } from "@engram/spec";
import type { MiddlewareHandler } from "hono";
import { ApiError } from "../errors.ts";
import type { AppEnv, Env } from "../invocation.ts";
import { publicHosts } from "./public-urls.ts";

/**
 * Answered under any `Host`: load balancers and container runtimes check an instance by its address. The responses contain
 * no stored data.
 */
const OPEN_PATHS: readonly string[] = [getHealth.path, getReadiness.path];

/**
 * Rejects requests whose `Host` is not allowed. This prevents DNS rebinding: another site can point its own host
 * name at the address of this service, but requests from its pages have that name in `Host`.
 */
export const checkHost: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (OPEN_PATHS.includes(c.req.path)) return next();
  const requestedHost = c.req.header("host");
  // The runtime joins two `Host` headers with a comma. `OPTIONS *` has a URL that cannot be parsed.
  if (requestedHost?.includes(",") || !URL.canParse(c.req.url)) {
    throw new ApiError(
      "validation_failed",
      "Send one `Host` header with one host name, and a path as the target of the request.",
    );
  }
  if (!isAllowed(requestedHost ?? new URL(c.req.url).host, c.env)) {
    throw new ApiError(
      "host_not_allowed",
      "The service does not accept this `Host`. Add it to `ALLOWED_HOSTS` (deployment) or `ENGRAM_ALLOWED_HOSTS` (`npm start`), or the URL of a proxy to `PUBLIC_URLS` or `ENGRAM_PUBLIC_URLS`.",
    );
  }
  await next();
};

/** An empty `ALLOWED_HOSTS` allows every host. A name without a port allows every port. */
function isAllowed(requested: string, env: Env): boolean {
  const { ALLOWED_HOSTS: allowed = "" } = env;
  if (allowed === "") return true;
  const host = requested.toLowerCase();
  const spellings = [host, host.replace(/:\d+$/, "")];
  const isOneOf = (names: string[]) => names.some((name) => spellings.includes(name.trim().toLowerCase()));
  // Most requests are for a listed host, so that no URL is parsed.
  return host !== "" && (isOneOf(allowed.split(",")) || isOneOf(publicHosts(env)));
}
