import { SCOPES, type Scope } from "@engram/spec";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { ApiError } from "../errors.ts";
import { allowsOAuth, resourceOf } from "../grants/server.ts";
import { nameOperation } from "../http/handler.ts";
import { publicUrl } from "../http/public-urls.ts";
import type { AppEnv } from "../invocation.ts";

/**
 * Paths of the metadata: the one that RFC 9728 defines for `/mcp`, and the one that clients use for a host with a
 * single resource.
 */
const PATHS = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"] as const;

const METADATA_SECONDS = 300;
/** Scopes that a client asks for first. It asks for others when a tool needs them. */
const SCOPES_FIRST: readonly Scope[] = ["read", "search"];

/**
 * Serves the metadata that RFC 9728 (OAuth 2.0 Protected Resource Metadata) defines. The authorization server is the
 * service itself. It names none at an address that OAuth does not allow: keys can be used there.
 */
export function registerResourceMetadata(app: OpenAPIHono<AppEnv>): void {
  for (const path of PATHS) {
    app.use(path, cors({ origin: "*", allowHeaders: ["mcp-protocol-version"] }));
    app.get(path, nameOperation("resource metadata"), (c) => {
      const root = publicUrl(c);
      c.header("cache-control", `public, max-age=${METADATA_SECONDS}`);
      return c.json({
        resource: resourceOf(root),
        ...(allowsOAuth(root) ? { authorization_servers: [root] } : {}),
        resource_name: "Engram",
        resource_documentation: `${root}/docs`,
        bearer_methods_supported: ["header"],
        scopes_supported: SCOPES_FIRST,
      });
    });
  }
}

/** Tells a client that was refused how it gets what it lacks. */
export const challengeUnauthenticated: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.res.status !== 401) return;
  const scope = SCOPES_FIRST.join(" ");
  const isKnown = c.req.header("authorization") !== undefined;
  c.header("www-authenticate", toChallenge(c, isKnown ? { error: "invalid_token", scope } : { scope }));
};

/**
 * Refuses a call for which a client's grant has too few scopes, so that the client asks a person for them.
 *
 * @param needed All scopes that the call needs.
 * @throws {ApiError} `forbidden`.
 */
export function refuseScopes(
  c: Context<AppEnv>,
  needed: readonly string[],
  granted: readonly string[],
): void {
  if (needed.every((scope) => granted.includes(scope))) return;
  // With those that it has: some clients ask for no others than these, and would lose them.
  const scope = SCOPES.filter((each) => needed.includes(each) || granted.includes(each)).join(" ");
  c.header("www-authenticate", toChallenge(c, { error: "insufficient_scope", scope }));
  throw new ApiError(
    "forbidden",
    `The grant of this client lacks a scope. This call needs \`${needed.join("`, `")}\`.`,
  );
}

const toChallenge = (c: Context<AppEnv>, parameters: Record<string, string>): string =>
  `Bearer ${Object.entries({ resource_metadata: `${publicUrl(c)}${PATHS[0]}`, ...parameters })
    .map(([name, value]) => `${name}="${value}"`)
    .join(", ")}`;
