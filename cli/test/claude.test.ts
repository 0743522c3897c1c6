import { describe, expect, test } from "vitest";
import { importClaude } from "../src/importers/claude.ts";
import { fileSource, fixture, jsonSource, readWith } from "./support/importing.ts";

const read = () => readWith(importClaude, fileSource(fixture("claude.json")));
const messagesOf = async (id: string) => {
  const { conversations } = await read();
  return conversations.filter(({ metadata }) => metadata.source_id === id);
};

describe("importing a Claude export", () => {
  test("keeps texts, roles and times unchanged", async () => {
    expect(await messagesOf("c-plain")).toMatchObject([
      {
        external_id: "claude:c-plain",
        title: "Garden",
        created_at: "2024-03-02T10:00:00.123Z",
        tags: ["claude"],
        messages: [
          {
            role: "user",
            content: "When do I plant beans?",
            created_at: "2024-03-02T10:00:01.000Z",
            parts: null,
          },
          { role: "assistant", content: "After the last frost.", sequence: 2 },
        ],
      },
    ]);
  });

  test("stores a regenerated answer as a branch of the newest path", async () => {
    const [oak, elm, ...others] = await messagesOf("c-edit");
    expect(others).toEqual([]);
    expect(elm).toMatchObject({
      title: null,
      messages: [{ content: "Name a tree." }, { content: "Elm." }, { content: "Thanks." }],
    });
    expect(oak).toMatchObject({
      tags: ["claude", "branch"],
      metadata: { branch_of: elm?.id, branch_after: elm?.messages[0]?.id },
      messages: [{ sequence: 2, content: "Oak." }],
    });
  });

  test("stores tool calls, thinking and attachments as parts, and the text as content", async () => {
    const [odd] = await messagesOf("c-odd");
    expect(odd?.messages).toMatchObject([
      { content: "", parts: { attachments: [{ extracted_content: "beans, peas" }] } },
      {
        content: "I look.\n\nBeans like warmth.\n\nThey like warmth.",
        tool_name: "web_search",
        tool_call_id: "toolu_1",
        parts: { content: [{ type: "thinking" }, { type: "text" }, { type: "tool_use" }, {}, {}] },
      },
      { content: "From before there were blocks.", parts: { files: [{ file_name: "photo.jpg" }] } },
    ]);
  });

  test("reports what it leaves out, with its place", async () => {
    const { leftOut, notUnderstood } = await read();
    expect(leftOut).toEqual([
      { what: "message", reason: "empty", place: 'file, conversation 3 "Tools", message o3' },
      { what: "conversation", reason: "no messages", place: "file, conversation 4" },
    ]);
    expect(notUnderstood).toEqual([
      { what: "message", reason: 'the sender "robot"', place: 'file, conversation 3 "Tools", message o4' },
      { what: "message", reason: "no id", place: 'file, conversation 3 "Tools", message 5' },
      { what: "item", reason: "not a conversation", place: 'file, conversation 5 "no id"' },
    ]);
  });

  test("keeps two different messages with the same id, and one of two equal messages", async () => {
    const say = (text: string) => ({ uuid: "m1", sender: "human", text, created_at: "2024-03-02T10:00:01Z" });
    const chat = { uuid: "c", chat_messages: [say("one"), say("two"), say("one")] };
    const { conversations, leftOut } = await readWith(importClaude, jsonSource([chat]));
    expect(conversations.flatMap(({ messages }) => messages.map(({ content }) => content))).toEqual([
      "one",
      "two",
    ]);
    expect(leftOut).toMatchObject([{ what: "repeated message" }]);
  });

  test("produces the same lines on each import", async () => {
    expect(await read()).toEqual(await read());
  });
});
