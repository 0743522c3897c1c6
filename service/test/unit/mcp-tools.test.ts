import { openApiDocument } from "@engram/spec";
import { describe, expect, test } from "vitest";
import { readArguments } from "../../src/mcp/arguments.ts";
import { pickFields } from "../../src/mcp/fields.ts";
import { findMisfit, toRequest } from "../../src/mcp/requests.ts";
import { toTools } from "../../src/mcp/tools.ts";

const text = { type: "string", minLength: 1, description: "A text.", examples: ["x"] };
const parameter = (name: string, place: string, schema: object = text) => ({
  name,
  in: place,
  required: place === "path",
  schema,
});
const json = (schema: object) => ({ content: { "application/json": { schema } } });

/** A document with one operation. */
const documentOf = (operation: object, method = "post") => ({
  paths: {
    "/v1/things/{thing_id}/parts": {
      [method]: {
        operationId: "addThingPart",
        summary: "Add a part",
        description: "Adds a part.",
        security: [{ apiKey: ["write", "read"] }, { adminToken: [] }],
        responses: { 201: json({ $ref: "#/components/schemas/Part" }) },
        "x-mcp": [{}],
        ...operation,
      },
      head: { operationId: "noTool" },
    },
  },
  components: {
    schemas: {
      Name: text,
      Part: {
        type: "object",
        properties: { name: { $ref: "#/components/schemas/Name" } },
        required: ["name"],
      },
      Size: { type: "object", properties: { size: { type: "integer" } }, required: ["size"] },
      Either: { oneOf: [{ $ref: "#/components/schemas/Part" }, { $ref: "#/components/schemas/Size" }] },
      Whole: {
        allOf: [{ $ref: "#/components/schemas/Part" }, { $ref: "#/components/schemas/Size" }],
        additionalProperties: false,
      },
    },
  },
});
const toolOf = (operation: object = {}, method?: string) => {
  const [tool] = toTools(documentOf(operation, method));
  if (tool === undefined) throw new Error("no tool");
  return tool;
};
const listOf = (name: string) => ({
  type: "object",
  properties: { items: { type: "array", items: { $ref: `#/components/schemas/${name}` } } },
});
const NAME = { type: "string", description: "A text." };

