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
import { BASE_URL, send } from "../support/client.ts";

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
      ...["/docs/docs.css", "/docs/docs.js", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css"],
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
    for (const code of codes) expect(html).toContain(`<a href="/problems/${code}">`);
    for (const other of ["toString", "Not_Found", "%3Cscript%3E"])
      expect((await send(`/problems/${other}`)).status).toBe(404);
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
      expect(html).toContain(`<a href="${pathname}">`);
      // MCP has no GET.
      expect((await send(pathname)).status, name).toBe(name === "mcp" ? 405 : 200);
    }
  });

  test("is the console in a browser, which loads only files of its own origin", async () => {
    const page = await send("/", { headers: BROWSER });
    const policy = page.headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; /);
    expect(policy).toContain(
      "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    const html = await page.text();
    expect(html).not.toMatch(/<style|<script(?! type="module" src=)|\son\w+=/);
    const files = [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(files).toEqual(["/console/console-styles.css", "/console/console.js"]);
    for (const file of [...files, "/console/keys-P46HEIZ5.js"]) {
      const answer = await send(file);
      expect(answer.headers.get("content-type")).toMatch(
        file.endsWith(".css") ? /^text\/css/ : /^text\/javascript/,
      );
      // Only a file whose name contains a hash of its content never changes.
      expect(answer.headers.get("cache-control")?.includes("immutable")).toBe(file.includes("P46HEIZ5"));
    }
    for (const other of ["console.html", "%2e%2e%2fdocs.js", "a.js.map"])
      expect((await send(`/console/${other}`)).status).toBe(404);
  });
});
