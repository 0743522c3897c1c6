import { ENTITY_KINDS } from "@engram/spec";
import { describe, expect, test } from "vitest";
import { parseMarks, readCodingSet } from "../src/entities/set.ts";

const set = readCodingSet();

describe("the labelled set for entities of code", () => {
  test("has at least 300 different messages, half of them held out", () => {
    expect(set.length).toBeGreaterThanOrEqual(300);
    expect(new Set(set.map(({ text }) => text)).size).toBe(set.length);
    expect(set.filter(({ half }) => half === "held")).toHaveLength(set.length / 2);
  });

  test.each(ENTITY_KINDS)("has at least 60 mentions of the kind %s, 25 of them in each half", (kind) => {
    const count = (half: string) =>
      set
        .filter((m) => m.half === half)
        .flatMap(({ labels }) => labels.filter((label) => label.kind === kind)).length;
    expect(count("dev") + count("held")).toBeGreaterThanOrEqual(60);
    expect(Math.min(count("dev"), count("held"))).toBeGreaterThanOrEqual(25);
  });

  test("labels verbatim text, and nests labels in commands only", () => {
    for (const { name, text, labels } of set) {
      expect(text, name).not.toMatch(/\{\{|\}\}/);
      for (const [i, { kind, start, end, ...label }] of labels.entries()) {
        expect(text.slice(start, end), name).toBe(label.text);
        expect(label.text.trim(), name).toBe(label.text);
        expect(label.text, name).not.toBe("");
        expect(label.value !== undefined, `${name}: ${label.text}`).toBe(kind === "date");
        const next = labels[i + 1];
        if (next !== undefined && next.start < end) {
          expect(kind, name).toBe("command");
          expect(next.end, name).toBeLessThanOrEqual(end);
        }
      }
    }
  });

  test("has only existing days as values of dates", () => {
    const dates = set.flatMap(({ labels }) => labels.filter(({ kind }) => kind === "date"));
    for (const { value = "" } of dates) {
      const day = value.length === 7 ? `${value}-01` : value;
      expect(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(day);
    }
  });
});

describe("label marks", () => {
  test("are removed from the text, and offsets count the text without them", () => {
    expect(parseMarks("a {{command:git add {{file:b.ts}}}} {c}")).toEqual({
      text: "a git add b.ts {c}",
      labels: [
        { kind: "command", text: "git add b.ts", start: 2, end: 14 },
        { kind: "file", text: "b.ts", start: 10, end: 14 },
      ],
    });
  });

  test("must be closed and of a known kind", () => {
    expect(() => parseMarks("{{file:a")).toThrow("not closed");
    expect(() => parseMarks("{{person:Ann}}")).toThrow("person");
  });
});
