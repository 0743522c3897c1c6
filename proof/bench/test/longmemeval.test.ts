import { expect, test } from "vitest";
import { loadLongMemEval, toLongMemEval, toRetrievalLog } from "../src/recall/longmemeval.ts";
import { createToLine } from "../src/recall/question-lines.ts";

/** Two questions in the layout of longmemeval_s.json, written for these tests. */
const entries = (): Parameters<typeof toLongMemEval>[0] => [
  {
    question_id: "q1",
    question_type: "single-session-user",
    question: "Which bird did I adopt?",
    haystack_session_ids: ["share_7", "answer_1"],
    haystack_dates: ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
    haystack_sessions: [
      [
        { role: "user", content: "What is a quorum?" },
        { role: "assistant", content: "The least number of members who must be there." },
      ],
      [
        { role: "user", content: "Hello!" },
        { role: "assistant", content: "" },
        { role: "user", content: "I adopted a grey parrot.", has_answer: true },
        { role: "assistant", content: "A parrot! How lovely.", has_answer: false },
      ],
    ],
    answer_session_ids: ["answer_1"],
  },
  {
    question_id: "q2_abs",
    question_type: "single-session-user",
    question: "Which cat did I adopt?",
    haystack_session_ids: ["answer_2"],
    haystack_dates: ["2023/05/21 (Sun) 10:00"],
    haystack_sessions: [[{ role: "user", content: "I adopted a grey parrot." }]],
    answer_session_ids: ["answer_2"],
  },
];
const [first] = entries();
if (first === undefined) throw new Error("no entry");

test("each answered question of LongMemEval is a dialogue of its own, with its labelled turns as evidence", () => {
  const set = toLongMemEval(entries());
  expect(set.name).toBe("longmemeval");
  expect([...set.categories.keys()]).toEqual(["single-session-user"]);
  expect(set.dialogues).toHaveLength(1);
  const [{ id, sessions, questions } = { id: "", sessions: [], questions: [] }] = set.dialogues;
  expect(id).toBe("q1");
  expect(sessions.map(({ key, turns }) => [key, ...turns.map((turn) => turn.key)])).toEqual([
    ["q1/share_7", "q1/share_7_1", "q1/share_7_2"],
    // The empty turn is not stored, and still counts in the numbers of the others.
    ["q1/answer_1", "q1/answer_1_1", "q1/answer_1_3", "q1/answer_1_4"],
  ]);
  expect(sessions[0]?.turns[1]?.createdAtMs).toBe(Date.parse("2023-05-20T02:21:01Z"));
  expect(questions).toMatchObject([{ id: "q1", dialogueId: "q1", text: "Which bird did I adopt?" }]);
  expect([...(questions[0]?.evidenceTurns ?? [])]).toEqual(["q1/answer_1_3"]);
  expect([...(questions[0]?.evidenceSessions ?? [])]).toEqual(["q1/answer_1"]);
});

test("without a labelled turn, every turn of the sessions with the answer counts", () => {
  const unlabelled = first.haystack_sessions.map((turns) =>
    turns.map(({ role, content }) => ({ role, content })),
  );
  const set = toLongMemEval([{ ...first, haystack_sessions: unlabelled }]);
  const [question] = set.dialogues[0]?.questions ?? [];
  expect(question?.evidenceTurns.size).toBe(3);
  expect(() =>
    toLongMemEval([{ ...first, answer_session_ids: ["gone"], haystack_sessions: unlabelled }]),
  ).toThrow("q1 has no turn of answer_session_ids");
});

test("a session without an id or a date, or a file that is not LongMemEval, is rejected", async () => {
  expect(() => toLongMemEval([{ ...first, haystack_dates: ["2023/05/20 (Sat) 02:21"] }])).toThrow(
    "q1 has no id or date of session 2",
  );
  await expect(loadLongMemEval(import.meta.filename)).rejects.toThrow("is no LongMemEval");
});

test("the log has the turns of people in LongMemEval's names, and the positions of those found", () => {
  const set = toLongMemEval(entries());
  const toLine = createToLine(set, "own");
  const [question] = set.dialogues[0]?.questions ?? [];
  if (question === undefined) throw new Error("no question");
  const line = toLine("Engram", question, ["q1/answer_1_4", "q1/answer_1_3", "q1/share_7_1"]);
  expect(JSON.parse(toRetrievalLog(set, [line]))).toEqual({
    question_id: "q1",
    corpus_ids: ["share_7_1", "noans_1_1", "answer_1_3"],
    correct_docs: ["answer_1_3"],
    rankings: [2, 0],
  });
});
