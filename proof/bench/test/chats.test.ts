import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../support/random.ts";
import { generateChats } from "../src/chats/chats.ts";
import { parseStories, parseTopics } from "../src/chats/script.ts";
import { createFill } from "../src/chats/values.ts";
import { contentWords, namesIn } from "./support/content-words.ts";

const chats = generateChats();
const sessions = chats.dialogues.flatMap((dialogue) => dialogue.sessions);
const turns = sessions.flatMap((session) => session.turns);
const questions = chats.dialogues.flatMap((dialogue) => dialogue.questions);
const turnByKey = new Map(turns.map((turn) => [turn.key, turn]));
const has = (content: string, text: string) => content.toLowerCase().includes(text.toLowerCase());

const hash = (made: typeof chats) => {
  const plain = (_: string, value: unknown) =>
    value instanceof Set || value instanceof Map ? [...value] : value;
  return createHash("sha256").update(JSON.stringify(made, plain)).digest("hex");
};

describe("the generated chats of the benchmark", () => {
  // If this fails because a script was changed: measure the floors again, then write the new hash here.
  test("are the same in every run and on every machine", () => {
    expect(hash(generateChats())).toBe(hash(chats));
    expect(hash(chats)).toBe("039b4893418d1987ad2dbb6466b89deb968065be94d5dfb756b5249af32878bf");
  });

  test("have the numbers and lengths that the README gives", () => {
    const lengths = sessions.map((session) => session.turns.length);
    expect(sessions.length).toBeGreaterThanOrEqual(240);
    expect(turns.length).toBeGreaterThan(4_500);
    expect(turns.length).toBeLessThan(6_000);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(6);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(60);
    expect(questions.length).toBeGreaterThanOrEqual(400);
    expect(chats.unanswerable.length).toBeGreaterThanOrEqual(60);
    for (const category of chats.categories.keys()) {
      expect(questions.filter((question) => question.category === category).length).toBeGreaterThanOrEqual(
        30,
      );
    }
  });

  test("are spread over 18 months, two thirds of them with titles, and some with names or agents", () => {
    const days = turns.map((turn) => turn.createdAtMs / 86_400_000);
    const share = (some: unknown[]) => some.length / sessions.length;
    // Not Math.min(...days): a call does not accept that many arguments.
    const sorted = days.toSorted((a, b) => a - b);
    expect((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)).toBeGreaterThan(500);
    expect(share(sessions.filter(({ title }) => title !== undefined))).toBeCloseTo(2 / 3, 1);
    const withPeople = sessions.filter(
      (session) => session.agentId !== undefined || session.turns.some((turn) => turn.name !== undefined),
    );
    expect(share(withPeople)).toBeGreaterThan(0.25);
    expect(turns.filter((turn) => turn.name !== undefined).length / turns.length).toBeLessThan(0.25);
  });

  test("have messages of every role, in order of time", () => {
    for (const session of sessions) {
      const times = session.turns.map((turn) => turn.createdAtMs);
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    }
    expect(new Set(turns.map((turn) => turn.role))).toEqual(new Set(["user", "assistant", "system", "tool"]));
    expect(turns.filter((turn) => turn.role === "tool").every((turn) => turn.toolName !== undefined)).toBe(
      true,
    );
  });

  test("have no unfilled slot and no key twice", () => {
    const texts = [
      ...turns.map((turn) => turn.content),
      ...questions.map((question) => question.text),
      ...chats.unanswerable.map((question) => question.text),
      ...sessions.map((session) => session.title ?? ""),
    ];
    expect(texts.filter((text) => text.includes("<<"))).toEqual([]);
    expect(turnByKey.size).toBe(turns.length);
    expect(new Set(sessions.map((session) => session.key)).size).toBe(sessions.length);
  });
});

