import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { EmbeddingQueue } from "../../src/embeddings/queue.ts";
import { SentenceSource } from "../../src/embeddings/sentences.ts";
import { type Embedded, Outage, RefusedText } from "../../src/embeddings/source.ts";
import REFERENCES from "../support/sentence-vectors.json" with { type: "json" };

const COUNTING = join(import.meta.dirname, "../support/counting-thread.mjs");

describe("the sentence model", () => {
  const said: string[] = [];
  const source = new SentenceSource((line) => said.push(line));
  afterAll(() => source.stop());

  const embed = async (...texts: string[]) => (await source.embed(texts)) as Float32Array[];

  test("gives the vectors of the model in Python, of length 1", async () => {
    for (const { text, thousandths } of REFERENCES) {
      const vector = thousandths.split(" ").map(Number);
      const [own = new Float32Array()] = await embed(text);
      expect(own).toHaveLength(384);
      expect(dot(own, own)).toBeCloseTo(1, 5);
      expect(dot(own, vector) / Math.sqrt(dot(vector, vector)), text).toBeGreaterThan(0.99);
    }
  });

  test("finds a sentence nearer that means the same than one that shares words", async () => {
    const [question = [], same = [], other = []] = await embed(
      "How do I get my money back?",
      "Lena wants refunds on her card, never as store credit.",
      "How do I get my cake out of the mold?",
    );
    expect(dot(question, same)).toBeGreaterThan(dot(question, other));
  });

  test("embeds all of the longest texts of an index, and any text", async () => {
    const long = "The kettle leaks. ".repeat(100);
    const [one = [], more = []] = await embed(long, `${long} I moved to Kyoto.`);
    expect(dot(one, more)).toBeLessThan(0.9999);
    for (const vector of await embed(
      " ",
      "\0",
      "\ud800",
      "12:30",
      "🙂".repeat(9_999),
      "x".repeat(99_999),
      long,
    )) {
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
    }
    expect(said).toEqual([]);
  });

  test("gives a text in a script that it does not read the zero vector", async () => {
    for (const text of ["日本語", "我的猫叫 Mimi,它三岁了", "Где моя сумка?", "كتاب"]) {
      expect(dot(...((await embed(text, text)) as [Float32Array, Float32Array])), text).toBe(0);
    }
    for (const text of ["My cat is called 咪咪.", "Où est mon sac ?"]) {
      expect(dot(...((await embed(text, text)) as [Float32Array, Float32Array])), text).toBeCloseTo(1, 5);
    }
  });
});

describe("the thread of the sentence model", () => {
  const open = () => {
    const said: string[] = [];
    const source = new SentenceSource((line) => said.push(line), COUNTING);
    opened.push(source);
    return { source, said };
  };
  const opened: SentenceSource[] = [];
  afterEach(() => {
    for (const source of opened.splice(0)) source.stop();
  });
  const numbers = (embedded: Embedded[]) => embedded.flatMap((each) => [...(each as Float32Array)]);

  test("lets a search wait for one other text at most", async () => {
    const queue = new EmbeddingQueue(open().source);
    const indexed = queue.embed(["a", "b", "c", "d"]);
    expect(numbers(await queue.embed(["search"]))).toEqual([1]);
    expect(numbers(await indexed)).toEqual([0, 2, 3, 4]);
  });

  test("rejects a text that the model rejects, and no other", async () => {
    const [before, bad, after] = await open().source.embed(["a", "bad", "b"]);
    expect(bad).toEqual(new RefusedText("no such text"));
    expect(numbers([before, after] as Embedded[])).toEqual([0, 1]);
  });

  test("is an outage when it crashes, and starts again with the next text", async () => {
    const { source, said } = open();
    const failed = await source.embed(["a", "crash", "b"]).catch((error: unknown) => error);
    expect(failed).toEqual(new Outage("the sentence model failed: out of memory"));
    expect(said).toEqual([
      "The sentence model failed: out of memory. It is started again with the next text.",
    ]);
    expect(numbers(await source.embed(["b", "c"]))).toEqual([0, 1]);
    expect(said).toHaveLength(1);
  });

  test("ends with the source, and so do the texts that wait for it", async () => {
    const { source, said } = open();
    await source.embed(["a"]);
    const waiting = source.embed(["hang"]).catch((error: unknown) => error);
    source.stop();
    expect(await waiting).toBeInstanceOf(Outage);
    await expect(source.embed(["b"])).rejects.toBeInstanceOf(Outage);
    expect(said).toEqual([]);
  });
});

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
