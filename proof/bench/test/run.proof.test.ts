import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createProgress } from "../../support/progress.ts";
import { type RecallArgs, readArgs } from "../src/recall/args.ts";
import type { Session, Turn, UnanswerableQuestion } from "../src/recall/dialogues.ts";
import { toDialogue } from "../src/recall/locomo.ts";
import { METRICS } from "../src/recall/metrics.ts";
import { OFF_TOPIC_QUESTIONS } from "../src/recall/off-topic.ts";
import { runRecall } from "../src/recall/run.ts";
import { toWindows } from "../src/recall/windows.ts";
import { dialogue } from "./support/dialogue.ts";
import { type FakeOptions, fakeService, type Stored } from "./support/fake-service.ts";

const categories = new Map([
  ["4", "single-hop"],
  ["1", "multi-hop"],
  ["3", "open-domain"],
]);
const small = [toDialogue("1", dialogue()), toDialogue("2", dialogue())];
const args = (...argv: string[]): RecallArgs => readArgs(["--data", "/d", ...argv], "/");

/** Run on a fake; the printed text comes with the reports. */
async function run(
  options: FakeOptions,
  { argv = [] as string[], dialogues = small, unanswerable = [] as UnanswerableQuestion[] } = {},
) {
  const service = fakeService(options);
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const set = { name: "locomo", categories, dialogues, unanswerable };
  const reports = await runRecall(args(...argv), set, service, { progress: () => {}, print });
  return { reports, service, printed: printed.join("\n") };
}

/** Sixty sessions of five turns, and a question about the third turn of each. */
const large = [
  toDialogue("3", {
    speaker_a: "Ada",
    speaker_b: "Ben",
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, session) => [
        [`session_${session + 1}_date_time`, "1:00 pm on 1 June, 2023"],
        [
          `session_${session + 1}`,
          Array.from({ length: 5 }, (_, turn) => ({
            speaker: turn % 2 === 0 ? "Ada" : "Ben",
            dia_id: `D${session + 1}:${turn + 1}`,
            text: `Word ${session} ${turn}`,
          })),
        ],
      ]).flat(),
    ),
    qa: Array.from({ length: 60 }, (_, session) => ({
      question: `What of ${session + 1}?`,
      evidence: [`D${session + 1}:3`],
      category: 4,
    })),
  }),
];

/** Ranks the evidence of a question first: the perfect search. */
const oracle =
  (dialogues: typeof small) =>
  (query: string, stored: Stored[]): Stored[] => {
    const question = dialogues[0]?.questions.find(({ text }) => text === query);
    const ids = [...(question?.evidenceTurns ?? [])].map((key) => key.split("/")[1]);
    return stored.filter(({ message }) => ids.includes(message.external_id));
  };

/** Ranks by a generator with a fixed seed. */
function shuffler() {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
  return (_query: string, stored: Stored[]) =>
    stored
      .map((message) => ({ message, place: next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ message }) => message);
}

