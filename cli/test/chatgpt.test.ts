import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importChatgpt } from "../src/importers/chatgpt.ts";
import { fileSource, fixture, jsonSource, readWith, textSource } from "./support/importing.ts";

const read = () => readWith(importChatgpt, fileSource(fixture("chatgpt.json")));
const exported = () => JSON.parse(readFileSync(fixture("chatgpt.json"), "utf8"));
/** The chat of the fixture with this id, and its branches. */
const chatsOf = async (id: string) =>
  (await read()).conversations.filter(({ metadata }) => metadata.source_id === id);

describe("importing a ChatGPT export", () => {
  test("keeps texts, roles and times unchanged", async () => {
    const { conversations } = await read();
    expect(conversations[0]).toMatchObject({
      external_id: "chatgpt:c-plain",
      title: "Sourdough",
      created_at: "2023-11-09T21:20:00.250Z",
      updated_at: "2023-11-09T21:20:20.250Z",
      tags: ["chatgpt"],
      metadata: { source: "chatgpt", source_id: "c-plain", model: "gpt-4" },
      messages: [
        {
          role: "user",
          content: "My starter does not rise.",
          created_at: "2023-11-09T21:20:01.750Z",
          parts: null,
        },
        { role: "assistant", content: "Feed it twice a day.", metadata: { source_id: "a1", model: "gpt-4" } },
      ],
    });
  });

  test("derives ids in the service's format, in order of time", async () => {
    const { conversations } = await read();
    const ids = conversations.flatMap(({ id, messages }) => [id, ...messages.map((message) => message.id)]);
    for (const id of ids) expect(id).toMatch(/^(conv|msg)_[0-9a-hjkmnp-tv-z]{20}$/);
    expect(new Set(ids).size).toBe(ids.length);
    const times = (conversations[0]?.messages ?? []).map(({ id }) => id);
    expect([...times].sort()).toEqual(times);
  });

  test("imports the current branch whole, and only the differing messages of each other branch", async () => {
    const trip = await chatsOf("c-branch");
    expect(
      trip.map(({ title, messages }) => [title, ...messages.map((m) => `${m.sequence} ${m.content}`)]),
    ).toEqual([
      ["Trip (branch)", "2 To Lisbon.", "3 Too far.", "4 Then Lyon."],
      ["Trip", "1 Where shall I go?", "2 To Oslo.", "3 By train?", "4 Nineteen hours."],
      ["Trip (branch)", "3 By ship?"],
    ]);
    const shown = trip[1];
    expect(trip[0]?.metadata).toMatchObject({ branch_of: shown?.id, branch_after: shown?.messages[0]?.id });
    expect(trip[2]?.metadata).toMatchObject({ branch_of: shown?.id, branch_after: shown?.messages[1]?.id });
    expect(shown?.metadata).not.toHaveProperty("branch_of");
  });

  test("stores tool calls, images and unknown content as parts, and their text as content", async () => {
    const [odd] = await chatsOf("c-odd");
    expect(odd?.title).toBeNull();
    expect(odd?.messages).toMatchObject([
      {
        content: "What is on this picture?",
        parts: { parts: [{ asset_pointer: "file-service://file-1" }, "What is on this picture?"] },
        metadata: { attachments: ["cat.png"] },
      },
      { role: "assistant", content: "open('cat.png')", tool_name: "python", parts: { language: "python" } },
      { role: "tool", content: "<cat>", tool_name: "python" },
      { role: "assistant", content: "It has whiskers.", parts: { content_type: "thoughts" } },
      { role: "assistant", content: "", parts: { content_type: "hologram", beams: [1, 2] } },
      { role: "assistant", content: "A cat." },
    ]);
  });

  test("takes the first answers as the current branch when the file does not name one", async () => {
    const [, trip] = exported();
    for (const current_node of [undefined, null, "gone"]) {
      const { conversations } = await readWith(importChatgpt, jsonSource([{ ...trip, current_node }]));
      expect(conversations.map(({ title, messages }) => [title, messages.length])).toEqual([
        ["Trip", 4],
        ["Trip (branch)", 3],
        ["Trip (branch)", 1],
      ]);
      expect(conversations[2]?.metadata.branch_of).toBe(conversations[1]?.id);
    }
  });

  test("gives a message without a time the time of the message before it", async () => {
    const [odd] = await chatsOf("c-odd");
    const [before, without] = odd?.messages.slice(3) ?? [];
    expect(without?.created_at).toBe(before?.created_at);
  });

  test("does not split a chat at deleted messages, and reports each omitted item with reason and place", async () => {
    const { leftOut, notUnderstood } = await read();
    expect(await chatsOf("c-odd")).toHaveLength(1);
    const at = (reason: string) =>
      [...leftOut, ...notUnderstood].filter((entry) => entry.reason === reason).map(({ place }) => place);
    expect(at("named by another message, but not in the file").sort()).toEqual([
      "file, conversation 3, message absent",
      "file, conversation 3, message gone",
    ]);
    expect(at('the role "critic"')).toEqual(["file, conversation 3, message critic"]);
    expect(at("no content")).toEqual(["file, conversation 3, message nothing"]);
    expect(at("no messages")).toEqual(['file, conversation 4 "Nothing said"']);
    expect(at("not a conversation")).toEqual(["file, conversation 5"]);
    expect(at("empty")).toEqual([
      'file, conversation 1 "Sourdough", message sys',
      'file, conversation 6 "Halved", message sys',
    ]);
    expect(leftOut).toHaveLength(6);
    expect(notUnderstood).toHaveLength(3);
    expect(notUnderstood).toContainEqual({
      what: "content hologram",
      reason: "unknown type; kept in parts, which are not searched",
      place: expect.stringMatching(/^file, conversation 3, message /),
    });
  });

  // A message with a lone surrogate, as JavaScript produces when it cuts text.
  test("stores a lone surrogate as JSON text, and makes the rest of the message searchable", async () => {
    const { conversations } = await read();
    const message = conversations.find(({ title }) => title === "Halved")?.messages.at(-1);
    expect(message?.content).toMatch(/\ufffd/);
    const { json = "" } = (message?.parts ?? {}) as { json?: string };
    expect(JSON.parse(json).content.isWellFormed()).toBe(false);
    expect(JSON.parse(json).content.toWellFormed()).toBe(message?.content);
  });

  const profile = { user_profile: "I bake.", user_instructions: "Be brief." };
  test.for([
    ["user", { content_type: "text", parts: ["Be brief."] }, "is_user_system_message", "Be brief."],
    [
      ...["user", { content_type: "user_editable_context", ...profile }],
      ...["is_visually_hidden_from_conversation", "I bake.\n\nBe brief."],
    ],
    ["assistant", { content_type: "model_editable_context", model_set_context: "Bakes." }, "", "Bakes."],
  ] as const)(
    "stores hidden context of the role %s as a system message: %j",
    async ([role, content, flag, text]) => {
      const [chat] = exported();
      chat.mapping.sys.message = { id: "sys", author: { role }, content, metadata: { [String(flag)]: true } };
      const { conversations } = await readWith(importChatgpt, jsonSource([chat]));
      expect(conversations[0]?.messages[0]).toMatchObject({
        role: "system",
        content: text,
        metadata: { hidden: true, author_role: role },
      });
      expect(conversations[0]?.messages[1]?.metadata).not.toHaveProperty("hidden");
    },
  );

  test("keeps every message of a malformed tree", async () => {
    const [chat] = exported();
    const { mapping } = chat;
    mapping.u1.parent = "a1"; // Each leads to the other, and nothing to them.
    mapping.sys.children = [];
    mapping.a1.children = ["u1"];
    const { conversations } = await readWith(importChatgpt, jsonSource([chat]));
    expect(conversations.flatMap(({ messages }) => messages.map(({ content }) => content)).sort()).toEqual([
      "Feed it twice a day.",
      "My starter does not rise.",
    ]);
  });

  test("keeps the text of a message whose parts are too large, and reports the omitted parts", async () => {
    const [chat] = exported();
    chat.mapping.a1.message.content = {
      content_type: "multimodal_text",
      parts: ["A picture.", { data: "x".repeat(600_000) }],
    };
    const { conversations, leftOut } = await readWith(importChatgpt, jsonSource([chat]));
    expect(conversations[0]?.messages[1]).toMatchObject({ content: "A picture.", parts: null });
    const reason = "larger than 500,000 bytes";
    expect(leftOut).toContainEqual(expect.objectContaining({ what: "parts of a message", reason }));
  });

  test("leaves out a message that is too long, and leaves its sequence empty", async () => {
    const [chat] = exported();
    chat.mapping.u1.message.content.parts = ["é".repeat(500_001)];
    const { conversations, leftOut } = await readWith(importChatgpt, jsonSource([chat]));
    expect(conversations[0]?.messages).toMatchObject([{ sequence: 2 }]);
    const reason = "longer than 1,000,000 bytes";
    expect(leftOut).toContainEqual(expect.objectContaining({ what: "message", reason }));
  });

  test.for(["", "[{", '{"conversations": 3', "<html>"])(
    "reports that a file is not JSON: %j",
    async (text) => {
      const reading = readWith(importChatgpt, textSource(text));
      await expect(reading).rejects.toThrow(/^file cannot be read as JSON: /);
    },
  );
});
