import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createProgram } from "../../cli/src/program.ts";
import config from "../.vitepress/config.ts";
import {
  type ApiDocument,
  apiPages,
  curlText,
  operationsOf,
  problemCodes,
} from "../scripts/api-reference.ts";
import { cliReference, visibleCommands } from "../scripts/cli-reference.ts";
import { rewriteLinks } from "../scripts/documents.ts";
import { fieldsOf, typeText } from "../scripts/schema-text.ts";

type Command = ReturnType<typeof createProgram>;

const document: ApiDocument = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../spec/openapi.json"), "utf8"),
);
const pages = apiPages(document);

describe("the site's API reference", () => {
  test("has a unique address for every page", () => {
    const paths = pages.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test("lists every operation, field and problem of the contract", () => {
    const markdown = pages.map((page) => page.markdown).join("\n");
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    for (const { summary, operationId } of operations) {
      expect(markdown).toContain(`## ${summary}\n`);
      expect(markdown).toContain(`Operation \`${operationId}\``);
    }
    for (const schema of Object.values(document.components.schemas))
      for (const { name } of fieldsOf(schema)) expect(markdown).toContain(`| \`${name}\``);
    for (const { value } of Object.values(document.components.examples))
      expect(markdown).toContain(`[\`${value.code}\`](/problems/${value.code}.md)`);
  });

  test.for(Object.entries(document.components.examples))(
    "has a page at the address of %s",
    ([code, example]) => {
      const [meaning, action] = example.description.split("\n\n");
      const { type, title } = example.value as typeof example.value & { type: string };
      const page = pages.find(({ path }) => `/${path}` === new URL(type).pathname);
      expect(page?.markdown).toContain(`# ${title}\n\nCode \`${code}\``);
      expect(page?.markdown).toContain(`${meaning}\n\n## What to do\n\n${action}\n`);
      // Some codes belong to no operation, such as that of a method which a path does not have.
      const isOfOperation = operationsOf(document).some(({ operation }) =>
        problemCodes(document, operation).some(([, each]) => each === code),
      );
      expect(page?.markdown.includes("## Operations that can fail with it")).toBe(isOfOperation);
    },
  );

  test("links to each operation by the anchor of its heading", () => {
    const links = pages.flatMap(({ markdown }) => [...markdown.matchAll(/\(\/api\/[^)#]+#([^)]+)\)/g)]);
    const anchors = new Set(links.map(([, anchor]) => anchor));
    expect(anchors).toContain("delete-memories-by-filter-or-all");
    for (const anchor of anchors) expect(anchor).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  test("shows a key in the examples of operations that need one, and only there", () => {
    for (const { method, path, operation } of operationsOf(document)) {
      const isOpen = ["/health", "/ready"].includes(path);
      expect(curlText(document, method, path, operation).includes("authorization"), path).toBe(!isOpen);
    }
  });

  test("gives the allowed values of a field", () => {
    expect(typeText({ type: "integer", minimum: 1, maximum: 50, default: 10 })).toBe(
      "integer, 1–50, default `10`",
    );
    expect(typeText({ type: ["string", "null"], minLength: 1, maxLength: 256 })).toBe(
      "string or null, 1–256 characters",
    );
    expect(typeText({ type: "array", items: { $ref: "#/components/schemas/Message" }, maxItems: 1000 })).toBe(
      "array of [Message](/api/types.md#message), at most 1,000 items",
    );
    expect(typeText({ type: "string", enum: ["a", "b"] })).toBe("`a` · `b`");
  });
});

describe("the site's page of CLI commands", () => {
  const page = cliReference();
  const withAll = (command: Command): Command[] => [command, ...visibleCommands(command).flatMap(withAll)];
  const nameOf = (command: Command): string =>
    command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
  const commands = withAll(createProgram());
  /** The section of the page for a command. */
  const sectionOf = (name: string) =>
    new RegExp(`^#+ ${name}\\n([\\s\\S]*?)(?=^##|(?![\\s\\S]))`, "m").exec(page)?.[1];

  test.for(commands.slice(1).map((command) => [nameOf(command), command] as const))(
    "shows %s with its arguments, options and an example",
    ([name, command]) => {
      const section = sectionOf(name) ?? "";
      expect(section).toContain(`${command.description()}.`);
      expect(section).toMatch(/^Examples:\n\n```sh\n.*engram /m);
      for (const { flags, hidden } of command.options)
        if (!hidden) expect(section).toContain(`| \`${flags}\` | `);
      for (const argument of command.registeredArguments) expect(section).toContain(argument.description);
    },
  );

  test("shows the help of the built program, without local paths", () => {
    expect(page.match(/^##+ engram /gm)).toHaveLength(commands.length - 1);
    for (const option of ["--url <url>", "--api-key <key>", "--profile <name>", "--json"])
      expect(page).toContain(`| \`${option}\` | `);
    expect(page).not.toContain(homedir());
    expect(page).toContain("~/.local/share/engram");
  });
});

interface SidebarItem {
  text?: string;
  link?: string;
  items?: SidebarItem[];
}

describe("the sidebar", () => {
  test("has two parts, for users and for contributors, and leads to every page that the site has of its own", () => {
    const sidebar = config.themeConfig?.sidebar as SidebarItem[];
    expect(sidebar.map(({ text }) => text)).toEqual(["Use", "Inside"]);
    const linksOf = ({ link, items = [] }: SidebarItem): string[] => [
      ...(link === undefined ? [] : [link]),
      ...items.flatMap(linksOf),
    ];
    const links = sidebar.flatMap(linksOf);
    const own = readdirSync(join(import.meta.dirname, "../pages"))
      .filter((file) => file.endsWith(".md") && file !== "index.md")
      .map((file) => `/${file.replace(/\.md$/, "")}`);
    expect(links).toEqual(expect.arrayContaining([...own, "/contributing", "/glossary"]));
    expect(new Set(links).size).toBe(links.length);
  });
});

describe("a document of the repository on the site", () => {
  const markdown =
    "[keys](../SECURITY.md#keys) [page](../site/pages/mcp.md#context) [code](../scripts/run.mjs) [out](https://example.com)";

  test("links to pages of the site, and to the source tree only if its address is known", () => {
    expect(rewriteLinks(markdown, "docs/deploy.md", undefined)).toBe(
      "[keys](/security.md#keys) [page](/mcp.md#context) code [out](https://example.com)",
    );
    expect(rewriteLinks(markdown, "docs/deploy.md", "https://example.com/engram")).toContain(
      "[code](https://example.com/engram/blob/main/scripts/run.mjs)",
    );
  });

  test("keeps its code unchanged", () => {
    const code = "```sh\n[a](../SECURITY.md)\n```\n";
    expect(rewriteLinks(`${code}${markdown}`, "docs/deploy.md", undefined)).toContain(code);
  });
});