describe("a run", () => {
  test("gives a perfect search 100 everywhere", async () => {
    for (const dialogues of [small.slice(0, 1), large]) {
      const { reports } = await run({ rank: oracle(dialogues) }, { dialogues });
      for (const scope of ["own", "shared"]) {
        for (const shape of ["metrics", "turns"] as const) {
          const scores = reports[scope]?.[shape];
          expect(METRICS.map((metric) => scores?.[metric])).toEqual(METRICS.map(() => 100));
        }
      }
    }
  });

  test("gives a search that guesses close to nothing, and one that finds nothing 0", async () => {
    const guessed = await run({ rank: shuffler() }, { dialogues: large });
    expect(guessed.reports.own?.metrics["s_any@1"]).toBeLessThan(10);
    expect(guessed.reports.own?.metrics["ndcg@10"]).toBeLessThan(10);
    const nothing = await run({ rank: () => [] });
    expect(METRICS.map((metric) => nothing.reports.own?.metrics[metric])).toEqual(METRICS.map(() => 0));
  });

  test("reports what relevance separates: questions without an answer, and evidence", async () => {
    const loud = new Set([...OFF_TOPIC_QUESTIONS.slice(0, 6), "Who is it?"]);
    const relevance = (query: string) => {
      if (query.startsWith("Who is")) return loud.has(query) ? 0.8 : 0.79;
      if (OFF_TOPIC_QUESTIONS.includes(query)) return loud.has(query) ? 0.25 : 0.24;
      return 0.3;
    };
    const { reports, printed } = await run(
      {
        rank: (query, stored) =>
          query === "Who is silent?" ? [] : oracle(small)(query, stored).concat(stored),
        relevance,
      },
      {
        argv: ["--scope", "own"],
        unanswerable: ["Who is it?", "Who is here?", "Who is silent?"].map((text) => ({
          text,
          dialogueId: "2",
        })),
      },
    );
    expect(reports.own?.relevance).toEqual({
      off_topic: 90,
      unanswerable: 66.7,
      evidence: { off_topic: 100, unanswerable: 0 },
    });
    expect(printed).toContain("90 % of off-topic questions get no result with a relevance of 0.25 or more");
  });

  test("distinguishes the same turn of two dialogues in a shared organization", async () => {
    // Finds the evidence of both dialogues, the first dialogue's first: half of the questions lose a place.
    const { reports } = await run({ rank: oracle(small) });
    expect(reports.own?.metrics.mrr).toBe(100);
    expect(reports.shared?.metrics.mrr).toBeLessThan(100);
  });

  test("makes an organization per dialogue, or one for all", async () => {
    const { service } = await run({ rank: () => [] });
    expect(service.opened).toEqual(["locomo 1", "locomo 2", "locomo"]);
  });

  test("asks every question for turns and for windows", async () => {
    const { service } = await run({ rank: () => [] }, { argv: ["--scope", "shared", "--mode", "keyword"] });
    expect(service.searches).toHaveLength(12 + OFF_TOPIC_QUESTIONS.length);
    const ofOne = service.searches.filter((search) => search.query === "What did Ada adopt?");
    expect(new Set(ofOne.map((search) => search.context.before))).toEqual(new Set([0, 2]));
    expect(new Set(service.searches.map((search) => search.mode))).toEqual(new Set(["keyword"]));
  });

  test("asks one half of the questions, and both halves are all of them", async () => {
    const asked = async (...argv: string[]) => {
      const { service } = await run(
        { rank: () => [] },
        { dialogues: large, argv: ["--scope", "own", ...argv] },
      );
      const offTopic = new Set(OFF_TOPIC_QUESTIONS);
      return new Set(service.searches.map(({ query }) => query).filter((query) => !offTopic.has(query)));
    };
    const [dev, held, all] = [await asked("--half", "dev"), await asked("--half", "held"), await asked()];
    expect(dev.size + held.size).toBe(all.size);
    expect(new Set([...dev, ...held])).toEqual(all);
    expect(Math.abs(dev.size - held.size)).toBeLessThan(20);
  });

  test("stores who said it, tools' names, titles and ids, as far as there are any", async () => {
    const said = { key: "d/s/m1", sessionKey: "d/s", id: "m1", content: "hi", createdAtMs: 0, words: 2 };
    const question = { text: "hi?", category: "1", dialogueId: "d" };
    const evidence = { evidenceTurns: new Set(["d/s/m1"]), evidenceSessions: new Set(["d/s"]) };
    const found = { ...said, key: "d/s/m2", id: "m2", toolName: "lookup", toolCallId: "call_1" };
    const turns: Turn[] = [
      { ...said, role: "user", name: "Ada" },
      { ...found, role: "tool" },
    ];
    const session: Session = { key: "d/s", title: "Hello", agentId: "desk", userId: "d", turns };
    const dialogues = [{ id: "d", sessions: [session], questions: [{ ...question, ...evidence }] }];
    const { service } = await run({ rank: () => [] }, { dialogues, argv: ["--scope", "own"] });
    expect(service.conversations).toEqual([
      { external_id: "d/s", title: "Hello", agent_id: "desk", user_id: "d" },
    ]);
    expect(service.messages).toMatchObject([
      { role: "user", name: "Ada", tool_name: undefined },
      { role: "tool", name: undefined, tool_name: "lookup", tool_call_id: "call_1" },
    ]);
  });

  test("reports windows for t@k and turns for the rest", async () => {
    // Answers the neighbour of the evidence: only a window holds it.
    const rank = (query: string, stored: Stored[]) => {
      const [hit] = oracle(large)(query, stored);
      return stored.filter((other) => other.conversationId === hit?.conversationId && other.index === 1);
    };
    const { reports } = await run({ rank }, { dialogues: large, argv: ["--scope", "own"] });
    expect(reports.own?.metrics).toMatchObject({ "s_any@1": 100, "t@5": 100, b500: 0, mrr: 0, "ndcg@10": 0 });
    expect(reports.own?.windows).toMatchObject({ b500: 100, mrr: 33.3 });
    expect(reports.own?.windows_of_five).toMatchObject({ "t@5": 100, mrr: 33.3 });
    expect(reports.own?.messages_per_window).toBe(4);
  });

  test("counts each category by itself and prints what it is called, in the set's order", async () => {
    const { reports, printed } = await run({ rank: () => [] }, { argv: ["--scope", "own"] });
    expect(
      Object.entries(reports.own?.by_category ?? {}).map(([name, { questions }]) => [name, questions]),
    ).toEqual([
      ["1", 2],
      ["3", 2],
      ["4", 2],
    ]);
    expect(printed).toMatch(/^ {2}single-hop +2 .*\n {2}multi-hop +2 .*\n {2}open-domain +2 /m);
  });

  test("writes the JSON file and prints a table with the baselines", async () => {
    const folder = await mkdtemp(join(tmpdir(), "engram-bench-test-"));
    const file = join(folder, "out.json");
    const argv = ["--baselines", "--json", file];
    const { printed } = await run(
      { rank: oracle(small.slice(0, 1)) },
      { argv, dialogues: small.slice(0, 1) },
    );
    const written = JSON.parse(await readFile(file, "utf8"));
    await rm(folder, { recursive: true });
    expect(Object.keys(written)).toEqual(["own", "shared"]);
    expect(written.own).toMatchObject({ questions: 3, metrics: { "s_any@1": 100, "ndcg@10": 100 } });
    expect(Object.keys(written.own.metrics)).toEqual([...METRICS]);
    expect(Object.keys(written.own.baselines)).toEqual(["semantic", "keyword"]);
    expect(printed).toMatch(/^hybrid +3 +100\.0/m);
    expect(printed).toMatch(/^keyword \(plain keywords\) +3 +100\.0/m);
  });

  test("counts questions that were answered in part", async () => {
    const { reports, printed } = await run({ rank: () => [], degraded: ["semantic"] });
    expect(reports.own?.degraded).toBe(6);
    expect(printed).toContain("hybrid: 6 questions were answered in part only");
  });

  test.for<[string, Partial<FakeOptions>, RegExp]>([
    ["messages are lost", { status: { messages: 4 } }, /Stored 5 messages, but the service counts 4/],
    ["the index gives up", { status: { failed: 1, last_error: { message: "no model" } } }, /no model/],
    ["a text comes back altered", { alter: (text) => text.trim() }, /came back altered/],
  ])("fails when %s", async ([, options, message]) => {
    const dialogues = small.slice(0, 1);
    await expect(run({ rank: (_query, stored) => stored, ...options }, { dialogues })).rejects.toThrow(
      message,
    );
  });
});

