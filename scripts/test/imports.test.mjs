import { describe, expect, test } from "vitest";
import { forbiddenImports } from "../imports.mjs";
import { snippetsOf } from "../snippets.mjs";

describe("import directions", () => {
  test.each([
    ["service/src/messages/routes.ts", 'import { x } from "./queries.ts";'],
    ["service/src/messages/service.ts", 'import type { Context } from "hono";'],
    ["service/src/messages/queries.ts", 'import { append } from "./service.ts";'],
    ["service/src/messages/queries.ts", 'import { x } from "../usage/queries.ts";'],
    ["service/src/messages/appends-queries.ts", 'import { x } from "./service.ts";'],
    ["service/src/messages/service.ts", 'import { x } from "../search/results.ts";'],
    ["service/src/search/ranking/bm25.ts", 'import { x } from "../queries.ts";'],
    ["spec/src/messages.ts", 'import { send } from "../../service/src/app.ts";'],
    ["sdk/src/engram.ts", 'import { Message } from "@engram/spec";'],
    ["sdk/src/engram.ts", 'const { z } = await import("zod");'],
    ["sdk/src/engram.ts", 'import { Agent } from "@openai/agents-core";'],
    ["sdk/src/adapters/json.ts", 'import { Agent } from "@openai/agents-core";'],
    ["sdk/src/adapters/openai-agents.ts", 'import { tool } from "ai";'],
    ["local/src/ai.ts", 'import "../../service/src/app.ts";'],
    ["deploy/src/vectors.ts", 'import { x } from "@engram/local/control";'],
    ["proof/bench/src/recall.ts", 'export * from "../../../local/src/bundle.ts";'],
  ])("%s may not have: %s", (file, source) => {
    expect(forbiddenImports(file, source)).toHaveLength(1);
  });

  test.each([
    ["service/src/messages/routes.ts", 'import * as messages from "./service.ts";'],
    ["service/src/messages/service.ts", 'import * as queries from "./queries.ts";'],
    ["proof/bench/src/recall.ts", 'import { Engram } from "@engram/sdk";'],
    ["sdk/src/adapters/openai-agents.ts", 'import { run } from "@openai/agents-core";'],
  ])("%s may have: %s", (file, source) => {
    expect(forbiddenImports(file, source)).toEqual([]);
  });

  test("an import over several lines is seen", () => {
    expect(
      forbiddenImports("sdk/src/engram.ts", 'import {\n  a,\n  b,\n} from "@engram/spec";'),
    ).toHaveLength(1);
  });
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
