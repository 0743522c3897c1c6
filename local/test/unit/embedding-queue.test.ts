import { expect, test } from "vitest";
import { EmbeddingQueue } from "../../src/embeddings/queue.ts";
import { type Embedded, type EmbeddingSource, Outage, RefusedText } from "../../src/embeddings/source.ts";

/** A model whose calls end when the test ends them. */
class SlowModel implements EmbeddingSource {
  textsMax = 2;
  callsMax = 1;
  /** Calls that have begun, in order. */
  readonly calls: { texts: string[]; end: (results?: Embedded[] | Error) => void }[] = [];

  embed(texts: string[]): Promise<Embedded[]> {
    return new Promise((resolve, reject) => {
      const end = (results: Embedded[] | Error = texts.map(vectorOf)) =>
        results instanceof Error ? reject(results) : resolve(results);
      this.calls.push({ texts, end });
    });
  }

  /** Ends calls until none is left. */
  async endAll(): Promise<void> {
    for (let ended = 0; ended < this.calls.length; ended++) {
      this.calls[ended]?.end();
      await settled();
    }
  }

  stop(): void {
    for (const { end } of this.calls) end(new Outage("stopped"));
  }
}

const vectorOf = (text: string) => Float32Array.of(text.length, 1);
/** Lets all pending callbacks run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function open(timeoutMs?: number) {
  const model = new SlowModel();
  return { model, queue: new EmbeddingQueue(model, timeoutMs) };
}

test("the embedding queue sends batches of the model's size, and returns vectors in the order of the texts", async () => {
  const { model, queue } = open();
  const answer = queue.embed(["a", "bb", "ccc", "dddd", "eeeee"]);
  expect(model.calls.map(({ texts }) => texts)).toEqual([["a", "bb"]]);
  await model.endAll();
  expect(await answer).toEqual(["a", "bb", "ccc", "dddd", "eeeee"].map(vectorOf));
  expect(model.calls.map(({ texts }) => texts)).toEqual([["a", "bb"], ["ccc", "dddd"], ["eeeee"]]);
});

test("the embedding queue sends a single text before all waiting texts, while batches are running", async () => {
  const { model, queue } = open();
  const many = queue.embed(["a", "bb", "ccc", "dddd"]);
  const one = queue.embed(["search"]);
  expect(model.calls.map(({ texts }) => texts)).toEqual([["a", "bb"], ["search"]]);
  model.calls[1]?.end();
  expect(await one).toEqual([vectorOf("search")]);
  await model.endAll();
  await many;
});

test("the embedding queue sends a call of few texts before one of many, as the first search after a start is", async () => {
  const { model, queue } = open();
  model.textsMax = 33;
  const indexed = [queue.embed(["running"]), queue.embed(Array.from({ length: 33 }, (_, i) => `line ${i}`))];
  await settled();
  const first = queue.embed(["search", ...Array.from({ length: 24 }, (_, i) => `unrelated ${i}`)]);
  await model.endAll();
  await Promise.all([...indexed, first]);
  expect(model.calls.map(({ texts }) => texts.at(0))).toEqual(["running", "search", "line 0"]);
});

test("the embedding queue continues after a call timed out, so that a repeated call gets further", async () => {
  const { model, queue } = open(20);
  await expect(queue.embed(["a", "bb", "ccc"])).rejects.toThrow(/^3007: Request timeout/);
  await model.endAll();
  expect(await queue.embed(["a", "bb", "ccc"])).toEqual(["a", "bb", "ccc"].map(vectorOf));
  expect(model.calls).toHaveLength(2);
});

test("the embedding queue embeds a text once for all callers that request it at the same time", async () => {
  const { model, queue } = open();
  const answers = [queue.embed(["a", "bb"]), queue.embed(["bb", "a"]), queue.embed(["a"])];
  await model.endAll();
  expect(await Promise.all(answers)).toMatchObject([{ length: 2 }, { length: 2 }, { length: 1 }]);
  expect(model.calls.map(({ texts }) => texts)).toEqual([["a", "bb"]]);
});

test("the embedding queue moves a waiting text to the front when it is requested alone", async () => {
  const { model, queue } = open();
  const many = queue.embed(["a", "bb", "ccc", "dddd", "eeeee"]);
  const one = queue.embed(["eeeee"]);
  expect(model.calls.map(({ texts }) => texts)).toEqual([["a", "bb"], ["eeeee"]]);
  await model.endAll();
  await Promise.all([many, one]);
  expect(model.calls).toHaveLength(3);
});

test("the embedding queue rejects a call with one refused text as Workers AI does, and keeps the vectors of the other texts", async () => {
  const { model, queue } = open();
  const call = queue.embed(["a", "bad"]);
  model.calls[0]?.end([vectorOf("a"), new RefusedText("too long")]);
  await expect(call).rejects.toThrow("5006: Error: too long");
  expect(await queue.embed(["a"])).toEqual([vectorOf("a")]);
  expect(model.calls).toHaveLength(1);
});

test("the embedding queue rejects all waiting texts when the model is down, and works again afterwards", async () => {
  const { model, queue } = open();
  const calls = [queue.embed(["a", "bb", "ccc"]), queue.embed(["dddd", "eeeee"])];
  model.calls[0]?.end(new Outage("gone"));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.message)).toEqual([
    "3040: gone",
    "3040: gone",
  ]);
  expect(model.calls).toHaveLength(1);
  const again = queue.embed(["a"]);
  model.calls[1]?.end();
  expect(await again).toEqual([vectorOf("a")]);
});

test("the embedding queue rejects texts beyond its capacity with a temporary failure", async () => {
  const { model, queue } = open();
  const texts = (from: number) => Array.from({ length: 100 }, (_, i) => `text ${from + i}`);
  const calls = Array.from({ length: 50 }, (_, i) => queue.embed(texts(100 * i)));
  await expect(queue.embed(texts(5_000))).rejects.toThrow(/^3040: Capacity temporarily exceeded/);
  queue.stop();
  expect(new Set((await Promise.allSettled(calls)).map(({ status }) => status))).toEqual(
    new Set(["rejected"]),
  );
  expect(model.calls).toHaveLength(1);
});

test("the embedding queue caches the vectors of at most two indexing runs", async () => {
  const { model, queue } = open();
  model.textsMax = 2_001;
  const texts = Array.from({ length: 2_001 }, (_, i) => "x".repeat(i));
  const all = queue.embed(texts);
  await model.endAll();
  await all;
  await queue.embed(texts.slice(1));
  expect(model.calls).toHaveLength(1);
  const first = queue.embed(texts.slice(0, 1));
  await model.endAll();
  await first;
  expect(model.calls).toHaveLength(2);
});
