import { describe, expect, test } from "vitest";
import { importClaudeCode } from "../src/importers/claude-code.ts";
import { fileSource, fixture, readWith, textSource } from "./support/importing.ts";

const SESSION = "0d9f2c1e-1111-4222-8333-444455556666";
const read = () =>
  readWith(importClaudeCode, {
    ...fileSource(fixture(`${SESSION}.jsonl`)),
    name: `-home-ann-shop/${SESSION}.jsonl`,
  });

describe("importing a Claude Code session", () => {
  test("keeps the messages in the order of the log, with their times", async () => {
    const [session] = (await read()).conversations;
    expect(session).toMatchObject({
      external_id: `claude-code:${SESSION}`,
      created_at: "2025-12-03T11:02:01.744Z",
      metadata: { directory: "/home/ann/shop", git_branch: "main" },
    });
    expect(session?.messages.map(({ sequence, role, content }) => [sequence, role, content])).toEqual([
      [1, "system", "<command-name>/clear</command-name>"],
      [2, "user", "Why does the checkout test fail?"],
      [3, "assistant", ""],
      [4, "assistant", "I look at the test."],
      [5, "tool", "1 failed"],
      [6, "user", "See the picture."],
      [7, "system", "Conversation compacted"],
      [8, "assistant", "The price is rounded twice."],
      [9, "assistant", "It rounds the price twice."],
    ]);
    expect(session?.messages[1]).toMatchObject({ created_at: "2025-12-03T11:02:02.744Z", parts: null });
  });

  test("stores thinking, tool calls and images as parts", async () => {
    const [session] = (await read()).conversations;
    expect(session?.messages[2]?.parts).toMatchObject([{ type: "thinking" }]);
    expect(session?.messages[3]).toMatchObject({
      tool_name: "Bash",
      tool_call_id: "toolu_1",
      parts: [{ type: "text" }, { input: { command: "npm test" } }],
      metadata: { model: "claude-opus", parent_id: "a1" },
    });
    expect(session?.messages[4]).toMatchObject({ tool_call_id: "toolu_1" });
    expect(session?.messages[5]?.parts).toMatchObject([{}, { source: { data: "iVBORw0KGgo=" } }]);
  });

  test("takes a session's title from its own summary, and a subagent's from its prompt", async () => {
    const [session, subagent, ...others] = (await read()).conversations;
    expect(others).toEqual([]);
    expect(session?.title).toBe("Checkout test");
    expect(subagent).toMatchObject({
      title: "Find all prices.",
      metadata: { branch_of: session?.id },
      messages: [{ content: "Find all prices." }, { content: "There are three." }],
    });
  });

  test("reports what it leaves out, with the line number", async () => {
    const { leftOut, notUnderstood } = await read();
    const place = (line: number) => `-home-ann-shop/${SESSION}.jsonl:${line}`;
    expect(leftOut).toMatchObject([
      { what: "file-history-snapshot", reason: "bookkeeping of the program", place: place(2) },
      { what: "progress", place: place(16) },
    ]);
    expect(notUnderstood).toEqual([{ what: "line", reason: "not JSON", place: place(11) }]);
  });

  const line = (uuid: string, content: unknown, more: object = {}) =>
    JSON.stringify({
      type: "user",
      uuid,
      sessionId: "S",
      timestamp: "2026-03-02T10:00:00.000Z",
      message: { role: "user", content },
      ...more,
    });
  const readLines = (name: string, ...lines: string[]) =>
    readWith(importClaudeCode, { ...textSource(lines.join("\n")), name });
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "The button is red." };
  const mixed = [result, { ...result, content: "So is the link." }, { type: "text", text: "Use teal." }];

  test("separates what the user said from the results of tools that are in the same line", async () => {
    const [session] = (await readLines("S.jsonl", line("u1", mixed), line("u2", "Thanks."))).conversations;
    expect(session?.title).toBe("Use teal.");
    expect(session?.messages).toMatchObject([
      {
        sequence: 1,
        role: "tool",
        content: "The button is red.\n\nSo is the link.",
        tool_call_id: "toolu_1",
        parts: mixed.slice(0, 2),
        metadata: { source_id: "u1" },
      },
      {
        sequence: 2,
        role: "user",
        content: "Use teal.",
        tool_call_id: null,
        parts: null,
        metadata: { source_id: "u1:1" },
      },
      { sequence: 3, role: "user", content: "Thanks." },
    ]);
  });

  test("recognizes both messages of such a line in a fork of the session", async () => {
    const sources = [
      line("u1", mixed),
      line("f1", mixed, { forkedFrom: { sessionId: "S", messageUuid: "u1" } }),
    ].map((text, i) => ({ ...textSource(text), name: `${i}.jsonl` }));
    const { conversations, leftOut } = await readWith(importClaudeCode, ...sources);
    expect(conversations).toHaveLength(1);
    expect(leftOut).toMatchObject([{ what: "copied message" }, { what: "copied message" }]);
  });

  test("reports the types of blocks that it does not know, and keeps the blocks in parts", async () => {
    const blocks = [{ type: "text", text: "See this." }, { type: "hologram" }, { type: "hologram" }];
    const { conversations, notUnderstood } = await readLines("S.jsonl", line("u1", blocks));
    expect(conversations[0]?.messages).toMatchObject([{ content: "See this.", parts: blocks }]);
    expect(notUnderstood).toEqual([
      {
        what: "block hologram",
        reason: "unknown type; kept in parts, which are not searched",
        place: "S.jsonl:1",
      },
    ]);
  });
});
