import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Library } from "../src/recall/load.ts";
import { scoreAnswer } from "../src/recall/model-answer.ts";
import { loadTranscripts } from "../src/recall/transcripts.ts";

const long = Array.from({ length: 400 }, (_, i) => `word${i}`).join(" ");
const at = "2024-03-15T00:00:30Z";
const group = {
  id: "g1",
  sessions: [
    {
      id: "s1",
      title: null,
      at,
      msgs: [
        { id: "0", role: "user", name: null, content: "Where is it?", at },
        { id: "1", role: "assistant", name: "Ada", content: long, at },
      ],
    },
  ],
  qs: [{ q: "where", turns: ["0", "1"], sessions: ["s1"], cat: "fact", before: "2024-04-01" }],
};
const load = async (content: unknown) => {
  const file = join(await mkdtemp(join(tmpdir(), "engram-transcripts-")), "some-dev.json.gz");
  await writeFile(file, gzipSync(JSON.stringify(content)));
  return loadTranscripts(file);
};

test("a file of transcripts is read as dialogues with questions", async () => {
  const set = await load([group]);
  expect(set.name).toBe("some-dev");
  expect([...set.categories]).toEqual([["fact", "fact"]]);
  const [{ sessions, questions } = { sessions: [], questions: [] }] = set.dialogues;
  expect(sessions[0]?.turns).toMatchObject([
    { key: "g1/0", sessionKey: "g1/s1", role: "user", createdAtMs: Date.parse(at) },
    { key: "g1/1", name: "Ada", content: long },
  ]);
  expect(questions).toMatchObject([{ text: "where", createdBefore: "2024-04-01T00:00:00.000Z" }]);
  expect([...(questions[0]?.evidenceTurns ?? [])]).toEqual(["g1/0", "g1/1"]);
});

test("a file that is not a transcript, or has evidence for a missing turn, is rejected", async () => {
  await expect(load({ dialogues: [] })).rejects.toThrow(/holds no transcripts/);
  const stray = { ...group, qs: [{ ...group.qs[0], turns: ["9"] }] };
  await expect(load([stray])).rejects.toThrow("g1 has no turn 9");
});

describe("the score of a tool's answer in tokens", () => {
  const scoreOf = async (...messages: string[]) => {
    const [dialogue] = (await load([group])).dialogues;
    const [session] = dialogue?.sessions ?? [];
    if (session === undefined) throw new Error("no session");
    const library = {
      turns: new Map([["conv_1", new Map(session.turns.map((turn) => [turn.id, turn]))]]),
      sessions: new Map([[session.key, session]]),
    } as Partial<Library> as Library;
    const evidence = { evidenceTurns: new Set(["g1/0", "g1/1"]), evidenceSessions: new Set(["g1/s1"]) };
    return scoreAnswer({ results: [{ conversation_id: "conv_1", messages }] }, library, evidence);
  };
  const line = (content: string, part = "") => `[2] 2024-03-15 00:00 Ada${part}: ${content}`;

  test("counts whole evidence turns, and separately also parts that are long enough", async () => {
    const first = "[1] 2024-03-15 00:00 user: Where is it?";
    const part = (end: number) => line(long.slice(0, end), ` (characters 0 to ${end} of ${long.length})`);
    expect(await scoreOf(first)).toEqual({ whole: 0.5, any: 0.5 });
    expect(await scoreOf(first, line(long))).toEqual({ whole: 1, any: 1 });
    expect(await scoreOf(first, part(1_500))).toEqual({ whole: 0.5, any: 1 });
    expect(await scoreOf(first, part(100))).toEqual({ whole: 0.5, any: 0.5 });
  });

  test("throws for text that is in no turn", async () => {
    await expect(scoreOf(line("word1 word3"))).rejects.toThrow("came back altered");
    await expect(scoreOf("[9] 2024-03-15 00:00 user: Where is it?")).rejects.toThrow("no line of");
    await expect(scoreOf("Where is it?")).rejects.toThrow("no line of");
  });
});
