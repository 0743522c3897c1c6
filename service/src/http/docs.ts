import { llmsText, openApiDocument } from "@engram/spec";
import type { Hono } from "hono";
import type { AppEnv } from "../context.ts";
import { notFound } from "../errors.ts";
import { nameOperation } from "./requests.ts";

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Swagger UI sets inline styles on its elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const FILES = ["docs.js", "swagger-ui.css", "swagger-ui-bundle.js"];

/** Serves the API documentation, which loads nothing from other origins. */
export function registerDocs(app: Hono<AppEnv>): void {
  let document: string | undefined;
  app.get("/openapi.json", nameOperation("openapi"), (c) => {
    document ??= JSON.stringify(openApiDocument());
    return c.body(document, 200, { "content-type": "application/json" });
  });
  app.get("/llms.txt", nameOperation("llms"), (c) => c.text(llmsText()));
  app.get("/docs", nameOperation("docs"), async (c) => {
    const page = await c.env.ASSETS.fetch(new URL("/docs.html", c.req.url));
    if (!page.ok) throw notFound("resource");
    c.header("content-security-policy", CONTENT_SECURITY_POLICY);
    c.header("x-content-type-options", "nosniff");
    c.header("referrer-policy", "no-referrer");
    return c.body(page.body as ReadableStream, 200, { "content-type": "text/html; charset=utf-8" });
  });
  app.get("/docs/:file", nameOperation("docs"), async (c) => {
    const file = c.req.param("file");
    if (!FILES.includes(file)) throw notFound("resource");
    const asset = await c.env.ASSETS.fetch(new URL(`/${file}`, c.req.url));
    c.header("x-content-type-options", "nosniff");
    if (!asset.ok) throw notFound("resource");
    return c.body(asset.body as ReadableStream, 200, {
      "content-type": file.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
    });
  });
}
