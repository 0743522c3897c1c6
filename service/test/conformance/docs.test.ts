import { contracts, NDJSON_TYPE, openApiDocument } from "@engram/spec";
import type { RouteConfig, z } from "@hono/zod-openapi";
import { describe, expect, test } from "vitest";
import { send } from "../support/client.ts";

type Shown = { example?: unknown; schema: { $ref?: string } };

const document = openApiDocument() as unknown as {
  paths: Record<string, Record<string, { requestBody: { content: Record<string, Shown> } }>>;
  components: { schemas: Record<string, { example?: unknown }> };
};
/** Every request body, by the contract and by the document. */
const bodies = (contracts as readonly RouteConfig[]).flatMap(({ operationId = "", path, method, request }) =>
  Object.entries(request?.body?.content ?? {}).map(([mediaType, media]) => {
    const shown = document.paths[path]?.[method]?.requestBody.content[mediaType];
    return [operationId, mediaType, media as { schema: z.ZodType }, shown as Shown] as const;
  }),
);

const parseLines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("docs", () => {
  test("the page may run and call what its own origin serves, and nothing else", async () => {
    const page = await send("/docs");
    expect(page.headers.get("content-type")).toMatch(/^text\/html; charset=utf-8$/i);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
  });

  test("the page names no file of another origin, and no script of its own", async () => {
    const html = await (await send("/docs")).text();
    const named = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => target);
    expect(named.sort()).toEqual([
      ...["/docs/docs.css", "/docs/docs.js", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css"],
    ]);
    expect(html).not.toMatch(/<script(?! src=)|\bon\w+=|https?:/);
  });

  test.for(["docs.css", "docs.js", "swagger-ui.css", "swagger-ui-bundle.js"])(
    "%s comes from our own origin",
    async (file) => {
      const response = await send(`/docs/${file}`);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(`/${file}`);
    },
  );

  test.for(["docs.html", "package.json", "..%2fsecret"])("%s is no file of the page", async (file) => {
    expect((await send(`/docs/${file}`)).status).toBe(404);
  });

  test.for(bodies)(
    "the example of %s's body is one that the contract accepts",
    ([, mediaType, media, shown]) => {
      const component = shown.schema.$ref?.split("/").at(-1) ?? "";
      const example = shown.example ?? document.components.schemas[component]?.example;
      const values = mediaType === NDJSON_TYPE ? parseLines(String(example)) : [example];
      expect(values).not.toEqual([]);
      for (const value of values) expect(media.schema.safeParse(value)).toMatchObject({ success: true });
    },
  );

  test("llms.txt names every operation with what it does", async () => {
    const response = await send("/llms.txt");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    const text = await response.text();
    for (const { method, path, summary } of contracts as readonly RouteConfig[]) {
      expect(text).toContain(`- \`${method.toUpperCase()} ${path}\`: ${summary}.`);
    }
  });
});
