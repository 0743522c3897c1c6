import { API_VERSION, PROBLEMS, type ProblemCode, problemPath } from "@engram/spec";
import type { Context, Hono, MiddlewareHandler } from "hono";
import { accepts } from "hono/accepts";
import { html } from "hono/html";
import { notFound } from "../errors.ts";
import type { AppEnv } from "../invocation.ts";
import { CONSOLE_SECURITY_POLICY, consolePage } from "./console.ts";
import { nameOperation } from "./handler.ts";
import { pathToRoot, publicUrl } from "./public-urls.ts";

type Html = ReturnType<typeof html>;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What the service offers, with the path of each from its root. */
const LINKS = [
  { name: "docs", path: "docs", text: "The API, to read and to try out in the browser" },
  { name: "openapi", path: "openapi.json", text: "The API as an OpenAPI document" },
  { name: "asyncapi", path: "asyncapi.json", text: "The WebSocket of events as an AsyncAPI document" },
  { name: "llms", path: "llms.txt", text: "The API as text for language models" },
  { name: "mcp", path: "mcp", text: "The endpoint for clients of the Model Context Protocol" },
  { name: "problems", path: "problems", text: "Every error code: what it means, and what to do" },
  { name: "health", path: "health", text: "Whether the service is running" },
] as const;

/** The documentation site, which no service serves. */
const GUIDES = "https://engram.dev/start";

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** Serves the pages that lead people on: the start page, which is the console in a browser, and a page about each error code. */
export function registerPages(app: Hono<AppEnv>): void {
  app.get("/", nameOperation("home"), negotiate, (c) => {
    if (!wantsHtml(c)) return c.json(homeJson(publicUrl(c)));
    c.header("content-security-policy", CONSOLE_SECURITY_POLICY);
    c.header("referrer-policy", "no-referrer");
    return c.html(consolePage(homeHtml()));
  });
  app.get("/problems", nameOperation("problems"), negotiate, (c) =>
    wantsHtml(c)
      ? c.html(page(c, "Error codes", listHtml(pathToRoot(c))))
      : c.text(CODES.map(lineOf).join("")),
  );
  app.get("/problems/:code", nameOperation("problems"), negotiate, (c) => {
    const code = CODES.find((each) => each === c.req.param("code"));
    if (code === undefined) throw notFound("error code");
    if (!wantsHtml(c)) return c.text(problemText(code));
    return c.html(page(c, PROBLEMS[code].title, problemHtml(code, pathToRoot(c))));
  });
}

const negotiate: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header("vary", "accept");
  c.header("content-security-policy", CONTENT_SECURITY_POLICY);
  c.header("x-content-type-options", "nosniff");
  await next();
};

/** True for a browser. A program that accepts everything, such as curl, gets text or JSON. */
const wantsHtml = (c: Context<AppEnv>): boolean =>
  accepts(c, { header: "Accept", supports: ["text/html", "*/*"], default: "*/*" }) === "text/html";

function homeJson(root: string) {
  const links = LINKS.map(({ name, path }) => [name, `${root}/${path}`]);
  return {
    name: "Engram",
    version: API_VERSION,
    guides: GUIDES,
    links: Object.fromEntries(links) as Record<string, string>,
  };
}

const lineOf = (code: ProblemCode): string => `${PROBLEMS[code].status} ${code}: ${PROBLEMS[code].title}\n`;

function problemText(code: ProblemCode): string {
  const { status, title, meaning, action } = PROBLEMS[code];
  return `${title} (${code}, status ${status})\n\n${meaning}\n\nWhat to do: ${action}\n`;
}

const page = (c: Context<AppEnv>, title: string, body: Html): Html => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="stylesheet" href="${pathToRoot(c)}docs/pages.css" />
  </head>
  <body>
${body}
  </body>
</html>
`;

const homeHtml = (): Html => html`    <h1>Engram</h1>
    <p>This is an Engram service, a memory for AI agents. It is running, version ${API_VERSION}.</p>
    <dl>
      <dt><a href="${GUIDES}">Guides</a></dt>
      <dd>The first ten minutes, recipes and concepts</dd>
${LINKS.map(
  ({ path, text }) => html`      <dt><a href="${path}">/${path}</a></dt>
      <dd>${text}</dd>
`,
)}    </dl>`;

const listHtml = (root: string): Html => html`    <h1>Error codes</h1>
    <p>Every error response names one of these codes as <code>code</code>.</p>
    <table>
${CODES.map(
  (
    code,
  ) => html`      <tr><td>${PROBLEMS[code].status}</td><td><a href="${root}${problemPath(code).slice(1)}"><code>${code}</code></a></td><td>${PROBLEMS[code].title}</td></tr>
`,
)}    </table>`;

function problemHtml(code: ProblemCode, root: string): Html {
  const { status, title, meaning, action } = PROBLEMS[code];
  return html`    <h1>${title}</h1>
    <p>Code <code>${code}</code>, status ${status}.</p>
    <p>${withCode(meaning)}</p>
    <h2>What to do</h2>
    <p>${withCode(action)}</p>
    <p><a href="${root}problems">All error codes</a> · <a href="${root}docs">API</a></p>`;
}

/** Text with the words between backticks as code. */
const withCode = (text: string): (string | Html)[] =>
  text.split("`").map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));
