import { SCOPES } from "@engram/spec";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { nameOperation } from "../http/handler.ts";
import { publicUrl } from "../http/public-urls.ts";
import type { AppEnv } from "../invocation.ts";

/**
 * Paths of the metadata: the one that RFC 9728 defines for `/mcp`, and the one that clients use for a host with a
 * single resource.
 */
const PATHS = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"] as const;

/**
 * Serves the metadata that RFC 9728 (OAuth 2.0 Protected Resource Metadata) defines. It names no authorization server,
 * because keys are created with `POST /v1/keys`.
 */
export function registerResourceMetadata(app: OpenAPIHono<AppEnv>, resourcePath: string): void {
  for (const path of PATHS) {
    app.get(path, nameOperation("resource metadata"), (c) => {
      const root = publicUrl(c);
      return c.json({
        resource: `${root}${resourcePath}`,
        resource_name: "Engram",
        resource_documentation: `${root}/docs`,
        bearer_methods_supported: ["header"],
        scopes_supported: SCOPES,
      });
    });
  }
}

export const nameResourceMetadata: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.res.status !== 401) return;
  c.header("www-authenticate", `Bearer resource_metadata="${publicUrl(c)}${PATHS[0]}"`);
};
