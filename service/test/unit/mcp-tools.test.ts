import { describe, expect, test } from "vitest";
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
        "x-mcp": {},
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
      Whole: {
        allOf: [
          { $ref: "#/components/schemas/Part" },
          { type: "object", properties: { size: { type: "integer" } }, required: ["size"] },
        ],
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
const NAME = { type: "string", description: "A text." };

describe("an operation as a tool", () => {
  test("needs the marker", () => {
    expect(toTools(documentOf({ "x-mcp": undefined }))).toEqual([]);
    expect(toTools(documentOf({}))).toMatchObject([{ name: "add_thing_part", scopes: ["write", "read"] }]);
  });

  test.for([
    ["get", {}, true, false, true],
    ["post", {}, false, false, false],
    ["post", { read_only: true }, true, false, true],
    ["patch", {}, false, false, true],
    ["delete", {}, false, true, true],
  ] as const)("hints by method: %s %j", ([method, marker, readOnlyHint, destructiveHint, idempotentHint]) => {
    expect(toolOf({ "x-mcp": marker }, method).annotations).toEqual({
      readOnlyHint,
      destructiveHint,
      idempotentHint,
      openWorldHint: false,
    });
  });

  test("takes path, query and body side by side, no header, and nothing that the marker omits", () => {
    const { inputSchema } = toolOf({
      parameters: [
        parameter("thing_id", "path"),
        parameter("limit", "query", { type: "integer", maximum: 9 }),
        parameter("trace", "query"),
        parameter("if-match", "header"),
      ],
      requestBody: json({ $ref: "#/components/schemas/Part" }),
      "x-mcp": { defaults: { limit: 4_000 }, omits: ["trace"] },
    });
    expect(inputSchema).toEqual({
      type: "object",
      properties: { thing_id: NAME, limit: { type: "integer", maximum: 9, default: 4_000 }, name: NAME },
      required: ["thing_id", "name"],
      additionalProperties: false,
    });
  });

  // As they stand, closed objects under `allOf` allow nothing.
  test("merges what extends another schema, and closes no answer", () => {
    const { outputSchema } = toolOf({ responses: { 200: json({ $ref: "#/components/schemas/Whole" }) } });
    expect(outputSchema).toEqual({
      type: "object",
      properties: { name: { type: "string" }, size: { type: "integer" } },
    });
  });

  test.for([
    [
      "two arguments of one name",
      { parameters: [parameter("name", "path")], requestBody: json({ $ref: "#/components/schemas/Part" }) },
      "addThingPart has two arguments named name",
    ],
    ["an answer that is no object", { responses: { 200: json(text) } }, "not an object"],
    ["no answer", { responses: { 204: {} } }, "not an object"],
    ["an unknown schema", { responses: { 200: json({ $ref: "#/components/schemas/None" }) } }, "no schema"],
  ] as const)("does not come to be with %s", ([, operation, message]) => {
    expect(() => toolOf(operation)).toThrow(message);
  });
});

describe("a call as a request", () => {
  const tool = toolOf({
    parameters: [parameter("thing_id", "path"), parameter("tags", "query"), parameter("limit", "query")],
    requestBody: json({ $ref: "#/components/schemas/Part" }),
  });
  const at = { origin: "https://engram.test", authorization: "Bearer key" };

  test("puts every argument in its place, encoded", async () => {
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

  test.for([
    [{}, "thing_id"],
    [{ thing_id: 5 }, "thing_id"],
    [{ thing_id: ".." }, "thing_id"],
    [{ thing_id: "x", limit: null }, "limit"],
    [{ thing_id: "x", tags: [{}] }, "tags"],
    [{ thing_id: "x", constructor: 1 }, "constructor"],
  ] as const)("cannot be made of %j", ([args, name]) => {
    expect(findMisfit(tool, args)).toContain(`\`${name}\``);
  });
});
