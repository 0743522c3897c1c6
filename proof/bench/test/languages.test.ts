import { expect, test } from "vitest";
import {
  ANSWERS,
  LANGUAGES,
  loadLanguages,
  MESSAGES_PER_SESSION,
  readTexts,
  SESSIONS,
} from "../src/languages/load.ts";
import { formatLanguages } from "../src/languages/report.ts";
import { readArgs } from "../src/recall/args.ts";
import type { ScopeReport } from "../src/recall/report.ts";

const texts = new Map(
  await Promise.all([...LANGUAGES.keys()].map(async (tag) => [tag, await readTexts(tag)] as const)),
);
const messageIds = SESSIONS.flatMap(({ id }) =>
  Array.from({ length: MESSAGES_PER_SESSION }, (_, index) => `${id}.${index + 1}`),
);

test("the talk has 72 messages and 40 questions, a third of each kind", () => {
  const kinds = Object.keys(ANSWERS).map((id) => id.split(".")[0]);
  expect(messageIds).toHaveLength(72);
  expect(
    Object.entries(Object.groupBy(kinds, (kind) => kind ?? "")).map(([k, all]) => [k, all?.length]),
  ).toEqual([
    ["inflected", 14],
    ["partial", 13],
    ["paraphrase", 13],
  ]);
});

test("every question is answered by messages that exist", () => {
  const answers = Object.values(ANSWERS);
  expect(answers.flat().filter((id) => !messageIds.includes(id))).toEqual([]);
  expect(answers.every((ids) => ids.length > 0)).toBe(true);
});

test.each([...texts])("%s has the text of every message and question, and no other", (_, language) => {
  expect(Object.keys(language.messages)).toEqual(messageIds);
  expect(Object.keys(language.questions)).toEqual(Object.keys(ANSWERS));
  expect(Object.keys(language.names)).toEqual(["nina", "daniel", "sara", "oskar"]);
});

test("no text is empty, is in a language twice, or is the same in two languages", () => {
  const all = [...texts].flatMap(([tag, { messages, questions }]) =>
    [...Object.entries(messages), ...Object.entries(questions)].map(([id, text]) => ({
      place: `${tag} ${id}`,
      text,
    })),
  );
  const empty = all.filter(({ text }) => text.trim() === "");
  const twice = Object.values(Object.groupBy(all, ({ text }) => text)).filter(
    (same) => (same?.length ?? 0) > 1,
  );
  expect({ empty, twice }).toEqual({ empty: [], twice: [] });
});

test("each language is a dialogue of its own, with the roles, times and answers of all", async () => {
  const { dialogues } = await loadLanguages();
  const shared = dialogues.map(({ id, sessions, questions }) => ({
    turns: sessions.flatMap(({ turns }) => turns.map((turn) => [turn.id, turn.role, turn.createdAtMs])),
    answers: questions.map(({ evidenceTurns }) => [...evidenceTurns].map((key) => key.slice(id.length + 1))),
  }));
  expect(dialogues.map(({ id }) => id)).toEqual([...LANGUAGES.keys()]);
  expect(shared[0]?.answers).toEqual(Object.values(ANSWERS));
  for (const one of shared) expect(one).toEqual(shared[0]);
});

test("the command measures all questions of the languages in organizations of their own, and refuses a part", () => {
  const read = (...more: string[]) => readArgs(["--set", "languages", ...more], "/");
  expect(read().scopes).toEqual(["own"]);
  expect(read("--scope", "own").scopes).toEqual(["own"]);
  expect(() => read("--scope", "shared")).toThrow(/only the scope own/);
  expect(() => read("--half", "dev")).toThrow(/no --half/);
  expect(readArgs(["--set", "notes"], "/").scopes).toEqual(["shared"]);
  expect(() => readArgs(["--set", "notes", "--scope", "own"], "/")).toThrow(/only the scope shared/);
});

test("the table says for each language and mode how far its nDCG@10 is from that in English", () => {
  const metrics = (ndcg: number) => ({
    metrics: { "s_any@1": 1, "s_any@5": 2, "t@10": 3, mrr: 4, "ndcg@10": ndcg },
  });
  const report = (mode: string, english: number, german: number) => ({
    mode,
    by_category: { en: metrics(english), de: metrics(german) },
  });
  const table = formatLanguages({
    ...report("hybrid", 80, 71.5),
    baselines: { keyword: report("keyword", 60, 62) },
  } as unknown as ScopeReport);
  expect(table.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual([
    ["hybrid", "s_any@1", "s_any@5", "t@10", "mrr", "ndcg@10", "to English"],
    ["English", "1.0", "2.0", "3.0", "4.0", "80.0", "0.0"],
    ["German", "1.0", "2.0", "3.0", "4.0", "71.5", "-8.5"],
    [""],
    ["keyword", "s_any@1", "s_any@5", "t@10", "mrr", "ndcg@10", "to English"],
    ["English", "1.0", "2.0", "3.0", "4.0", "60.0", "0.0"],
    ["German", "1.0", "2.0", "3.0", "4.0", "62.0", "2.0"],
  ]);
});
