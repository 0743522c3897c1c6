import {
  contracts,
  NDJSON_TYPE,
  openApiDocument,
  PROBLEMS,
  type ProblemCode,
  problemType,
} from "@engram/spec";
import type { RouteConfig, z } from "@hono/zod-openapi";
import { describe, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { openIsolate } from "../../src/isolate.ts";
import { BASE_URL, createOrganization, send } from "../support/client.ts";
import { sendTo } from "../support/mcp.ts";
import { promptRuntime } from "../support/runtime.ts";

type Shown = { example?: unknown; schema: { $ref?: string } };

const document = openApiDocument() as unknown as {
  paths: Record<string, Record<string, { requestBody: { content: Record<string, Shown> } }>>;
  components: { schemas: Record<string, { example?: unknown }> };
};
/** Every request body, in the contract and in the document. */
const bodies = (contracts as readonly RouteConfig[]).flatMap(({ operationId = "", path, method, request }) =>
  Object.entries(request?.body?.content ?? {}).map(([mediaType, media]) => {
    const shown = document.paths[path]?.[method]?.requestBody.content[mediaType];
    return [operationId, mediaType, media as { schema: z.ZodType }, shown as Shown] as const;
  }),
);

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

/** The text of a page, with its tags removed. */
const shownText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const parseLines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the API documentation", () => {
  test("has a security policy that allows only scripts and requests of its own origin", async () => {
    const page = await send("/docs");
    expect(page.headers.get("content-type")).toMatch(/^text\/html; charset=utf-8$/i);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
  });

  test("loads only files of its own origin, and has no inline script", async () => {
    const html = await (await send("/docs")).text();
    const named = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => target);
    expect(named.sort()).toEqual([
      ...["./docs/docs.css", "./docs/docs.js", "./docs/swagger-ui-bundle.js", "./docs/swagger-ui.css"],
    ]);
    expect(html).not.toMatch(/<script(?! src=)|\bon\w+=|https?:/);
  });

  test.for(["docs.css", "docs.js", "pages.css", "swagger-ui.css", "swagger-ui-bundle.js"])(
    "loads %s from the same origin",
    async (file) => {
      const response = await send(`/docs/${file}`);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(`/${file}`);
    },
  );

  test.for(["docs.html", "package.json", "..%2fsecret"])("does not serve %s", async (file) => {
    expect((await send(`/docs/${file}`)).status).toBe(404);
  });

  test.for(bodies)("has a valid example of the body of %s", ([, mediaType, media, shown]) => {
    const component = shown.schema.$ref?.split("/").at(-1) ?? "";
    const example = shown.example ?? document.components.schemas[component]?.example;
    const values = mediaType === NDJSON_TYPE ? parseLines(String(example)) : [example];
    expect(values).not.toEqual([]);
    for (const value of values) expect(media.schema.safeParse(value)).toMatchObject({ success: true });
  });

  test("has an llms.txt with every operation and its summary", async () => {
    const response = await send("/llms.txt");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    const text = await response.text();
    for (const { method, path, summary } of contracts as readonly RouteConfig[]) {
      expect(text).toContain(`- \`${method.toUpperCase()} ${path}\`: ${summary}.`);
    }
  });
});

