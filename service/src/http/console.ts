import type { Hono } from "hono";
import { html } from "hono/html";
import { notFound } from "../errors.ts";
import type { AppEnv } from "../invocation.ts";
import { nameOperation } from "./handler.ts";

type Html = ReturnType<typeof html>;

/** No inline script or style, no other origin, and no assignment of text as markup. */
export const CONSOLE_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  // To the page on which members sign in.
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const FILE = /^[\w-]+\.(js|css|woff2)$/;
const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
};
/** A file with its hash in its name never changes. */
const HASHED = /-[A-Z0-9]{8}\.(js|woff2)$/;
const YEAR_SECONDS = 31_536_000;

/** The page of the console, at the root of the service. `links` is shown where scripts do not run. */
export const consolePage = (links: Html): Html => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <title>Engram</title>
    <link rel="stylesheet" href="console/console-styles.css" />
    <script type="module" src="console/console.js"></script>
  </head>
  <body>
    <div id="console"></div>
    <noscript>
${links}
    </noscript>
  </body>
</html>
`;

/** Serves the scripts, styles and fonts of the console, which are files of the deployment. */
export function registerConsole(app: Hono<AppEnv>): void {
  app.get("/console/:file", nameOperation("console"), async (c) => {
    const file = c.req.param("file");
    const type = TYPES[FILE.exec(file)?.[1] ?? ""];
    if (type === undefined) throw notFound("resource");
    const asset = await c.env.ASSETS.fetch(new URL(`/console/${file}`, c.req.url));
    if (!asset.ok) throw notFound("resource");
    return c.body(asset.body as ReadableStream, 200, {
      "content-type": type,
      "cache-control": HASHED.test(file) ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache",
      "x-content-type-options": "nosniff",
    });
  });
}
