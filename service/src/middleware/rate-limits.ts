import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { RateLimitBinding } from "../ports/rate-limits.ts";

/** What refuses first is named first; both stand in `RATE_LIMIT_POLICY` under these names. */
const LIMITS = [
  { name: "key", binding: "KEY_RATE_LIMIT", whose: "This key" },
  { name: "organization", binding: "ORGANIZATION_RATE_LIMIT", whose: "This organization" },
] as const;

/** Lets every request through: for what is counted already. */
export const UNLIMITED: RateLimitBinding = { limit: async () => ({ success: true }) };

/**
 * Refuses what a key, or all keys of an organization together, ask for beyond their rate, before
 * anything is read or written.
 */
export const limitRates: MiddlewareHandler<AppEnv> = async (c, next) => {
  const refusal = await countRequest(c);
  if (refusal !== null) throw refusal;
  await next();
};

/**
 * Count a request for its key and organization; the problem of one that is too many, else null.
 *
 * Cloudflare counts at each of its locations on its own and approximately, and answers only yes or no. So every
 * answer names the policy, and none says how much of it is left.
 */
export async function countRequest(c: Context<AppEnv>): Promise<ApiError | null> {
  // Absent for the operator, whom nothing limits.
  const principal = c.get("request")?.principal;
  if (principal === undefined) return null;
  const policy = c.env.RATE_LIMIT_POLICY;
  c.header("ratelimit-policy", policy);
  const ids = { key: principal.keyId, organization: principal.organizationId };
  // One after the other: what a key is refused must not count against the other keys of its organization.
  for (const { name, binding, whose } of LIMITS) {
    if (await isWithin(c.env[binding], ids[name], c.var.service.log)) continue;
    return new ApiError("rate_limited", `${whose} sends too many requests; nothing was done.`, {
      retryAfterSeconds: windowSeconds(policy, name),
    });
  }
  return null;
}

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