describe("an MCP tool made from an operation", () => {
  test("exists for each marker of the operation", () => {
    expect(toTools(documentOf({ "x-mcp": undefined }))).toEqual([]);
    expect(toTools(documentOf({}))).toMatchObject([{ name: "add_thing_part", scopes: ["write", "read"] }]);
    const named = { name: "glue", title: "Glue", description: "Glues." };
    expect(toTools(documentOf({ "x-mcp": [{}, named] }))).toMatchObject([
      { name: "add_thing_part", title: "Add a part", description: "Adds a part." },
      named,
    ]);
  });

  test.for([
    ["get", {}, true, false, true],
    ["post", {}, false, false, false],
    ["post", { read_only: true }, true, false, true],
    ["post", { idempotent: true }, false, false, true],
    ["patch", {}, false, false, true],
    ["delete", {}, false, true, true],
  ] as const)(
    "has annotations for its method: %s %j",
    ([method, marker, readOnlyHint, destructiveHint, idempotentHint]) => {
      expect(toolOf({ "x-mcp": [marker] }, method).annotations).toEqual({
        readOnlyHint,
        destructiveHint,
        idempotentHint,
        openWorldHint: false,
      });
    },
  );

  test("takes parameters and body fields as arguments, without headers and without fields that the marker omits", () => {
    const { inputSchema } = toolOf({
      parameters: [
        parameter("thing_id", "path"),
        parameter("limit", "query", { type: "integer", maximum: 9 }),
        parameter("trace", "query"),
        parameter("if-match", "header"),
      ],
      requestBody: json({ $ref: "#/components/schemas/Part" }),
      "x-mcp": [{ defaults: { limit: 4_000 }, omits: ["trace"] }],
    });
    expect(inputSchema).toEqual({
      type: "object",
      properties: { thing_id: NAME, limit: { type: "integer", maximum: 9, default: 4_000 }, name: NAME },
      required: ["thing_id", "name"],
      additionalProperties: false,
    });
  });

  test("has no null in the types of its arguments, because null counts as absent", () => {
    const nullable = { ...text, type: ["string", "null"] };
    const several = { ...text, type: ["array", "object", "null"] };
    const { inputSchema } = toolOf({
      parameters: [parameter("limit", "query", nullable), parameter("parts", "query", several)],
    });
    expect(inputSchema.properties.limit).toEqual(NAME);
    expect(inputSchema.properties.parts).toEqual({ ...NAME, type: ["array", "object"] });
  });

  test("takes only the arguments that the marker names, with the marker's names", () => {
    const { inputSchema } = toolOf({
      parameters: [parameter("thing_id", "path"), parameter("limit", "query"), parameter("trace", "query")],
      requestBody: json({ $ref: "#/components/schemas/Part" }),
      "x-mcp": [{ takes: { label: "name", top_k: "limit", id: "thing_id" }, defaults: { top_k: 5 } }],
    });
    expect(inputSchema).toEqual({
      type: "object",
      properties: { label: NAME, top_k: { ...NAME, default: 5 }, id: NAME },
      required: ["label", "id"],
      additionalProperties: false,
    });
  });

  test("returns only the fields that the marker names, in lists for each item", () => {
    const { outputSchema } = toolOf({
      responses: { 200: json(listOf("Whole")) },
      "x-mcp": [{ gives: { items: { title: "name", bytes: "size" } } }],
    });
    const properties = { title: { type: "string" }, bytes: { type: "integer" } };
    expect(outputSchema.properties).toEqual({
      items: { type: "array", items: { type: "object", properties } },
    });
  });

  test("returns one of several schemas, without those that contain an omitted field", () => {
    const itemsOf = (marker: object) =>
      toolOf({ responses: { 200: json(listOf("Either")) }, "x-mcp": [marker] }).outputSchema.properties.items
        ?.items;
    const part = { type: "object", properties: { name: { type: "string" } } };
    const size = { type: "object", properties: { size: { type: "integer" } } };
    expect(itemsOf({})).toEqual({ anyOf: [part, size] });
    expect(itemsOf({ omits: ["size"] })).toEqual(part);
  });

  // Unchanged, closed objects under `allOf` would allow nothing.
  test("merges schemas that extend others, and allows additional fields in results", () => {
    const { outputSchema } = toolOf({ responses: { 200: json({ $ref: "#/components/schemas/Whole" }) } });
    expect(outputSchema).toEqual({
      type: "object",
      properties: { name: { type: "string" }, size: { type: "integer" } },
    });
  });

  test.for([
    [
      "two arguments with the same name",
      { parameters: [parameter("name", "path")], requestBody: json({ $ref: "#/components/schemas/Part" }) },
      "addThingPart has two arguments named name",
    ],
    ["a response that is not an object", { responses: { 200: json(text) } }, "not an object"],
    ["no response", { responses: { 204: {} } }, "not an object"],
    ["an unknown argument", { "x-mcp": [{ takes: { id: "none" } }] }, "addThingPart has no argument none"],
    ["an unknown field", { "x-mcp": [{ gives: { id: "none" } }] }, "the answer has no none"],
    ["an unknown span", { "x-mcp": [{ gives: { id: ["name", "none"] } }] }, "the answer has no none"],
    ["an unknown schema", { responses: { 200: json({ $ref: "#/components/schemas/None" }) } }, "no schema"],
  ] as const)("cannot be made with %s", ([, operation, message]) => {
    expect(() => toolOf(operation)).toThrow(message);
  });
});

