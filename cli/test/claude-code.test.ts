import { describe, expect, test } from "vitest";
import { importClaudeCode } from "../src/importers/claude-code.ts";
import { fileSource, fixture, readWith } from "./support/importing.ts";

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
});