describe("the questions about the chats", () => {
  test("have one to three messages of their dialogue as evidence", () => {
    for (const { evidenceTurns, evidenceSessions, dialogueId, text } of questions) {
      expect(evidenceTurns.size, text).toBeGreaterThanOrEqual(1);
      expect(evidenceTurns.size, text).toBeLessThanOrEqual(3);
      const found = [...evidenceTurns].map((key) => turnByKey.get(key));
      expect(
        found.every((turn) => turn?.key.startsWith(`${dialogueId}/`)),
        text,
      ).toBe(true);
      expect(new Set(found.map((turn) => turn?.sessionKey)), text).toEqual(evidenceSessions);
    }
  });

  test("have a part of their answer in each evidence message, and in no other message of the conversation", () => {
    const wrong = questions.flatMap(({ text, answers, evidenceTurns, evidenceSessions }) => {
      const evidence = turns.filter((turn) => evidenceTurns.has(turn.key));
      const around = turns.filter(
        ({ key, sessionKey }) => evidenceSessions.has(sessionKey) && !evidenceTurns.has(key),
      );
      return [
        ...answers.filter((answer) => !evidence.some((turn) => has(turn.content, answer))),
        ...evidence.filter((turn) => !answers.some((answer) => has(turn.content, answer))),
        // A text of one or two characters occurs everywhere.
        ...around.filter((turn) => answers.some((answer) => answer.length > 2 && has(turn.content, answer))),
      ].map((found) => [text, found]);
    });
    expect(wrong).toEqual([]);
  });

  test("occur in no message except their evidence, and only once among the questions", () => {
    const repeated = questions.filter(({ text, evidenceTurns }) =>
      turns.some((turn) => !evidenceTurns.has(turn.key) && has(turn.content, text)),
    );
    expect(repeated).toEqual([]);
    expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length);
  });

  test("that paraphrase share at most one content word with their evidence, besides names", () => {
    const close = questions
      .filter(({ category }) => category === "paraphrase")
      .map(({ text, evidenceTurns }) => {
        const said = turns.filter((turn) => evidenceTurns.has(turn.key)).map((turn) => turn.content);
        const [names, words] = [namesIn(text), contentWords(said.join("\n"))];
        return [text, ...[...contentWords(text)].filter((word) => words.has(word) && !names.has(word))];
      })
      .filter((shared) => shared.length > 2);
    expect(close).toEqual([]);
  });

  test("about facts and paraphrases are hand-written for at least 120 statements", () => {
    const folder = join(import.meta.dirname, "../src/chats/stories");
    const scripts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    const byHand = scripts
      .flatMap(parseStories)
      .filter(({ times }) => times === 1)
      .flatMap((story) =>
        story.questions.map(({ category, evidence }) => ({ category, at: [story.id, ...evidence] })),
      )
      .filter(({ category }) => category === "fact" || category === "paraphrase");
    expect(new Set(byHand.map(({ at }) => at.join("/"))).size).toBeGreaterThanOrEqual(120);
  });

  test("that have no answer differ from those that have one, and no message contains their text", () => {
    const answerable = new Set(questions.map(({ text }) => text));
    expect(chats.unanswerable.filter(({ text }) => answerable.has(text))).toEqual([]);
    expect(chats.unanswerable.filter(({ text }) => turns.some((turn) => has(turn.content, text)))).toEqual(
      [],
    );
    expect(new Set(chats.unanswerable.map(({ text }) => text)).size).toBe(chats.unanswerable.length);
  });
});

describe("a script of chats", () => {
  const story = `=== lost-bag ada x2 ask1
--- 2025-05-01 | Bag <<order>>
u@Ada[bag]: my bag is lost

it is red
...
t@lookup[found]: {"bag": "<<order>>"}
--- +3
a: still lost
? fact bag | What colour is the bag? => red
? multi bag,found | Which bag, and where? => red & <<order>>
?? Who found it?
`;

  test("is parsed into the parts, lines and questions of its stories", () => {
    const [parsed] = parseStories(story);
    expect(parsed).toMatchObject({
      id: "lost-bag",
      userId: "ada",
      times: 2,
      asks: 1,
      unanswerable: ["Who found it?"],
    });
    expect(parsed?.parts.map(({ date, title, stretches }) => [date, title, stretches.length])).toEqual([
      ["2025-05-01", "Bag <<order>>", 2],
      ["+3", undefined, 1],
    ]);
    expect(parsed?.parts[0]?.stretches.flat()).toEqual([
      { role: "user", name: "Ada", label: "bag", text: "my bag is lost\n\nit is red" },
      { role: "tool", name: "lookup", label: "found", text: '{"bag": "<<order>>"}' },
    ]);
    expect(parsed?.questions[1]).toEqual({
      category: "multi",
      evidence: ["bag", "found"],
      text: "Which bag, and where?",
      answers: ["red", "<<order>>"],
    });
  });

  test("is parsed into the questions, points, code and follow-ups of its topics", () => {
    const [topic] = parseTopics(
      "=== tea cooking\nu: how hot\n- Seventy.\nc: ```sh\n- boil\n```\n> and black? => Hotter.\n",
    );
    expect(topic).toEqual({
      id: "tea",
      domain: "cooking",
      asks: ["how hot"],
      points: ["Seventy."],
      code: "```sh\n- boil\n```",
      followUps: [{ ask: "and black?", answer: "Hotter." }],
    });
  });

  test("with a misplaced line is rejected, and the error names the line", () => {
    expect(() => parseStories("=== a b\nhello")).toThrow(/Line 2 .*hello/);
    expect(() => parseTopics("=== a b\nhello")).toThrow(/Line 2 .*hello/);
    expect(() => parseTopics("=== a b\n> ask")).toThrow(/Line 2 has no answer/);
  });
});

describe("slots in a script of chats", () => {
  const fill = (telling = 0, taken = new Set<string>()) => createFill(createRandom("test"), telling, taken);

  test("have one value within a conversation, and different identifiers in different conversations", () => {
    const taken = new Set<string>();
    const [first, second] = [fill(0, taken), fill(1, taken)];
    expect(first("<<order>>")).toBe(first("<<order>>"));
    expect(second("<<order>>")).not.toBe(first("<<order>>"));
  });

  test("can take a value similar to another slot's, or one of a list in turn", () => {
    const one = fill(1);
    const [order, near] = one("<<order>> <<order~>>").split(" ");
    expect(near).not.toBe(order);
    expect([...(near ?? "")].sort()).toEqual([...(order ?? "")].sort());
    expect(one("<<colour=red|blue>> and <<colour>>")).toBe("blue and blue");
    expect(one("<<a <<order>>|b <<order>>>>")).toMatch(new RegExp(`^[ab] ${order}$`));
  });

  test("of an unknown kind and without values are rejected", () => {
    expect(() => fill()("<<colour>>")).toThrow("<<colour>>");
  });
});