describe("the request of an MCP tool call", () => {
  const tool = toolOf({
    parameters: [
      parameter("thing_id", "path"),
      parameter("tags", "query", { type: "array", items: text }),
      parameter("limit", "query", { type: "integer" }),
    ],
    requestBody: json({ $ref: "#/components/schemas/Part" }),
  });
  const at = { origin: "https://engram.test", credentials: { authorization: "Bearer key" } };

  test("has every argument in its place, encoded", async () => {
    const args = { thing_id: "a/../b?c#d", tags: ["x&y=z", "ü"], limit: 5, name: "n" };
    expect(findMisfit(tool, args)).toBeUndefined();
    const request = toRequest(tool, args, at);
    expect([request.method, request.url]).toEqual([
      "POST",
      "https://engram.test/v1/things/a%2F..%2Fb%3Fc%23d/parts?tags=x%26y%3Dz&tags=%C3%BC&limit=5",
    ]);
    expect(Object.fromEntries(request.headers)).toEqual({
      authorization: "Bearer key",
      "content-type": "application/json",
    });
    expect(await request.json()).toEqual({ name: "n" });
  });

  test("has the operation's names for the arguments", async () => {
    const renamed = toolOf({
      parameters: [parameter("thing_id", "path"), parameter("limit", "query")],
      requestBody: json({ $ref: "#/components/schemas/Part" }),
      "x-mcp": [{ takes: { name: "thing_id", id: "name", top_k: "limit" } }],
    });
    const request = toRequest(renamed, { name: "{limit}$&", id: "i", top_k: 3 }, at);
    expect(request.url).toBe("https://engram.test/v1/things/%7Blimit%7D%24%26/parts?limit=3");
    expect(await request.json()).toEqual({ name: "i" });
    expect(findMisfit(renamed, { name: "x", thing_id: "x" })).toContain("`thing_id` is not an argument");
    expect(findMisfit(renamed, { name: "..", id: "i" })).toBe("`name` must be an id.");
  });

  test.for([
    [{}, "thing_id"],
    [{ thing_id: 5 }, "thing_id"],
    [{ thing_id: ".." }, "thing_id"],
    [{ thing_id: "x", limit: true }, "limit"],
    [{ thing_id: "x", tags: [{}] }, "tags"],
    [{ thing_id: "x", constructor: 1 }, "constructor"],
  ] as const)("cannot be made from %j", ([args, name]) => {
    expect(findMisfit(tool, args)).toContain(`\`${name}\``);
  });
});

