import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importClaudeCode } from "../src/importers/claude-code.ts";
import { importCodex } from "../src/importers/codex.ts";
import { holdings, readWith, textSource } from "./support/importing.ts";
import { createPerson, type Person } from "./support/program.ts";

type Line = Record<string, unknown>;
const at = (second: number) => `2026-03-02T10:00:${String(second).padStart(2, "0")}.000Z`;
const source = (name: string, lines: Line[]) => ({
  ...textSource(lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
  name,
});

/** A line of Claude Code: `u` is the user's, `a` the assistant's. */
const said = (uuid: string, second: number, more: Line = {}): Line => {
  const type = uuid.startsWith("u") ? "user" : "assistant";
  return {
    type,
    uuid,
    timestamp: at(second),
    sessionId: "S",
    message: { role: type, content: `says ${uuid}` },
    ...more,
  };
};
const start = [said("u1", 1), said("a2", 2)];
const textsOf = (conversations: { messages: { content: string }[] }[]) =>
  conversations.map(({ messages }) => messages.map(({ content }) => content));

describe("imported Claude Code sessions", () => {
  test("store a resumed history once, and refer to the session that they continue", async () => {
    const { conversations, leftOut } = await readWith(
      importClaudeCode,
      source("A.jsonl", start),
      source("B.jsonl", [...start, said("u3", 3)]),
    );
    expect(textsOf(conversations)).toEqual([["says u1", "says a2"], ["says u3"]]);
    expect(conversations[1]).toMatchObject({
      metadata: { branch_of: conversations[0]?.id, branch_after: conversations[0]?.messages[1]?.id },
      messages: [{ sequence: 3 }],
    });
    expect(leftOut).toMatchObject([{ what: "copied message" }, { what: "copied message" }]);
  });

  test("recognize the messages of a forked session, although they have new ids", async () => {
    const forked = start.map((line) => ({
      ...line,
      uuid: `f-${line.uuid}`,
      forkedFrom: { sessionId: "A", messageUuid: line.uuid },
    }));
    const { conversations } = await readWith(
      importClaudeCode,
      source("A.jsonl", start),
      source("F.jsonl", [...forked, said("u3", 3)]),
    );
    expect(conversations[1]).toMatchObject({
      metadata: { branch_of: conversations[0]?.id },
      messages: [{ content: "says u3" }],
    });
  });

  test("store one of two equal lines, and both of two different lines with the same id", async () => {
    const other = { ...said("u1", 1), message: { role: "user", content: "other" } };
    const { conversations, leftOut } = await readWith(
      importClaudeCode,
      source("A.jsonl", [said("u1", 1), said("u1", 1), other]),
    );
    expect(textsOf(conversations)).toEqual([["says u1", "other"]]);
    expect(leftOut).toMatchObject([{ what: "repeated message", place: "A.jsonl:2" }]);
  });

  test("keep both continuations of a session that two directories contain", async () => {
    const { conversations } = await readWith(
      importClaudeCode,
      source("-one/S.jsonl", [...start, said("u3", 3)]),
      source("-two/S.jsonl", [...start, said("u4", 4), said("a5", 5)]),
    );
    expect(textsOf(conversations)).toEqual([
      ["says u1", "says a2", "says u3"],
      ["says u4", "says a5"],
    ]);
    expect(conversations[1]?.metadata).toMatchObject({ branch_of: conversations[0]?.id });
  });

  test("store a subagent's log as a branch of its session", async () => {
    const { conversations } = await readWith(
      importClaudeCode,
      source("S.jsonl", start),
      source("S/subagents/agent-x.jsonl", [said("u7", 3, { isSidechain: true, agentId: "x" })]),
    );
    expect(conversations[1]).toMatchObject({
      external_id: "claude-code:S:x",
      metadata: { branch_of: conversations[0]?.id },
    });
  });

  const queued = (uuid: string, attachment: Line): Line => ({
    ...said(uuid, 3),
    type: "attachment",
    message: undefined,
    attachment: { type: "queued_command", commandMode: "prompt", ...attachment },
  });
  const picture = [
    { type: "text", text: "look" },
    { type: "image", source: { data: "AQID" } },
  ];

  test.for([
    ["a user's", { prompt: "and tests", origin: { kind: "human" } }, { role: "user", content: "and tests" }],
    ["one without an origin", { prompt: "and tests" }, { role: "user", content: "and tests" }],
    ["one with a picture", { prompt: picture }, { role: "user", content: "look", parts: picture }],
    [
      "another agent's",
      { prompt: "done", origin: { kind: "peer" } },
      { role: "system", content: "done", metadata: { origin: "peer", is_meta: true } },
    ],
  ] as const)(
    "keep a message that the user sent while the model worked: %s",
    async ([, attachment, message]) => {
      const { conversations } = await readWith(
        importClaudeCode,
        source("A.jsonl", [...start, queued("q", attachment)]),
      );
      expect(conversations[0]?.messages[2]).toMatchObject(message);
    },
  );

  test("keep a queued message that no other line contains, and leave out its repeats", async () => {
    const queue = (operation: string, content?: string): Line => ({
      type: "queue-operation",
      operation,
      timestamp: at(3),
      content,
    });
    const { conversations, leftOut } = await readWith(
      importClaudeCode,
      source("A.jsonl", [
        ...start,
        queue("enqueue", "says u3"),
        queue("enqueue", "taken in"),
        queue("enqueue", "never sent"),
        queue("dequeue"),
        queue("remove", "taken in"),
        said("u3", 4),
      ]),
    );
    expect(textsOf(conversations)).toEqual([["says u1", "says a2", "taken in", "says u3"]]);
    expect(leftOut.filter(({ what }) => what === "queue-operation/enqueue")).toMatchObject([
      { reason: "repeats a message", place: "A.jsonl:3" },
      { reason: "was not sent", place: "A.jsonl:5" },
    ]);
  });

  test("mark text that the program wrote in the user's name as hidden, and report unknown types", async () => {
    const { conversations, leftOut, notUnderstood } = await readWith(
      importClaudeCode,
      source("A.jsonl", [
        said("u0", 0, { isMeta: true }),
        ...start,
        { ...said("s", 3), type: "system", subtype: "away_summary", content: "Two tests fail." },
        { ...said("s", 3), type: "system", subtype: "turn_duration" },
        queued("q", { type: "skill_listing" }),
        queued("q", { type: "hologram" }),
        { type: "hologram" },
      ]),
    );
    expect(conversations[0]).toMatchObject({
      title: "says u1",
      messages: [
        { role: "system", metadata: { hidden: true } },
        { role: "user" },
        { role: "assistant" },
        { role: "assistant", content: "Two tests fail." },
      ],
    });
    expect(leftOut.map(({ what }) => what)).toEqual(["system/turn_duration", "attachment/skill_listing"]);
    expect(notUnderstood.map(({ what }) => what)).toEqual(["attachment/hologram", "hologram"]);
  });
});

/** Lines of Codex. A fork has new times. */
const meta = (id: string, second: number, more: Line = {}): Line => ({
  timestamp: at(second),
  type: "session_meta",
  payload: { id, timestamp: at(second), ...more },
});
const item = (second: number, payload: Line): Line => ({
  timestamp: at(second),
  type: "response_item",
  payload,
});
const speaks = (second: number, role: string, text: string): Line =>
  item(second, { type: "message", role, content: [{ type: "input_text", text }] });
const history = (second: number) => [
  speaks(second, "user", "hello"),
  speaks(second + 1, "assistant", "Hello."),
];

describe("imported Codex sessions", () => {
  test("store the history of a fork once, and refer to the session that was forked", async () => {
    const { conversations } = await readWith(
      importCodex,
      source("rollout-1-P.jsonl", [meta("P", 1), ...history(2), speaks(4, "user", "its own end")]),
      source("rollout-2-F.jsonl", [
        meta("F", 10, { forked_from_id: "P" }),
        meta("P", 1),
        ...history(12),
        speaks(14, "user", "another end"),
      ]),
    );
    expect(textsOf(conversations)).toEqual([["hello", "Hello.", "its own end"], ["another end"]]);
    expect(conversations[1]?.metadata).toMatchObject({
      branch_of: conversations[0]?.id,
      branch_after: conversations[0]?.messages[1]?.id,
    });
  });

  test("stay separate if they only start alike", async () => {
    const { conversations } = await readWith(
      importCodex,
      source("rollout-1.jsonl", [meta("P", 1), ...history(2)]),
      source("rollout-2.jsonl", [meta("Q", 5), ...history(6)]),
    );
    expect(conversations.map(({ messages }) => messages.length)).toEqual([2, 2]);
  });

  test("refer to a parent whose history they do not repeat, and to the parent of a subagent", async () => {
    const { conversations } = await readWith(
      importCodex,
      source("rollout-1.jsonl", [meta("P", 1), ...history(2)]),
      source("rollout-2.jsonl", [meta("Q", 5, { history_base: { thread_id: "P" } }), ...history(6)]),
      source("rollout-3.jsonl", [
        meta("R", 7, { source: { subagent: { thread_spawn: { parent_thread_id: "P" } } } }),
        ...history(8),
      ]),
    );
    const [parent, ...others] = conversations;
    for (const { metadata, messages } of others) {
      expect(metadata.branch_of).toBe(parent?.id);
      expect(messages).toHaveLength(2);
    }
  });

  test("keep plans, summaries and messages between agents, and mark the program's context as hidden", async () => {
    const event = (type: string, payload: Line): Line => ({ timestamp: at(3), type, payload });
    const { conversations, leftOut, notUnderstood } = await readWith(
      importCodex,
      source("rollout-1.jsonl", [
        meta("P", 1),
        speaks(2, "user", "# AGENTS.md instructions for /home/ann\nBe brief."),
        event("event_msg", { type: "item_completed", item: { type: "Plan", text: "First the tests." } }),
        event("compacted", { message: "They talked about tests." }),
        event("inter_agent_communication", { author: "/root/a", recipient: "/root", content: "Done." }),
        item(3, { type: "image_generation_call", id: "ig", revised_prompt: "A kettle", result: "AA==" }),
        event("event_msg", { type: "thread_name_updated", thread_name: "Tests" }),
        event("event_msg", { type: "token_count" }),
        event("event_msg", { type: "hologram" }),
      ]),
    );
    expect(conversations[0]).toMatchObject({
      title: "Tests",
      messages: [
        { role: "system", metadata: { hidden: true, author_role: "user" } },
        { role: "assistant", content: "First the tests." },
        { role: "system", content: "They talked about tests.", metadata: { hidden: true } },
        { role: "assistant", content: "Done.", metadata: { author: "/root/a", recipient: "/root" } },
        { role: "assistant", content: "A kettle" },
      ],
    });
    expect(leftOut.map(({ what }) => what)).toEqual(["event_msg/token_count"]);
    expect(notUnderstood.map(({ what }) => what)).toEqual(["event_msg/hologram"]);
  });
});

describe("importing sessions again", () => {
  /** Writes logs and imports them from their directory. Later logs are newer. */
  async function bring({ run, home }: Person, directory: string, logs: Record<string, Line[]>) {
    let second = 1_700_000_000;
    for (const [name, lines] of Object.entries(logs)) {
      const file = join(home, directory, name);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      utimesSync(file, second, second);
      second += 1;
    }
    const { code, stdout } = await run(["import", "claude-code", join(home, directory), "--json"]);
    const { stored, refused } = JSON.parse(stdout);
    expect({ code, refused }).toEqual({ code: 0, refused: [] });
    return stored.messages;
  }
  /** Numbers of messages of the conversations. */
  const sizes = async ({ client }: Person) =>
    (await client.conversations.list().toArray({ max: 10 })).map(({ message_count }) => message_count).sort();
  const contents = async (person: Person) =>
    [...(await holdings(person)).values()]
      .flatMap((line) => ((line as Line).type === "message" ? [String((line as Line).content)] : []))
      .sort();

  test("recognizes everything that is stored, in any order of the logs, and adds what is new", async () => {
    const person = await createPerson();
    const resumed = [...start, said("u3", 3)];
    const grown = [...start, said("u4", 4)];
    // The copy without its original.
    expect(await bring(person, "one", { "B.jsonl": resumed })).toEqual({ created: 3, existing: 0 });
    // No conversation is made for it: every message is in the copy.
    expect(await bring(person, "two", { "A.jsonl": start })).toEqual({ created: 0, existing: 0 });
    expect(await sizes(person)).toEqual([3]);
    expect(await bring(person, "all", { "A.jsonl": grown, "B.jsonl": resumed })).toEqual({
      created: 1,
      existing: 3,
    });
    const [grownOne, copy] = (await person.client.conversations.list().page()).items;
    expect(grownOne).toMatchObject({ message_count: 1, metadata: { branch_of: copy?.id } });
    expect(await bring(person, "all", { "B.jsonl": resumed, "A.jsonl": grown })).toEqual({
      created: 0,
      existing: 4,
    });
    expect(await contents(person)).toEqual(["says a2", "says u1", "says u3", "says u4"]);
    expect(await sizes(person)).toEqual([1, 3]);
  });

  test("stores of a log only what no earlier import has, also of a copy of a copy", async () => {
    const person = await createPerson();
    const resumed = [...start, said("u3", 3), said("a4", 4)];
    await bring(person, "one", { "A.jsonl": start, "B.jsonl": resumed });
    expect(await sizes(person)).toEqual([2, 2]);
    expect(await bring(person, "two", { "C.jsonl": [...resumed, said("u5", 5)] })).toMatchObject({
      created: 1,
    });
    expect(await sizes(person)).toEqual([1, 2, 2]);
    const [last, before] = (await person.client.conversations.list().page()).items;
    expect(last).toMatchObject({ last_sequence: 5, metadata: { branch_of: before?.id } });
    expect(await bring(person, "three", { "D.jsonl": resumed })).toMatchObject({ created: 0 });
    expect(await sizes(person)).toEqual([1, 2, 2]);
  });

  test("stores a second continuation of a session, and recognizes it on the next import", async () => {
    const person = await createPerson();
    const one = { "S.jsonl": [...start, said("u3", 3)] };
    const two = { "S.jsonl": [...start, said("u4", 4), said("a5", 5)] };
    expect(await bring(person, "-one", one)).toEqual({ created: 3, existing: 0 });
    expect(await bring(person, "-two", two)).toEqual({ created: 2, existing: 2 });
    expect(await bring(person, "-one", one)).toMatchObject({ created: 0 });
    expect(await bring(person, "-two", two)).toMatchObject({ created: 0 });
    const conversations = await person.client.conversations.list().toArray({ max: 10 });
    expect(conversations).toHaveLength(2);
    expect(conversations.filter(({ metadata }) => "branch_of" in metadata)).toHaveLength(1);
    expect(await contents(person)).toEqual(["says a2", "says a5", "says u1", "says u3", "says u4"]);
  });
});
