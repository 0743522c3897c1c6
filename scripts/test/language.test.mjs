import { expect, test } from "vitest";
import { findUses } from "../language.mjs";

test.for([
  ["a comment", "a.ts", "// It waits behind the others.\nexport {};\n", 1],
  ["a comment over two lines", "a.ts", "/**\n * There are so\n * many of them.\n */\nexport {};\n", 1],
  ["a string", "a.ts", 'throw new Error("Nobody answers.");\n', 1],
  ["a template", "a.ts", "const text = `one tells more`;\n", 1],
  ["a name", "a.ts", "const behind = 1;\nexport { behind };\n", 0],
  ["part of a name", "a.ts", "const indexBehind = 1;\nexport { indexBehind };\n", 0],
  ["a document", "a.md", "It was called\noff, and nobody was told.\n", 3],
  ["SQL", "a.sql", "-- rows anew\nSELECT 1;\n", 1],
  ["a test's title", "a.test.ts", 'test("tells %s", () => {});\n', 1],
  ["a problem's detail", "a.ts", 'throw new ApiError("gone", "It was called off.");\n', 1],
  ["a setting", "a.toml", "# There are so\n# many of them.\n", 1],
])("finds its words in %s", ([, file, text, uses]) => {
  expect(findUses(file, text)).toHaveLength(uses);
});
