import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { cruise } from "dependency-cruiser";
import { expect, onTestFinished, test } from "vitest";
import config from "../../.dependency-cruiser.mjs";
import { snippetsOf } from "../snippets.mjs";

const FORBIDDEN = [
  ["service/src/messages/routes.ts", "service/src/messages/queries.ts"],
  ["service/src/messages/service.ts", "hono"],
  ["service/src/messages/appends-queries.ts", "service/src/messages/service.ts"],
  ["service/src/messages/service.ts", "service/src/search/results.ts"],
  ["service/src/live/tickets.ts", "service/src/keys/cache.ts"],
  ["service/src/users/service.ts", "service/src/http/handler.ts"],
  ["service/src/sign-in-codes/queries.ts", "service/src/usage/queries.ts"],
  ["service/src/conversations/routes.ts", "service/src/deletions/service.ts"],
  // Files that other folders may import, of a folder that comes later.
  ["service/src/messages/pages.ts", "service/src/conversations/queries.ts"],
  ["service/src/indexing/service.ts", "service/src/messages/service.ts"],
  ["service/src/operations/queries.ts", "service/src/messages/queries.ts"],
  ["service/src/http/problems.ts", "service/src/keys/service.ts"],
  ["service/src/unnamed/service.ts", "service/src/invocation.ts"],
  ["service/src/search/ranking/bm25.ts", "service/src/search/queries.ts"],
  ["spec/src/messages.ts", "service/src/app.ts"],
  ["spec/src/messages.ts", "node:fs"],
  ["sdk/src/engram.ts", "@engram/spec"],
  ["sdk/src/adapters/json.ts", "@openai/agents-core"],
  ["sdk/src/adapters/openai-agents.ts", "ai"],
  ["local/src/ai.ts", "service/src/app.ts"],
  ["deploy/src/vectors.ts", "@engram/local/control"],
];
const ALLOWED = [
  ["service/src/messages/routes.ts", "service/src/messages/service.ts"],
  ["service/src/messages/service.ts", "service/src/messages/queries.ts"],
  ["service/src/deletions/routes.ts", "hono/cors"],
  ["service/src/text/compression.ts", "node:zlib"],
  ["proof/bench/src/recall.ts", "@engram/sdk"],
  ["sdk/src/adapters/openai-agents.ts", "@openai/agents-core"],
  ["local/src/start/ports.ts", "node:net"],
];
const CYCLE = [
  ["service/src/events/stream.ts", "service/src/events/service.ts"],
  ["service/src/events/service.ts", "service/src/events/stream.ts"],
];

test("forbidden imports and cycles are reported, those of types too, and no others", async () => {
  const baseDir = mkdtempSync(join(tmpdir(), "engram-imports-"));
  onTestFinished(() => rmSync(baseDir, { recursive: true }));
  const imports = [...FORBIDDEN, ...ALLOWED, ...CYCLE];
  const files = [...new Set(imports.flat())].filter((name) => name.endsWith(".ts"));
  const write = (file, text) => {
    mkdirSync(dirname(join(baseDir, file)), { recursive: true });
    writeFileSync(join(baseDir, file), text);
  };
  for (const file of files) {
    const lines = imports
      .filter(([from]) => from === file)
      .map(([, to]) => (files.includes(to) ? `./${posix.relative(dirname(file), to)}` : to))
      .map((to) => `import type {\n  X,\n} from "${to}";\n`);
    write(file, `${lines.join("")}export type Y = 1;\n`);
  }
  // An installed package is found in its folder.
  write("node_modules/ai/package.json", '{ "main": "dist/index.js" }');
  write("node_modules/ai/dist/index.js", "");
  const { forbidden, options } = config;
  const { output } = await cruise(files, { ...options, baseDir, ruleSet: { forbidden }, validate: true });
  const found = output.summary.violations.map(({ from, to, rule }) =>
    rule.name === "no cycles"
      ? rule.name
      : `${from} imports ${to.replace(/^node_modules\/|\/dist\/.*/g, "")}`,
  );
  const expected = FORBIDDEN.map(([from, to]) => `${from} imports ${to.replace("node:", "")}`);
  expect([...new Set(found)].sort()).toEqual([...expected, "no cycles"].sort());
});

test("the TypeScript blocks of a document are found, and no others", () => {
  expect(snippetsOf("a\n```ts\nconst a = 1;\n```\n```sh\nls\n```\n```ts\nb();\n```\n")).toEqual([
    "const a = 1;\n",
    "b();\n",
  ]);
});

test("the TypeScript blocks of a comment are found", () => {
  expect(snippetsOf("/**\n * @example\n * ```ts\n * const a = 1;\n *\n * b(a);\n * ```\n */\n")).toEqual([
    "const a = 1;\n\nb(a);\n",
  ]);
});