describe("the page of an error code", () => {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const withoutMarks = (text: string) => text.replaceAll("`", "");

  test.for(codes)(
    "explains %s as text to programs and as HTML to browsers, with what to do",
    async (code) => {
      const { status, title, meaning, action } = PROBLEMS[code];
      const { pathname } = new URL(problemType(code));
      const text = await (await send(pathname)).text();
      expect(text).toBe(`${title} (${code}, status ${status})\n\n${meaning}\n\nWhat to do: ${action}\n`);
      const page = await send(pathname, { headers: BROWSER });
      expect(page.headers.get("content-type")).toMatch(/^text\/html/);
      expect(page.headers.get("vary")).toMatch(/accept/i);
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'self';");
      const html = await page.text();
      for (const part of [title, code, String(status), meaning, action])
        expect(shownText(html)).toContain(withoutMarks(part));
    },
  );

  test("is linked from the list of codes, and an unknown code has no page", async () => {
    const text = await (await send("/problems")).text();
    expect(text.trimEnd().split("\n")).toEqual(
      codes.map((code) => `${PROBLEMS[code].status} ${code}: ${PROBLEMS[code].title}`),
    );
    const html = await (await send("/problems", { headers: BROWSER })).text();
    for (const code of codes) expect(html).toContain(`<a href="./problems/${code}">`);
    for (const other of ["toString", "Not_Found", "%3Cscript%3E"])
      expect((await send(`/problems/${other}`)).status).toBe(404);
  });
});

describe("behind a proxy", () => {
  test.for([
    "/",
    "/docs",
    "/docs/",
    "/problems",
    "/problems/",
    "/problems/not_found",
    "/problems/not_found/",
  ])("the page %s links to the service under any path", async (path) => {
    const html = await (await send(path, { headers: BROWSER })).text();
    const base = `https://proxy.example/engram${path}`;
    const targets = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, to = ""]) => new URL(to, base));
    const own = targets.filter(({ host }) => host === "proxy.example");
    expect(own.length).toBeGreaterThan(1);
    for (const { pathname } of own) {
      expect(pathname).toMatch(/^\/engram\//);
      const { status } = await send(pathname.replace("/engram", ""), { headers: BROWSER });
      expect([200, 405], pathname).toContain(status);
    }
  });

  test("the OpenAPI document names the service that serves it, under any path", () => {
    const { servers } = openApiDocument() as unknown as { servers: { url: string }[] };
    const [url = ""] = servers.map(
      ({ url }) => new URL(url, "https://proxy.example/engram/openapi.json").href,
    );
    expect(url).toBe("https://proxy.example/engram/");
  });

  const PUBLIC_URLS = "https://memory.example, https://proxy.example:8443/engram/, not a URL";
  const forwarded = (proto?: string, host?: string, prefix?: string) =>
    Object.fromEntries(
      Object.entries({ proto, host, prefix }).flatMap(([name, value]) =>
        value === undefined ? [] : [[`x-forwarded-${name}`, value]],
      ),
    );

  test.for<[string, Record<string, string>, string | null]>([
    ["the URL of one", forwarded("https", "memory.example"), "https://memory.example"],
    [
      "that it changed only the scheme",
      { host: "memory.example", ...forwarded("https") },
      "https://memory.example",
    ],
    ["a path", forwarded("https", "proxy.example:8443", "/engram"), "https://proxy.example:8443/engram"],
    [
      "a path with a slash",
      forwarded("https", "proxy.example:8443", "/engram/"),
      "https://proxy.example:8443/engram",
    ],
    ["several proxies", forwarded("https, http", "memory.example, 10.0.0.1"), "https://memory.example"],
    ["no path where there is one", forwarded("https", "proxy.example:8443"), null],
    ["another scheme", forwarded("http", "memory.example"), null],
    ["another host", forwarded("https", "evil.example"), null],
    ["a host that ends in a path", forwarded("https", "evil.example/memory.example"), null],
    ["a user", forwarded("https", "evil@memory.example"), null],
    ["a fragment", forwarded("https", "memory.example#evil.example"), null],
    ["no URL", forwarded("https", "a b"), null],
    ["nothing", {}, null],
  ])("absolute URLs are those of an allowed proxy, and else of the request: %s", async ([, headers, url]) => {
    const through = (bindings: object) => sendTo(createApp(openIsolate(promptRuntime)), bindings);
    const root = async (bindings: object) => {
      const metadata = "/.well-known/oauth-protected-resource/mcp";
      const { links } = await (await through(bindings)("/", { headers })).json<{ links: { mcp: string } }>();
      const answer = await through(bindings)("/mcp", { method: "POST", headers });
      const named = (await (await through(bindings)(metadata, { headers })).json()) as Record<string, string>;
      expect(named.resource).toBe(links.mcp);
      expect(named.resource_documentation).toBe(links.mcp.replace(/mcp$/, "docs"));
      expect(answer.headers.get("www-authenticate")).toBe(
        `Bearer resource_metadata="${links.mcp.replace(/\/mcp$/, metadata)}", scope="read search"`,
      );
      return links.mcp.replace(/\/mcp$/, "");
    };
    expect(await root({ PUBLIC_URLS })).toBe(url ?? BASE_URL);
    expect(await root({})).toBe(BASE_URL);
  });

  test("a page of the proxy's host may call MCP, and no page of another one", async () => {
    const { secret } = await createOrganization();
    const statusOf = async (origin: string, headers: Record<string, string>, urls = PUBLIC_URLS) => {
      const send = sendTo(createApp(openIsolate(promptRuntime)), { PUBLIC_URLS: urls });
      const authorization = `Bearer ${secret}`;
      const init = { method: "POST", body: "{}", headers: { origin, authorization, ...headers } };
      return (await send("/mcp", init)).status === 403;
    };
    const proxy = forwarded("https", "memory.example");
    expect(await statusOf("https://memory.example", proxy)).toBe(false);
    expect(await statusOf("https://memory.example", proxy, "")).toBe(true);
    expect(await statusOf("https://evil.example", proxy)).toBe(true);
    expect(await statusOf("https://evil.example", forwarded("https", "evil.example"))).toBe(true);
  });
});