test("windows of five repeat no turn, and end where the session ends", () => {
  const [dialogue] = large;
  const sessions = new Map(dialogue?.sessions.map((session) => [session.key, session]));
  const turns = new Map([...sessions.values()].flatMap(({ turns }) => turns.map((turn) => [turn.id, turn])));
  const ranking = ["D1:1", "D1:3", "D2:3", "D1:5"].map((id) => [turns.get(id) ?? []].flat());
  expect(toWindows(ranking, sessions).map((window) => window.map((turn) => turn.id))).toEqual([
    ["D1:1", "D1:2", "D1:3"],
    ["D2:1", "D2:2", "D2:3", "D2:4", "D2:5"],
    ["D1:4", "D1:5"],
  ]);
});

test("progress is a line that is rewritten on a terminal, and every five seconds elsewhere", () => {
  const written: string[] = [];
  let nowMs = 0;
  const write = (text: string) => written.push(text);
  const plain = createProgress({ write }, () => nowMs);
  plain.show("1 of 9");
  plain.show("2 of 9");
  nowMs = 5_000;
  plain.show("9 of 9");
  plain.clear();
  expect(written.splice(0)).toEqual(["1 of 9\n", "9 of 9\n"]);
  const terminal = createProgress({ isTTY: true, write }, () => nowMs);
  terminal.show("1 of 9");
  terminal.clear();
  expect(written).toEqual(["\r\u001b[K1 of 9", "\r\u001b[K"]);
});
