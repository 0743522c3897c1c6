import { describe, expect, test } from "vitest";
import type { AskedQuestion } from "../src/recall/ask.ts";
import type { DialogueSet, Session } from "../src/recall/dialogues.ts";
import { METRICS, type Scores } from "../src/recall/metrics.ts";
import { OTHER_DIMENSIONS, openEndpoint, otherEmbedder } from "../src/reindex/endpoint.ts";
import { type Asked, type Measurement, measureReindex, type Phase } from "../src/reindex/measure.ts";
import { findFaults, formatReport } from "../src/reindex/report.ts";
import { openEmbedder } from "../src/speed/embedder.ts";

const THINGS = ["kettle", "bicycle", "piano", "lighthouse"];
const sessionOf = (thing: string): Session => {
  const turns = Array.from({ length: 8 }, (_, i) => ({
    key: `${thing}/${i}`,
    sessionKey: thing,
    id: `${i}`,
    role: i % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: i === 3 ? `The ${thing} is in the cellar.` : `Sentence ${i} about something else.`,
    createdAtMs: Date.UTC(2023, 4, 1 + i),
    words: 6,
  }));
  return { key: thing, title: thing, turns };
};
const small: DialogueSet = {
  name: "things",
  dialogues: [
    {
      id: "d",
      sessions: THINGS.map(sessionOf),
      questions: THINGS.map((thing) => ({
        text: `Where is the ${thing}?`,
        category: "fact",
        dialogueId: "d",
        evidenceTurns: new Set([`${thing}/3`]),
        evidenceSessions: new Set([thing]),
      })),
    },
  ],
  unanswerable: [],
  categories: new Map([["fact", "fact"]]),
};

test("a service that is embedded again finds what it found before, and what a service filled under the new model finds", async () => {
  const { signal } = new AbortController();
  const measurement = await measureReindex(small, () => {}, signal);
  expect(findFaults(measurement)).toEqual([]);
  expect(measurement).toMatchObject({ messages: 32, conversations: 4 });
  const { before, changed, half, after } = measurement.phases;
  const found = ({ semantic }: Asked) => semantic.filter(({ turns }) => turns.mrr > 0).length;
  expect([found(before), found(changed), found(half), found(after)]).toEqual([4, 0, 2, 4]);
  expect(changed.hybrid.map(({ turns }) => turns.mrr)).toEqual([1, 1, 1, 1]);
});

// The keys are METRICS and nothing else, which fromEntries cannot know.
const scores = (value: number) => Object.fromEntries(METRICS.map((metric) => [metric, value])) as Scores;
const question = (value: number, degraded = false): AskedQuestion => ({
  category: "fact",
  turns: scores(value),
  windows: scores(value),
  windows_of_five: scores(value),
  degraded,
  searchMs: [Math.random()],
  windowMessages: [5],
  evidenceRelevance: value,
  received: { whole: value, any: value },
});
const asked = (value: number, degraded = false): Asked => ({
  hybrid: [question(value, degraded)],
  semantic: [question(value, degraded)],
});
const measured = (some: Partial<Record<Phase, Asked>> = {}): Measurement => ({
  phases: {
    before: asked(1),
    changed: asked(0, true),
    half: asked(0.5, true),
    after: asked(0.9),
    fresh: asked(0.9),
    ...some,
  },
  messages: 1,
  conversations: 1,
  reindexS: 2,
});

describe("what counts as a fault", () => {
  test("nothing when all is as it must be, however long it took", () => {
    expect(findFaults(measured())).toEqual([]);
  });

  test("an answer that does not say what it left out, and one that says so without need", () => {
    expect(findFaults(measured({ half: asked(0.5), before: asked(1, true) }))).toEqual([
      "hybrid, before, under the old model: 1 answers say degraded.",
      "hybrid, half embedded again: 1 answers do not say degraded.",
      "semantic, before, under the old model: 1 answers say degraded.",
      "semantic, half embedded again: 1 answers do not say degraded.",
    ]);
  });

  test("a question that scores otherwise than if all had been filled from the start, better or worse", () => {
    const other = { hybrid: [question(0.91)], semantic: [question(0.9)] };
    expect(findFaults(measured({ after: other }))).toEqual([
      "hybrid: 1 questions score otherwise than if filled from the start.",
    ]);
  });

  test("something found by meaning where no vector of the model is", () => {
    expect(findFaults(measured({ changed: asked(0.1, true) }))).toEqual([
      "Meaning finds something although no vector of the model is there.",
    ]);
  });
});

test("the report has a line for each phase and mode", () => {
  const report = formatReport(measured(), small);
  expect(report).toContain("1 messages in 1 conversations, 1 questions.");
  expect(report).toContain("| hybrid | all embedded again | 90.0 | 90.0 | 90.0 | 90.0 | 90.0 | 90.0 | 0 |\n");
  expect(report).toContain(
    "| semantic | half embedded again | 50.0 | 50.0 | 50.0 | 50.0 | 50.0 | 50.0 | 1 |\n",
  );
});

describe("the other model", () => {
  const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) => {
    const dot = (x: ArrayLike<number>, y: ArrayLike<number>) =>
      Array.from(x).reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  };

  test("keeps the built-in one's angles but for an error, the same each time", () => {
    const [old, other] = [openEmbedder(), otherEmbedder()];
    const [one, two] = ["The kettle leaks.", "My kettle is leaking again."];
    expect(other(one)).toEqual(otherEmbedder()(one));
    expect(Math.abs(cosine(other(one), other(two)) - cosine(old.embed(one), old.embed(two)))).toBeLessThan(
      0.3,
    );
  });

  test("answers as an endpoint does", async () => {
    const { url, close } = await openEndpoint();
    const body = JSON.stringify({ model: "any", input: ["one", "two"] });
    const response = await fetch(`${url}/v1/embeddings`, { method: "POST", body });
    await close();
    const { data } = (await response.json()) as { data: { index: number; embedding: number[] }[] };
    expect(data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, OTHER_DIMENSIONS],
      [1, OTHER_DIMENSIONS],
    ]);
  });
});
