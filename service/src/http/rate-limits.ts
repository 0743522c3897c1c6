import type { Context, MiddlewareHandler } from "hono";
import { ApiError } from "../errors.ts";
import type { AppEnv } from "../invocation.ts";
import type { Log } from "../platform/log.ts";
import { type RateLimitBinding, rateOf } from "../platform/rate-limits.ts";

/** Rate limits in the order in which they are checked. `RATE_LIMIT_POLICY` uses the same names. */
const LIMITS = [
  { name: "key", binding: "KEY_RATE_LIMIT", subject: "This key" },
  { name: "organization", binding: "ORGANIZATION_RATE_LIMIT", subject: "This organization" },
] as const;

/** Period of `ADDRESS_RATE_LIMIT`. */
const ADDRESS_SECONDS = 60;

export const limitRates: MiddlewareHandler<AppEnv> = async (c, next) => {
  const refusal = await countRequest(c);
  if (refusal !== null) throw refusal;
  await next();
};

/**
 * Counts a request. Resolves to an error if it exceeds a limit, otherwise to null.
 *
 * Cloudflare counts approximately, at each of its locations separately, and returns only whether the request is within
 * the limit. So every response to a request with a key states the policy, and none states the remaining quota.
 */
export async function countRequest(c: Context<AppEnv>): Promise<ApiError | null> {
  const { principal, log } = c.var.caller;
  if (principal === null) return null;
  const policy = c.env.RATE_LIMIT_POLICY;
  if (policy !== undefined) c.header("ratelimit-policy", policy);
  const ids = { key: principal.keyId, organization: principal.organizationId };
  // One after the other: a request that the key's limit rejects must not count for the organization.
  for (const { name, binding, subject } of LIMITS) {
    const limiter = c.env[binding];
    if (limiter === undefined || (await isWithin(limiter, ids[name], log))) continue;
    return new ApiError(
      "rate_limited",
      `${subject} has exceeded its rate limit. Nothing was done; wait before you send the request again.`,
      {
        retryAfterSeconds: rateOf(policy, name)?.seconds ?? 60,
      },
    );
  }
  return null;
}

/**
 * Counts a request without a key by the address of its client. Resolves to an error if it exceeds the limit, otherwise
 * to null. Only Cloudflare knows the address.
 */
export async function countAddress(c: Context<AppEnv>, purpose: string): Promise<ApiError | null> {
  const address = c.req.header("cf-connecting-ip");
  const limiter = c.env.ADDRESS_RATE_LIMIT;
  if (limiter === undefined || address === undefined) return null;
  if (await isWithin(limiter, `${purpose} ${address}`, c.var.caller.log)) return null;
  return new ApiError(
    "rate_limited",
    "Too many requests came from this address. Wait before you try again.",
    {
      retryAfterSeconds: ADDRESS_SECONDS,
    },
  );
}

async function isWithin(binding: RateLimitBinding, key: string, log: Log): Promise<boolean> {
  try {
    return (await binding.limit({ key })).success;
  } catch (error) {
    // If counting fails, the request is allowed: rate limits protect other tenants; they are not access control.
    log.error("rate not limited", error);
    return true;
  }
}
