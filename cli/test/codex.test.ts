import { describe, expect, test } from "vitest";
import { importCodex } from "../src/importers/codex.ts";
import { fileSource, fixture, readWith, textSource } from "./support/importing.ts";

const read = (name: string) => readWith(importCodex, { ...fileSource(fixture(name)), name });
const NEW = "rollout-2025-12-08T00-39-00-0199.jsonl";
const OLD = "rollout-2025-05-01T08-00-00-old.jsonl";

describe("importing a Codex session", () => {
  test("keeps messages and tool calls in order, with their times", async () => {
    const { conversations } = await read(NEW);
    expect(conversations).toMatchObject([
      {
        external_id: "codex:rollout-2025-12-08T00-39-00-0199",
        title: "How many tests are there?",
        created_at: "2025-12-08T00:39:00.000Z",
        metadata: { session_id: "0199-session", directory: "/home/ann/shop", git_branch: "main" },
      },
    ]);
    expect(conversations[0]?.messages).toMatchObject([
      { role: "system", content: "Be brief.", parts: null },
      {
        role: "system",
        content: "<environment_context>linux</environment_context>",
        metadata: { hidden: true },
      },
      { role: "user", content: "How many tests are there?", created_at: "2025-12-08T00:39:03.102Z" },
      { role: "assistant", content: "Counting files", parts: { type: "reasoning" } },
      {
        role: "assistant",
        content: "",
        tool_name: "shell",
        tool_call_id: "call_1",
        parts: { name: "shell" },
      },
      { role: "tool", content: "a.test.ts\nb.test.ts", tool_call_id: "call_1" },
      { role: "assistant", tool_name: "apply_patch", parts: { input: "*** Begin Patch" } },
      { role: "user", content: "Like here:", parts: [{ type: "input_text" }, { type: "input_image" }] },
      { role: "assistant", content: "Two.", sequence: 9 },
    ]);
  });

  test("reports what it leaves out, with the line number", async () => {
    const { leftOut, notUnderstood } = await read(NEW);
    expect(leftOut).toEqual([
      { what: "event_msg/user_message", reason: "repeats an item", place: `${NEW}:5` },
      { what: "turn_context", reason: "bookkeeping of the program", place: `${NEW}:6` },
      { what: "reasoning", reason: "encrypted", place: `${NEW}:8` },
      { what: "ghost_snapshot", reason: "backup of files", place: `${NEW}:13` },
    ]);
    expect(notUnderstood).toEqual([{ what: "line", reason: "not JSON", place: `${NEW}:15` }]);
  });

  test("reads sessions of the first log format, whose items have no times", async () => {
    const { conversations, leftOut } = await read(OLD);
    expect(conversations).toMatchObject([
      {
        title: "Say hello.",
        messages: [
          { content: "Say hello.", created_at: "2025-05-01T08:00:00.000Z" },
          { content: "Hello.", created_at: "2025-05-01T08:00:00.000Z" },
        ],
      },
    ]);
    expect(leftOut).toEqual([{ what: "state", reason: "bookkeeping of the program", place: `${OLD}:3` }]);
  });

  test("separates what the user said from the context in the same item", async () => {
    const content = [
      { type: "input_text", text: "# AGENTS.md instructions for /home/ann/shop" },
      { type: "input_text", text: "<environment_context>linux</environment_context>" },
      { type: "input_text", text: "Use teal." },
      { type: "hologram" },
    ];
    const payload = { type: "message", role: "user", content };
    const line = { timestamp: "2026-03-02T10:00:00.000Z", type: "response_item", payload };
    const source = { ...textSource(JSON.stringify(line)), name: "rollout-1.jsonl" };
    const { conversations, notUnderstood } = await readWith(importCodex, source);
    expect(conversations).toMatchObject([{ title: "Use teal." }]);
    expect(conversations[0]?.messages).toMatchObject([
      { role: "system", content: `${content[0]?.text}\n\n${content[1]?.text}`, metadata: { hidden: true } },
      { role: "user", content: "Use teal.", parts: content.slice(2), metadata: { source_id: "line 1:1" } },
    ]);
    expect(notUnderstood).toMatchObject([{ what: "block hologram" }]);
  });
});
