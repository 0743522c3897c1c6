import { contracts } from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { describe, expect, test } from "vitest";
import { send } from "../support/client.ts";

describe("docs", () => {
  test("the page may run and call what its own origin serves, and nothing else", async () => {
    const page = await send("/docs");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
  });

  test.for(["docs.js", "swagger-ui.css", "swagger-ui-bundle.js"])(
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

  test("llms.txt names every operation with what it does", async () => {
    const response = await send("/llms.txt");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    const text = await response.text();
    for (const { method, path, summary } of contracts as readonly RouteConfig[]) {
      expect(text).toContain(`- \`${method.toUpperCase()} ${path}\`: ${summary}.`);
    }
  });
});
