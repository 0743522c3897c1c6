import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { outcome } from "./support.ts";

const MODEL = "engram/use-pieces-256d-int8";
const { AI, CONTROL } = env;

afterEach(() => CONTROL.clearFaults());

describe("AI.run", () => {
  test("answers a vector per text, in the order of the texts, with their shape", async () => {
    const both = await AI.run(MODEL, { text: ["a dog barked", "quarterly revenue"] });
    const second = await AI.run(MODEL, { text: ["quarterly revenue"] });
    expect(both.shape).toEqual([2, 256]);
    expect(both.data.map((vector) => vector.length)).toEqual([256, 256]);
    expect(both.data[1]).toEqual(second.data[0]);
  });

  test("takes a single string as one text", async () => {
    const single = await AI.run(MODEL, { text: "a dog barked" });
    expect(single).toEqual(await AI.run(MODEL, { text: ["a dog barked"] }));
  });

  test.for([
    [undefined, "mean"],
    ["mean", "mean"],
    ["cls", "cls"],
  ] as const)("answers pooling %s as %s", async ([asked, answered]) => {
    expect(await AI.run(MODEL, { text: "dog", pooling: asked })).toMatchObject({ pooling: answered });
  });

  test("takes 100 texts", async () => {
    expect((await AI.run(MODEL, { text: Array(100).fill("dog") })).shape).toEqual([100, 256]);
  });

  test("cuts off without a word what is over 512 tokens", async () => {
    const text = "dog ".repeat(510);
    const { data } = await AI.run(MODEL, { text: [text, `${text} quarterly revenue`] });
    expect(data[0]).toEqual(data[1]);
  });

  test.for([
    ["101 texts", { text: Array(101).fill("dog") }],
    ["an empty text", { text: "" }],
    ["an empty text among others", { text: ["dog", ""] }],
    ["no text at all", { text: [] }],
    ["a text that is no string", { text: [1] }],
    ["no text field", { prompt: "dog" }],
    ["nothing", undefined],
    ["a pooling it does not know", { text: "dog", pooling: "max" }],
  ] as const)("refuses %s", async ([, input]) => {
    await expect(outcome(AI.run(MODEL, input))).rejects.toThrow(/^5006: Error: /);
  });

  test("refuses a model that is not its own, bge too", async () => {
    const call = outcome(AI.run("@cf/baai/bge-base-en-v1.5", { text: "dog" }));
    await expect(call).rejects.toMatchObject({
      name: "AiError",
      message: "5007: No such model @cf/baai/bge-base-en-v1.5 or task",
    });
  });
});

describe("a fault of AI", () => {
  beforeEach(() => CONTROL.resetCalls());

  test.for(["3040", "3036", "3007"] as const)("fails with %s until it is cleared", async (code) => {
    await CONTROL.setFault({ ai: code });
    const call = outcome(AI.run(MODEL, { text: "dog" }));
    await expect(call).rejects.toMatchObject({
      name: "AiError",
      message: expect.stringMatching(`^${code}: `),
    });
    await CONTROL.clearFaults();
    expect((await AI.run(MODEL, { text: "dog" })).shape).toEqual([1, 256]);
  });

  test("hangs without an answer until it is cleared", async () => {
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

  test("leaves Vectorize alone", async () => {
    await CONTROL.setFault({ ai: "3040" });
    expect(await env.VECTORIZE.describe()).toMatchObject({ dimensions: 256 });
  });

  test("counts a failed call like any other", async () => {
    await AI.run(MODEL, { text: "dog" });
    await CONTROL.setFault({ ai: "3040" });
    await expect(outcome(AI.run(MODEL, { text: "dog" }))).rejects.toThrow();
    expect(await CONTROL.countCalls()).toEqual({ "ai.run": 2 });
  });
});
