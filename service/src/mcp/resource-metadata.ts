import { SCOPES } from "@engram/spec";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../context.ts";
import { nameOperation } from "../middleware/requests.ts";

/** Where RFC 9728 looks for what is said of `/mcp`, and where clients look that know of one resource alone. */
const PATHS = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"] as const;

/**
 * Serves what a client must know to be let in, as OAuth 2.0 Protected Resource Metadata (RFC 9728): a key of an
 * organization in the header. It names no authorization server, since keys are made by `POST /v1/keys`.
 */
export function registerResourceMetadata(app: OpenAPIHono<AppEnv>, resourcePath: string): void {
  for (const path of PATHS) {
    app.get(path, nameOperation("resource metadata"), (c) => {
      const { origin } = new URL(c.req.url);
      return c.json({
        resource: `${origin}${resourcePath}`,
        resource_name: "Engram",
        resource_documentation: `${origin}/docs`,
        bearer_methods_supported: ["header"],
        scopes_supported: SCOPES,
      });
    });
  }
}

/** Tells who is not let in where to learn how. */
export const nameResourceMetadata: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.res.status !== 401) return;
  const { origin } = new URL(c.req.url);
  c.header("www-authenticate", `Bearer resource_metadata="${origin}${PATHS[0]}"`);
};
