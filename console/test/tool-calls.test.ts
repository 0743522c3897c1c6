import { describe, expect, test } from "vitest";
import { indented, resultText, shortOf, textBesideCalls, toolCallsOf } from "../src/tool-calls.ts";

const message = (fields: object) =>
  ({
    ...{ role: "assistant", content: "", parts: null, tool_call_id: null, tool_name: null },
    ...fields,
  }) as Parameters<typeof toolCallsOf>[0];

describe("the tool calls of a message", () => {
  test.for([
    ["of Anthropic", { type: "tool_use", id: "c1", name: "find", input: { order: 1 } }],
    ["of OpenAI", { type: "function_call", call_id: "c1", id: "fc", name: "find", arguments: '{"order":1}' }],
    ["of OpenAI Agents", { type: "function_call", callId: "c1", name: "find", arguments: '{"order":1}' }],
    ["of LangChain", { type: "ai", data: { tool_calls: [{ id: "c1", name: "find", args: { order: 1 } }] } }],
    [
      "of a chat completion",
      { tool_calls: [{ id: "c1", type: "function", function: { name: "find", arguments: '{"order":1}' } }] },
    ],
    ["of the AI SDK", { type: "tool-find", toolCallId: "c1", input: { order: 1 } }],
    [
      "of the AI SDK, dynamic",
      { type: "dynamic-tool", toolName: "find", toolCallId: "c1", input: { order: 1 } },
    ],
  ] as const)("are read from parts %s", ([, part]) => {
    expect(toolCallsOf(message({ parts: [{ type: "text", text: "I look." }, part] }))).toEqual([
      { id: "c1", name: "find", input: '{"order":1}' },
    ]);
  });

  test("have the result that a part holds", () => {
    const part = { type: "tool-find", toolCallId: "c1", input: {}, output: { state: "sent" } };
    expect(toolCallsOf(message({ parts: [part] }))[0]?.output).toBe('{"state":"sent"}');
  });

  test("are read from its fields if it has no parts, with JSON content as the arguments", () => {
    const fields = { tool_call_id: "c1", tool_name: "find" };
    const call = message({ ...fields, content: '{"order":1}' });
    expect(toolCallsOf(call)).toEqual([{ id: "c1", name: "find", input: '{"order":1}' }]);
    expect(textBesideCalls(call, true)).toBe("");
    const said = message({ ...fields, content: "I look." });
    expect(toolCallsOf(said)).toEqual([{ id: "c1", name: "find", input: "" }]);
    expect(textBesideCalls(said, true)).toBe("I look.");
  });

  test("are none in results, in messages of users, and in parts of other types", () => {
    const fields = { tool_call_id: "c1", tool_name: "find", content: "{}" };
    for (const role of ["user", "system", "tool"])
      expect(toolCallsOf(message({ role, ...fields }))).toEqual([]);
    const others = [
      null,
      1,
      "x",
      {},
      { type: "text" },
      { type: "tool_result", name: "find" },
      { type: "tool_use" },
    ];
    expect(toolCallsOf(message({ parts: [...others, { type: "tool-result", toolName: "find" }] }))).toEqual(
      [],
    );
  });

  test("leave the content as it is stored unless it is exactly their arguments", () => {
    const parts = [{ type: "function_call", call_id: "c1", name: "find", arguments: '{"order":1}' }];
    const spaced = message({ parts, content: '{ "order": 1 }' });
    expect(textBesideCalls(spaced, true)).toBe("");
    expect(textBesideCalls(spaced, false)).toBe('{ "order": 1 }');
  });
});

describe("JSON of a tool", () => {
  test("is indented without a change of anything but white space", () => {
    const text = '{"id":12345678901234567890,"a":1,"a":[],"b":[1,{"c":"x, {\\"y\\": [1]}"}]}';
    expect(indented(text)).toBe(
      '{\n  "id": 12345678901234567890,\n  "a": 1,\n  "a": [],\n  "b": [\n    1,\n    {\n      "c": "x, {\\"y\\": [1]}"\n    }\n  ]\n}',
    );
    for (const other of ["no JSON {", "12", '"x"', "", "[1"]) expect(indented(other)).toBe(other);
  });

  test("is one short line in the list", () => {
    expect(shortOf('{"order":1029,"note":"a\\nb","deep":{"x":[1]}}')).toBe(
      'order: 1029, note: a b, deep: {"x":[1]}',
    );
    expect(shortOf(" Test Files\n\n  1 passed")).toBe(" Test Files 1 passed");
    expect(shortOf(`{"text":"${"x".repeat(100)}"}`)).toBe(`text: ${"x".repeat(60)}…`);
    expect(shortOf("x".repeat(1_000)).length).toBe(161);
  });
});

test("a result without text is its parts", () => {
  expect(resultText({ content: "", parts: [{ type: "image" }] as never })).toContain('"type": "image"');
  expect(resultText({ content: "sent", parts: [{}] as never })).toBe("sent");
});
