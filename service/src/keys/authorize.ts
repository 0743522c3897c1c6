import type { Scope } from "@engram/spec";
import type { Context, MiddlewareHandler } from "hono";
import { ApiError, notFound } from "../errors.ts";
import { isAccessToken } from "../grants/records.ts";
import { bearerToken } from "../http/headers.ts";
import { publicUrl } from "../http/public-urls.ts";
import type { AppEnv, McpCall } from "../invocation.ts";
import { agentFor, userFor } from "../platform/bindings.ts";
import { equalSecrets } from "../platform/digest.ts";
import { openKeyCaller } from "../platform/key-callers.ts";
import type { Principal } from "../platform/principal.ts";
import { KEY_PREFIX } from "./secrets.ts";
import { authenticate, authenticateAssertion, authenticateToken } from "./service.ts";

export const ASSERTION_HEADER = "cf-access-jwt-assertion";

/**
 * Security requirements of an operation, one of which a request must meet. Each names a scheme (`apiKey` or
 * `adminToken`) and the required scopes. `{}` allows requests without credentials. Of `signInCode`, the operation checks
 * the code itself, because that uses it up.
 */
export type Security = readonly Record<string, readonly string[]>[];

/**
 * Sets the caller of a request, and rejects requests that meet no requirement.
 *
 * @throws {ApiError} `unauthenticated` without a valid key or token, `forbidden` without the scope, `not_found` for an
 *   operation that accepts only the admin token if the deployment has none, `unavailable` if a token of Cloudflare
 *   Access cannot be checked.
 */
export function authorize(security: Security): MiddlewareHandler<AppEnv> {
  const scopes = security.find((alternative) => "apiKey" in alternative)?.apiKey as Scope[] | undefined;
  const forOperator = security.some((alternative) => "adminToken" in alternative);
  const forAnybody = security.some(
    (alternative) => Object.keys(alternative).length === 0 || "signInCode" in alternative,
  );
  return async (c, next) => {
    const { PASSED: passed } = c.env;
    // The Worker has authenticated it.
    if (passed !== undefined) enter(c, passed.principal, passed.tool);
    else if (!forAnybody) {
      const token = bearerToken(c.req);
      const { access } = c.var.caller;
      const assertion = c.req.header(ASSERTION_HEADER);
      if (scopes !== undefined && token?.startsWith(KEY_PREFIX))
        await admit(c, await authenticate(c.var.caller, token), scopes);
      // The header `Authorization`, even if it is invalid, takes precedence over an assertion: the token that
      // Cloudflare Access adds to a request.
      else if (scopes !== undefined && access && assertion && !c.req.header("authorization"))
        await admit(c, await authenticateAssertion(c.var.caller, access, assertion), scopes);
      else if (scopes !== undefined && token !== null && isAccessToken(token))
        await admit(c, await authenticateToken(c.var.caller, token, rootOf(c)), scopes);
      else if (forOperator) await admitOperator(c, token, scopes === undefined);
      else throw unauthenticated();
    }
    await next();
  };
}

/** Checks the key after an operation that had nothing to read, such as a context of nothing. */
export const checkKey: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { caller } = c.var;
  if (caller.kind === "key" && c.res.ok) await caller.checkKey();
};

/** URL of the service for the client: a request that the MCP endpoint makes does not have the headers of a proxy. */
const rootOf = (c: Context<AppEnv>): string => c.env.MCP_CALL?.root ?? publicUrl(c);

async function admit(
  c: Context<AppEnv>,
  authenticated: Principal | null,
  scopes: readonly Scope[],
): Promise<void> {
  if (authenticated === null) throw unauthenticated();
  const call = c.env.MCP_CALL;
  const principal = call === undefined ? authenticated : narrowed(authenticated, call.binding);
  // Before the scope check, because a rejected request also counts as a use of the key.
  enter(c, principal, call?.tool ?? null);
  const missing = scopes.filter((scope) => !principal.scopes.includes(scope));
  if (missing.length > 0) {
    throw new ApiError(
      "forbidden",
      `This operation requires a key with the scope \`${missing.join("`, `")}\`.`,
    );
  }
}

function enter(c: Context<AppEnv>, principal: Principal, tool: string | null): void {
  const place = { operation: c.var.operation ?? null, tool };
  c.set("caller", openKeyCaller(c.var.caller.at(principal.organizationId), principal, place));
}

/**
 * The principal, limited to an agent and a user as if its key were bound to them, so without the scope `admin`.
 *
 * @throws {ApiError} `forbidden` when the key is bound to another agent or user.
 */
export function narrowed(principal: Principal, binding: McpCall["binding"]): Principal {
  if (binding.agentId === null && binding.userId === null) return principal;
  return {
    ...principal,
    agentId: agentFor(principal, binding.agentId),
    userId: userFor(principal, binding.userId),
    scopes: principal.scopes.filter((scope) => scope !== "admin"),
  };
}

async function admitOperator(c: Context<AppEnv>, token: string | null, hide: boolean): Promise<void> {
  const expected = c.env.ADMIN_TOKEN ?? "";
  if (expected === "") throw hide ? notFound("resource") : unauthenticated();
  if (token === null || !(await equalSecrets(token, expected))) throw unauthenticated();
  c.set("caller", { ...c.var.caller, kind: "operator", principal: null });
}

const unauthenticated = (): ApiError =>
  new ApiError(
    "unauthenticated",
    "Send a valid key as `Authorization: Bearer engram_sk_live_…`, or an access token that has not ended.",
  );
