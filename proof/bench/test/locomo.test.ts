import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repairEvidence } from "../src/recall/evidence.ts";
import { DataError, loadDialogues, loadLocomo, toDialogue } from "../src/recall/locomo.ts";
import { parseSessionDate } from "../src/recall/session-date.ts";
import { dialogue } from "./support/dialogue.ts";

describe("evidence ids of LoCoMo", () => {
  const turns = new Set(["D1:1", "D8:6", "D9:17", "D11:26", "D30:5", "D10:20"]);

  test.for([
    ["a well-formed id", ["D1:1"], ["D1:1"]],
    ["several ids in one text", ["D8:6; D9:17"], ["D8:6", "D9:17"]],
    ["commas and line ends", ["D8:6,D9:17\nD1:1"], ["D8:6", "D9:17", "D1:1"]],
    ["a stray colon", ["D:11:26"], ["D11:26"]],
    ["leading zeros", ["D30:05", "D01:01"], ["D30:5", "D1:1"]],
    ["zeros that belong to the number", ["D10:20"], ["D10:20"]],
    ["an id named twice", ["D1:1", "D1:01"], ["D1:1"]],
    ["ids without a turn", ["D", "D1:99", "", "D1:1"], ["D1:1"]],
  ] as const)("are read from %s", ([, named, repaired]) => {
    expect(repairEvidence(named, turns)).toEqual(repaired);
  });
});

describe("session dates of LoCoMo", () => {
  test.for([
    ["1:56 pm on 8 May, 2023", "2023-05-08T13:56:00.000Z"],
    ["12:09 am on 13 September, 2022", "2022-09-13T00:09:00.000Z"],
    ["12:30 pm on 29 February, 2024", "2024-02-29T12:30:00.000Z"],
    ["9:05 AM on 31 December, 1999", "1999-12-31T09:05:00.000Z"],
  ] as const)("are read from %s as UTC", ([text, iso]) => {
    expect(new Date(parseSessionDate(text) ?? Number.NaN).toISOString()).toBe(iso);
  });

  test.for([
    "",
    "8 May, 2023",
    "13:56 pm on 8 May, 2023",
    "0:10 am on 8 May, 2023",
    "1:60 pm on 8 May, 2023",
    "1:56 pm on 31 June, 2023",
    "1:56 pm on 8 Mai, 2023",
  ])("are rejected if they are %j", (text) => {
    expect(parseSessionDate(text)).toBeUndefined();
  });
});

describe("a LoCoMo dialogue", () => {
  const { sessions, questions } = toDialogue("7", dialogue());

  test("has its sessions in the order of their numbers, without dates that have no session", () => {
    expect(sessions.map((session) => [session.key, session.title])).toEqual([
      ["7/session_1", "1:56 pm on 8 May, 2023"],
      ["7/session_2", "9:05 am on 10 May, 2023"],
      ["7/session_10", "12:00 am on 1 June, 2023"],
    ]);
  });

  test("gives speaker A the role user, and each turn a time one second later", () => {
    expect(
      sessions[0]?.turns.map((turn) => [turn.name, turn.role, new Date(turn.createdAtMs).toISOString()]),
    ).toEqual([
      ["Ada", "user", "2023-05-08T13:56:00.000Z"],
      ["Ben", "assistant", "2023-05-08T13:56:01.000Z"],
      ["Ada", "user", "2023-05-08T13:56:02.000Z"],
    ]);
  });

  test("keeps the text unchanged, followed by the photo's caption", () => {
    expect(sessions[0]?.turns.map((turn) => turn.content)).toEqual([
      " I adopted a grey parrot. ",
      "Lovely! [shares photo: a bowl of fruit]",
      "He talks all day.",
    ]);
  });

  test("counts the words of the speaker's name, the text and the caption", () => {
    // [Ada]: I adopted a grey parrot. / [Ben]: Lovely! [shares photo: a bowl of fruit]
    expect(sessions[0]?.turns.map((turn) => turn.words)).toEqual([6, 8, 5]);
  });

  test("has scored questions of categories 1 to 4 whose evidence names a turn", () => {
    expect(
      questions.map(({ text, category, evidenceTurns, evidenceSessions }) => [
        text,
        category,
        [...evidenceTurns],
        [...evidenceSessions],
      ]),
    ).toEqual([
      ["What did Ada adopt?", "4", ["7/D1:1"], ["7/session_1"]],
      ["Where did Ben move to, and when?", "1", ["7/D2:1", "7/D10:1"], ["7/session_2", "7/session_10"]],
      ["What does the parrot eat?", "3", ["7/D1:2"], ["7/session_1"]],
    ]);
  });

  test.for([
    ["a list", []],
    ["no sessions", { speaker_a: "Ada", speaker_b: "Ben", qa: [] }],
    ["no questions", { ...dialogue(), qa: undefined }],
    ["a session without a date", { ...dialogue(), session_2_date_time: undefined }],
    ["a turn without text", { ...dialogue(), session_2: [{ speaker: "Ada", dia_id: "D2:1" }] }],
    ["two turns with the same id", { ...dialogue(), session_2: dialogue().session_1 }],
  ] as const)("is rejected if it is %s", ([, json]) => {
    expect(() => toDialogue("7", json)).toThrow();
  });
});

describe("a folder of LoCoMo dialogues", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "engram-bench-test-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("that is missing or has no dialogue is rejected, and the error names it", async () => {
    await expect(loadDialogues(join(folder, "none"))).rejects.toThrow(DataError);
    await expect(loadDialogues(folder)).rejects.toThrow(folder);
  });

  test("is read in the order of the dialogues' numbers, without other files", async () => {
    for (const name of ["10.json", "9.json"]) {
      await writeFile(join(folder, name), JSON.stringify(dialogue()));
    }
    await writeFile(join(folder, "package.json"), "{}");
    const { name, categories, dialogues } = await loadLocomo(folder);
    expect(dialogues.map((loaded) => loaded.id)).toEqual(["9", "10"]);
    expect([name, categories.get("1")]).toEqual(["locomo", "multi-hop"]);
  });

  test("with a file that is not a dialogue is rejected, and the error names the file", async () => {
    await writeFile(join(folder, "11.json"), "{}");
    await expect(loadDialogues(folder)).rejects.toThrow(/11\.json is no LoCoMo dialogue: speaker_a/);
    await writeFile(join(folder, "11.json"), "{");
    await expect(loadDialogues(folder)).rejects.toThrow(DataError);
  });
});
