import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { outcome } from "./support.ts";

const MODEL = "engram/use-pieces-256d-int8";
const { AI, CONTROL } = env;

afterEach(() => CONTROL.clearFaults());

describe("AI.run of the stand-in", () => {
  test("returns one vector per text, in the order of the texts, with their shape", async () => {
    const both = await AI.run(MODEL, { text: ["a dog barked", "quarterly revenue"] });
    const second = await AI.run(MODEL, { text: ["quarterly revenue"] });
    expect(both.shape).toEqual([2, 256]);
    expect(both.data.map((vector) => vector.length)).toEqual([256, 256]);
    expect(both.data[1]).toEqual(second.data[0]);
  });

  test("accepts a single string as one text", async () => {
    const single = await AI.run(MODEL, { text: "a dog barked" });
    expect(single).toEqual(await AI.run(MODEL, { text: ["a dog barked"] }));
  });

  test.for([
    [undefined, "mean"],
    ["mean", "mean"],
    ["cls", "cls"],
  ] as const)("reports pooling %s as %s", async ([asked, answered]) => {
    expect(await AI.run(MODEL, { text: "dog", pooling: asked })).toMatchObject({ pooling: answered });
  });

  test("accepts 100 texts", async () => {
    expect((await AI.run(MODEL, { text: Array(100).fill("dog") })).shape).toEqual([100, 256]);
  });

  test("truncates a text of more than 512 tokens between words", async () => {
    const text = "dog ".repeat(510);
    const { data } = await AI.run(MODEL, { text: [text, `${text} quarterly revenue`] });
    expect(data[0]).toEqual(data[1]);
  });

  test.for([
    ["101 texts", { text: Array(101).fill("dog") }],
    ["an empty text", { text: "" }],
    ["an empty text among others", { text: ["dog", ""] }],
    ["an empty list of texts", { text: [] }],
    ["a text that is not a string", { text: [1] }],
    ["no text field", { prompt: "dog" }],
    ["nothing", undefined],
    ["an unknown pooling", { text: "dog", pooling: "max" }],
  ] as const)("rejects %s", async ([, input]) => {
    await expect(outcome(AI.run(MODEL, input))).rejects.toThrow(/^5006: Error: /);
  });

  test("rejects any embedding model but its own, bge included", async () => {
    const call = outcome(AI.run("@cf/baai/bge-base-en-v1.5", { text: "dog" }));
    await expect(call).rejects.toMatchObject({
      name: "AiError",
      message: "5007: No such model @cf/baai/bge-base-en-v1.5 or task",
    });
  });
});

describe("AI.run of the built-in text model", () => {
  const TEXT_MODEL = "engram/extractive-1";
  const asking = (content: string) => ({
    messages: [
      { role: "system", content: "Describe the note." },
      { role: "user", content },
    ],
    response_format: { type: "json_schema", json_schema: {} },
    temperature: 0.2,
    max_tokens: 512,
  });

  test("returns summary and tags of the note in the last message, and uses the known tags", async () => {
    const content = JSON.stringify({
      note: "The k8s upgrade took down PostgreSQL. Maria writes the report about the outage.",
      known_tags: ["kubernetes", "postgres"],
    });
    expect(await AI.run(TEXT_MODEL, asking(content))).toEqual({
      response: {
        summary: "The k8s upgrade took down PostgreSQL.",
        tags: ["kubernetes", "postgres", "upgrade", "maria", "report", "outage"],
      },
    });
  });

  test.for<[string, unknown]>([
    ["no messages", { prompt: "a note" }],
    ["messages that are not a list", { messages: "a note" }],
    ["an empty list of messages", { messages: [] }],
    ["a message without content", { messages: [{ role: "user" }] }],
    ["a message that is not JSON", asking("a note")],
    ["a message without a note", asking('{"text":"a note"}')],
    ["a note that is not a string", asking('{"note":1}')],
    ["texts to embed", { text: "a note" }],
  ])("rejects %s", async ([, input]) => {
    await expect(outcome(AI.run(TEXT_MODEL, input))).rejects.toThrow(/^5006: Error: /);
  });

  test("rejects any text model but its own, that of production included", async () => {
    const call = outcome(AI.run("@cf/meta/llama-3.1-8b-instruct-fast", asking('{"note":"a note"}')));
    await expect(call).rejects.toMatchObject({
      name: "AiError",
      message: "5007: No such model @cf/meta/llama-3.1-8b-instruct-fast or task",
    });
  });
});

describe("a simulated fault of AI", () => {
  test.for(["3040", "3036", "3007"] as const)(
    "makes calls fail with %s until it is cleared",
    async (code) => {
      await CONTROL.setFault({ ai: code });
      const call = outcome(AI.run(MODEL, { text: "dog" }));
      await expect(call).rejects.toMatchObject({
        name: "AiError",
        message: expect.stringMatching(`^${code}: `),
      });
      await CONTROL.clearFaults();
      expect((await AI.run(MODEL, { text: "dog" })).shape).toEqual([1, 256]);
    },
  );

  test("makes calls hang until it is cleared", async () => {
    await CONTROL.setFault({ ai: "hang" });
    let isAnswered = false;
    const call = AI.run(MODEL, { text: "dog" }).then(() => {
      isAnswered = true;
    });
    await scheduler.wait(100);
    expect(isAnswered).toBe(false);
    await CONTROL.clearFaults();
    await call;
  });

  test("does not affect Vectorize", async () => {
    await CONTROL.setFault({ ai: "3040" });
    expect(await env.VECTORIZE.getByIds(["x"])).toEqual([]);
  });
});