describe("the arguments of an MCP tool call", () => {
  const tool = toolOf({
    parameters: [
      parameter("thing_id", "path"),
      parameter("limit", "query", { type: "integer" }),
      parameter("whole", "query", { type: "boolean" }),
      parameter("tags_any", "query", { type: "array", items: { type: "string" } }),
      parameter("filter", "query", { type: "string", contentSchema: { type: "object" } }),
    ],
    requestBody: json({
      type: "object",
      properties: {
        content: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
        roles: { type: "array", items: { type: "string", enum: ["user", "tool"] } },
        share: { type: "number" },
        title: { anyOf: [{ type: "string" }, { type: "null" }] },
        either: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
        metadata: { type: "object", additionalProperties: true },
        around: { type: "object", properties: { before: { type: "integer" } } },
        messages: {
          type: "array",
          items: {
            type: "object",
            properties: { role: { type: "string" }, content: { type: "string" }, name: { type: "string" } },
            required: ["role", "content"],
          },
        },
      },
    }),
  });
  const read = (args: object) => readArguments(tool, { ...args });

  test.for([
    [{ tags_any: '["billing"]' }, { tags_any: ["billing"] }],
    [{ tags: ' ["a", "b"] ' }, { tags: ["a", "b"] }],
    [{ tags: "billing" }, { tags: ["billing"] }],
    [{ roles: "user" }, { roles: ["user"] }],
    [{ tags: [1, "2"] }, { tags: ["1", "2"] }],
    [{ limit: "1" }, { limit: 1 }],
    [{ limit: "10.0" }, { limit: 10 }],
    [{ share: "0.5" }, { share: 0.5 }],
    [{ whole: "True" }, { whole: true }],
    [{ metadata: '{"a": {"b": null}}' }, { metadata: { a: { b: null } } }],
    [{ around: '{"before": "2", "after": null}' }, { around: { before: 2 } }],
    [
      { messages: '[{"role": "user", "content": "[1]", "name": null}]' },
      { messages: [{ role: "user", content: "[1]" }] },
    ],
    [{ messages: ['{"role": "user", "content": "x"}'] }, { messages: [{ role: "user", content: "x" }] }],
    [{ messages: { role: "user", content: "x" } }, { messages: [{ role: "user", content: "x" }] }],
    [
      { content: '{"a": 1}', title: 7 },
      { content: '{"a": 1}', title: "7" },
    ],
    // Both are allowed, so nothing is converted.
    [{ either: '["a"]' }, { either: '["a"]' }],
  ] as const)("are converted from %j to %j", ([args, expected]) => {
    expect(read(args)).toEqual(expected);
    expect(findMisfit(tool, { thing_id: "x", ...read(args) })).toBeUndefined();
  });

  test("count null as absent, even if the schema allows it, but not inside of free-form objects", () => {
    expect(read({ limit: null, title: null, tags: null, unknown: null })).toEqual({});
    expect(read({ metadata: { a: null } })).toEqual({ metadata: { a: null } });
    expect(findMisfit(tool, read({ thing_id: null }))).toBe("`thing_id` is required.");
  });

  test.for([
    [
      { tags: "billing, refund" },
      '`tags` must be an array, such as `["text"]`. Leave it out if there is none.',
    ],
    [{ tags_any: "['billing']" }, '`tags_any` must be an array, such as `["text"]`.'],
    [{ tags: "" }, "`tags` must be an array"],
    [{ roles: [{}] }, '`roles` must be an array, such as `["user"]`.'],
    [{ limit: "ten" }, "`limit` must be a whole number, such as `10`."],
    [{ limit: 1.5 }, "`limit` must be a whole number"],
    [{ limit: "90071992547409930" }, "`limit` must be a whole number"],
    [{ share: "half" }, "`share` must be a number, such as `0.5`."],
    [{ whole: "maybe" }, "`whole` must be a boolean, such as `true`."],
    [{ metadata: "a=1" }, '`metadata` must be an object, such as `{"key": "value"}`.'],
    [{ around: "2" }, '`around` must be an object, such as `{"before": 10}`.'],
    [{ messages: "hello" }, '`messages` must be an array, such as `[{"role": "text", "content": "text"}]`.'],
    [{ content: { text: "x" } }, '`content` must be a string, such as `"text"`.'],
  ] as const)("in the form %j are rejected with the right form", ([args, message]) => {
    expect(findMisfit(tool, { thing_id: "x", ...read(args) })).toContain(message);
  });

  test("in JSON text are rejected if they cannot be stored exactly", () => {
    expect(() => read({ metadata: '{"n": 9007199254740993}' })).toThrow("cannot be stored exactly");
    expect(() => read({ metadata: '{"a": 1, "a": 2}' })).toThrow("the same key twice");
  });

  test("that are objects are sent as JSON in query parameters", () => {
    const at = { origin: "https://engram.test", credentials: {} };
    const { searchParams } = new URL(toRequest(tool, { thing_id: "x", filter: { a: 1 } }, at).url);
    expect(searchParams.get("filter")).toBe('{"a":1}');
  });
});

test("an MCP tool can return nested fields, parts of texts and fields of list items", () => {
  const found = (span: object | null, start?: number) => ({
    at: { text: "🦭 walrus", start },
    span,
    more: 1,
  });
  const results = [found({ start: 3, end: 9 }), found(null), found({ start: 95, end: 109 }, 100)];
  const answer = { results, left: 0, total: 2 };
  const item = { text: "at.text", part: ["at.text", "span", "at.start"] as [string, string, string] };
  expect(pickFields(answer, { results: item, count: "total" })).toEqual({
    results: [
      { text: "🦭 walrus", part: "walrus" },
      { text: "🦭 walrus", part: "🦭 walrus" },
      { text: "🦭 walrus", part: "🦭 walrus" },
    ],
    count: 2,
  });
});

test("the tools of all sets have different names, so that sets can be combined", () => {
  const names = toTools(openApiDocument()).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
