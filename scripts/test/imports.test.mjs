import { describe, expect, test } from "vitest";
import { forbiddenImports } from "../imports.mjs";
import { snippetsOf } from "../snippets.mjs";

describe("import directions", () => {
  test.each([
    ["service/src/handlers/messages.ts", 'import { x } from "../queries/messages.ts";'],
    ["service/src/services/messages.ts", 'import type { Context } from "hono";'],
    ["service/src/queries/messages.ts", 'import { append } from "../services/messages.ts";'],
    ["spec/src/messages.ts", 'import { send } from "../../service/src/app.ts";'],
    ["sdk/src/engram.ts", 'import { Message } from "@engram/spec";'],
    ["sdk/src/engram.ts", 'const { z } = await import("zod");'],
    ["sdk/src/engram.ts", 'import { Agent } from "@openai/agents-core";'],
    ["sdk/src/adapters/json.ts", 'import { Agent } from "@openai/agents-core";'],
    ["sdk/src/adapters/openai-agents.ts", 'import { tool } from "ai";'],
    ["local/src/ai.ts", 'import "../../service/src/app.ts";'],
    ["deploy/src/vectors.ts", 'import { x } from "@engram/local/control";'],
    ["bench/src/recall.ts", 'export * from "../../local/src/bundle.ts";'],
  ])("%s may not have: %s", (file, source) => {
    expect(forbiddenImports(file, source)).toHaveLength(1);
  });

  test.each([
    ["service/src/handlers/messages.ts", 'import * as messages from "../services/messages.ts";'],
    ["service/src/services/messages.ts", 'import * as queries from "../queries/messages.ts";'],
    ["bench/src/recall.ts", 'import { Engram } from "@engram/sdk";'],
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
