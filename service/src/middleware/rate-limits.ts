import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { RateLimitBinding } from "../ports/rate-limits.ts";

/** What refuses first is named first; both stand in `RATE_LIMIT_POLICY` under these names. */
const LIMITS = [
  { name: "key", binding: "KEY_RATE_LIMIT", whose: "This key" },
  { name: "organization", binding: "ORGANIZATION_RATE_LIMIT", whose: "This organization" },
] as const;

/**
 * Refuses what a key, or all keys of an organization together, ask for beyond their rate, before
 * anything is read or written.
 *
 * Cloudflare counts at each of its locations on its own and about, and only says yes or no: so the
 * policy is told with every answer, and how much of it is left never.
 */
export const limitRates: MiddlewareHandler<AppEnv> = async (c, next) => {
  // Absent for the operator, whom nothing limits.
  const principal = c.get("request")?.principal;
  if (principal === undefined) return next();
  const policy = c.env.RATE_LIMIT_POLICY;
  c.header("ratelimit-policy", policy);
  const ids = { key: principal.keyId, organization: principal.organizationId };
  // One after the other: what a key is refused must not count against the other keys of its organization.
  for (const { name, binding, whose } of LIMITS) {
    if (await isWithin(c.env[binding], ids[name], c.var.service.log)) continue;
    throw new ApiError("rate_limited", `${whose} sends too many requests; nothing was done.`, {
      retryAfterSeconds: windowSeconds(policy, name),
    });
  }
  await next();
};

async function isWithin(binding: RateLimitBinding, key: string, log: Log): Promise<boolean> {
  try {
    return (await binding.limit({ key })).success;
  } catch (error) {
    // Who cannot be counted is let through: a limit is for the neighbours' sake, no lock.
    log.error("rate not limited", error);
    return true;
  }
}

/** The window of a policy `"key";q=1000;w=10, "organization";q=3000;w=10`, in seconds. */
function windowSeconds(policy: string, name: string): number {
  const item = policy.split(",").find((text) => text.includes(`"${name}"`));
  return Number(/;\s*w=(\d+)/.exec(item ?? "")?.[1] ?? 60);
}
