import { asyncApiDocument, llmsText, openApiDocument } from "@engram/spec";
import { swaggerUI } from "@hono/swagger-ui";
import type { Hono, MiddlewareHandler } from "hono";
import { notFound } from "../errors.ts";
import type { AppEnv } from "../invocation.ts";
import { nameOperation } from "./handler.ts";
import { pathToRoot } from "./public-urls.ts";

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

const FILES = ["docs.css", "docs.js", "pages.css", "swagger-ui.css", "swagger-ui-bundle.js"];

/** Instead of the library's own HTML, which has an inline script and loads its files from a CDN. */
const docsHtml = (root: string) => `
          <link rel="stylesheet" href="${root}docs/swagger-ui.css" />
          <link rel="stylesheet" href="${root}docs/docs.css" />
          <form id="key">
            <label for="secret">Key</label>
            <input id="secret" type="password" autocomplete="off" spellcheck="false" placeholder="Paste a key (engram_sk_live_…)" disabled />
            <output for="secret"></output>
          </form>
          <div id="docs"></div>
          <script src="${root}docs/swagger-ui-bundle.js"></script>
          <script src="${root}docs/docs.js"></script>`;

const renderDocs: MiddlewareHandler = (c, next) => {
  const root = pathToRoot(c);
  const render = swaggerUI({
    title: "Engram API",
    url: `${root}openapi.json`,
    manuallySwaggerUIHtml: () => docsHtml(root),
  });
  return render(c, next);
};

const protectPage: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header("content-security-policy", CONTENT_SECURITY_POLICY);
  c.header("x-content-type-options", "nosniff");
  c.header("referrer-policy", "no-referrer");
  await next();
};

/** Serves the API documentation, which loads nothing from other origins. */
export function registerDocs(app: Hono<AppEnv>): void {
  let document: string | undefined;
  app.get("/openapi.json", nameOperation("openapi"), (c) => {
    document ??= JSON.stringify(openApiDocument());
    return c.body(document, 200, { "content-type": "application/json" });
  });
  app.get("/asyncapi.json", nameOperation("asyncapi"), (c) => c.json(asyncApiDocument()));
  app.get("/llms.txt", nameOperation("llms"), (c) => c.text(llmsText()));
  app.get("/docs", nameOperation("docs"), protectPage, renderDocs);
  // Browsers ask for it on every page.
  app.get("/favicon.ico", nameOperation("docs"), (c) =>
    c.body(null, 204, { "cache-control": "public, max-age=86400" }),
  );
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