describe("the start page", () => {
  test("links to the documentation, the OpenAPI document and the console", async () => {
    const home = await send("/");
    expect(home.headers.get("content-type")).toMatch(/^application\/json/);
    const { guides, links } = (await home.json()) as { guides: string; links: Record<string, string> };
    const html = await (await send("/", { headers: BROWSER })).text();
    expect(html).toContain(`<a href="${guides}">Guides</a>`);
    expect(Object.keys(links)).toEqual(["docs", "openapi", "asyncapi", "llms", "mcp", "problems", "health"]);
    for (const [name, link] of Object.entries(links)) {
      const { origin, pathname } = new URL(link);
      expect(origin).toBe(new URL(BASE_URL).origin);
      expect(html).toContain(`<a href="${pathname.slice(1)}">`);
      // MCP has no GET.
      expect((await send(pathname)).status, name).toBe(name === "mcp" ? 405 : 200);
    }
  });

  test("is the console in a browser, which loads only files of its own origin", async () => {
    const page = await send("/", { headers: BROWSER });
    const policy = page.headers.get("content-security-policy");
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; /,
    );
    expect(policy).toContain(
      "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    const html = await page.text();
    expect(html).not.toMatch(/<style|<script(?! type="module" src=)|\son\w+=/);
    const files = [...html.matchAll(/(?:src|href)="(console\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(files).toEqual(["console/console-styles.css", "console/console.js"]);
    const types = {
      css: "text/css; charset=utf-8",
      js: "text/javascript; charset=utf-8",
      woff2: "font/woff2",
    };
    for (const file of [...files, "console/keys-P46HEIZ5.js", "console/inter-P46HEIZ5.woff2"]) {
      const answer = await send(`/${file}`);
      const [, ending] = file.split(".");
      expect(answer.headers.get("content-type")).toBe(types[ending as keyof typeof types]);
      // Only a file whose name contains a hash of its content never changes.
      expect(answer.headers.get("cache-control")?.includes("immutable")).toBe(file.includes("P46HEIZ5"));
    }
    for (const other of ["console.html", "%2e%2e%2fdocs.js", "a.js.map"])
      expect((await send(`/console/${other}`)).status).toBe(404);
  });
});
