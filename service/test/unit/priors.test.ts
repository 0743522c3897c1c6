import { SEARCH_PRIORS } from "@engram/spec";
import { describe, expect, test } from "vitest";
import { PRIORS, priorWeights, readIntent } from "../../src/search/ranking/priors.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");
const intent = (query: string) => readIntent(query, NOW);
/** How well a message of this time fits the dates of a query. */
const fit = (query: string, at: string) =>
  Math.max(
    0,
    ...intent(query)
      .dates.filter(({ fromMs, toMs }) => Date.parse(at) >= fromMs && Date.parse(at) < toMs)
      .map(({ fit }) => fit),
  );

describe("the intent of a query", () => {
  test.for(["When did she leave?", "what day was it", "How long did it take?", "and when was that?"])(
    "is a time: %s",
    (query) => {
      expect(intent(query).time).toBe(true);
    },
  );

  test.for(["It fails when I run npm install", "whenever", "what did she say"])(
    "is not a time: %s",
    (query) => {
      expect(intent(query).time).toBe(false);
    },
  );

  test("is a number if it asks how many", () => {
    expect(intent("How many dogs has she?").number).toBe(true);
    expect(intent("How does it work?").number).toBe(false);
  });
});

describe("dates in a query", () => {
  test("a day matches messages of that day or the next best, and later ones less", () => {
    for (const query of ["on 7 May 2023?", "May 7th, 2023", "the 7th of May 2023", "2023-05-07"]) {
      expect(fit(query, "2023-05-07T09:00:00Z"), query).toBe(1);
      expect(fit(query, "2023-05-08T23:00:00Z"), query).toBe(1);
      expect(fit(query, "2023-05-12T09:00:00Z"), query).toBe(0.7);
      expect(fit(query, "2023-05-20T09:00:00Z"), query).toBe(0.3);
      expect(fit(query, "2023-05-06T09:00:00Z"), query).toBe(0);
      expect(fit(query, "2022-05-07T09:00:00Z"), query).toBe(0);
    }
  });

  test("a month without a year matches that month in any of the last 20 years", () => {
    expect(fit("What happened in August?", "2021-08-31T23:59:59Z")).toBe(0.7);
    expect(fit("What happened in August?", "2026-09-05T00:00:00Z")).toBe(0.3);
    expect(fit("What happened in August?", "2026-09-15T00:00:00Z")).toBe(0);
    expect(fit("in August 2022", "2021-08-15T00:00:00Z")).toBe(0);
    expect(fit("in December 2022", "2023-01-05T00:00:00Z")).toBe(0.3);
  });

  test("a week matches messages of all its days best, and later ones less", () => {
    expect(fit("what did we do last week?", "2026-11-09T00:00:00Z")).toBe(1);
    expect(fit("what did we do last week?", "2026-11-15T23:00:00Z")).toBe(1);
    expect(fit("what did we do last week?", "2026-11-16T23:00:00Z")).toBe(0.7);
    expect(fit("what did we do last week?", "2026-11-18T00:00:00Z")).toBe(0.3);
    expect(fit("what did we do last week?", "2026-11-08T23:00:00Z")).toBe(0);
  });

  test("a day that depends on the country matches both days, each half as well", () => {
    expect(fit("on 3/12", "2025-12-03T09:00:00Z")).toBe(0.5);
    expect(fit("on 3/12", "2025-03-12T09:00:00Z")).toBe(0.5);
    expect(fit("le 3/12", "2025-12-03T09:00:00Z")).toBe(1);
    expect(fit("le 3/12", "2025-03-12T09:00:00Z")).toBe(0);
  });

  test("a year without a month matches weakly", () => {
    expect(fit("the budget of 2024", "2024-12-31T23:00:00Z")).toBe(0.3);
    expect(fit("the budget of 2024", "2025-01-01T00:00:00Z")).toBe(0);
  });

  test.for(["May I go?", "the march of time", "error 40025", "port 2048a", "the 45th of May be"])(
    "are not read into: %s",
    (query) => {
      const days = intent(query).dates.filter(({ fit }) => fit === 1);
      expect(days).toEqual([]);
    },
  );
});

describe("prior weights", () => {
  const asked = intent("When was it, on 3 June, and how many came?");

  test("are those of the priors that apply to the query", () => {
    expect(priorWeights(SEARCH_PRIORS, asked, 0)).toEqual(PRIORS);
    expect(priorWeights(SEARCH_PRIORS, intent("kettle"), 0)).toEqual({
      ...PRIORS,
      time: 0,
      number: 0,
      date: 0,
    });
  });

  test("of questions and their answers fade as messages get longer", () => {
    const { answer, question, ...others } = PRIORS;
    expect(priorWeights(SEARCH_PRIORS, asked, 0.5)).toEqual({
      ...others,
      answer: answer / 2,
      question: question / 2,
    });
    expect(priorWeights(SEARCH_PRIORS, asked, 1)).toMatchObject({ answer: 0, question: -0 });
  });

  test("are zero for priors that are switched off", () => {
    expect(priorWeights([], asked, 0)).toEqual(Object.fromEntries(SEARCH_PRIORS.map((prior) => [prior, 0])));
    expect(priorWeights(["date"], asked, 0)).toMatchObject({ date: PRIORS.date, time: 0, speaker: 0 });
  });
});
