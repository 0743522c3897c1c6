import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importClaude } from "../src/importers/claude.ts";
import { recognizeFormats } from "../src/importers/recognition.ts";
import { fileSource, fixture, holdings, jsonSource, readWith } from "./support/importing.ts";
import { createPerson } from "./support/program.ts";
import { zipOf } from "./support/zips.ts";

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

  test("stores tool calls, thinking and attachments as parts, and all text as content", async () => {
    const [odd] = await messagesOf("c-odd");
    expect(odd?.messages).toMatchObject([
      {
        content: "notes.txt\n\nbeans, peas",
        parts: { attachments: [{ extracted_content: "beans, peas" }] },
      },
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

  const at = (second: number) => `2026-03-02T10:00:0${second}.000000Z`;
  const said = (uuid: string, sender: string, content: object[], more: object = {}) => ({
    ...{ uuid, sender, content, text: "", created_at: at(1), updated_at: at(1) },
    ...{ attachments: [], files: [], ...more },
  });
  const use = (name: string, input: object) => ({ type: "tool_use", id: `toolu_${name}`, name, input });
  const chatOf = (...chat_messages: object[]) => ({
    uuid: "c",
    name: "Report",
    created_at: at(0),
    chat_messages,
  });

  const artifact = (input: object) => use("artifacts", { id: "r", type: "text/markdown", ...input });

  test.for([
    [
      "an artifact",
      artifact({ command: "create", title: "Yields", content: "# Beans" }),
      "Yields\n\n# Beans",
    ],
    ["a changed artifact", artifact({ command: "update", old_str: "a", new_str: "# Peas" }), "# Peas"],
    ["a file", use("create_file", { path: "/mnt/a.md", file_text: "# Leeks", description: "x" }), "# Leeks"],
    ["a search", use("web_search", { query: "beans" }), ""],
  ] as const)(
    "stores the text that Claude wrote into %s as content, in its place",
    async ([, block, text]) => {
      const blocks = [{ type: "text", text: "Before." }, block, { type: "text", text: "After." }];
      const { conversations } = await readWith(
        importClaude,
        jsonSource([chatOf(said("m", "assistant", blocks))]),
      );
      expect(conversations[0]?.messages).toMatchObject([
        { content: ["Before.", text, "After."].filter(Boolean).join("\n\n"), parts: { content: blocks } },
      ]);
    },
  );

  test("stores a message whose attachment is too long without the attachment's text, and says so", async () => {
    const attachments = [
      { file_name: "long.txt", extracted_content: "x".repeat(1_000_000) },
      { file_name: "short.txt", extracted_content: "beans" },
    ];
    const message = said("m", "human", [{ type: "text", text: "See both." }], { attachments });
    const { conversations, leftOut } = await readWith(importClaude, jsonSource([chatOf(message)]));
    expect(conversations[0]?.messages).toMatchObject([{ content: "See both.\n\nshort.txt\n\nbeans" }]);
    expect(leftOut).toMatchObject([
      { what: "text of an attachment", reason: "the message would be longer than 1,000,000 bytes" },
      { what: "parts of a message", reason: "larger than 500,000 bytes" },
    ]);
  });

  test("keeps the summary of a chat as metadata, and reports blocks of an unknown type", async () => {
    const message = said("m", "human", [{ type: "text", text: "Hi." }, { type: "hologram" }]);
    const chat = { ...chatOf(message), summary: "A greeting." };
    const { conversations, notUnderstood } = await readWith(importClaude, jsonSource([chat]));
    expect(conversations[0]?.metadata).toMatchObject({ summary: "A greeting." });
    expect(notUnderstood).toMatchObject([{ what: "block hologram" }]);
  });

  const PROJECT = {
    ...{ uuid: "p-1", name: "Garden", description: "All beds", prompt_template: "Answer in metres." },
    ...{ is_private: true, is_starter_project: false, created_at: at(2), updated_at: at(3) },
    creator: { uuid: "acc", full_name: "Ann" },
    docs: [
      { uuid: "d-1", filename: "soil.md", content: "The soil is sandy.", created_at: at(3) },
      { uuid: "d-2", filename: "empty.md", content: "", created_at: at(3) },
    ],
  };
  const MEMORIES = {
    account_uuid: "acc",
    conversations_memory: "**Garden**\n\nAnn grows beans.",
    project_memories: { "p-1": "Sandy soil." },
    memory_files: [{ path: "/garden/beans.md", content: "Plant in May.", updated_at: at(4) }],
  };

  test.for([
    ["lists", [PROJECT], [MEMORIES]],
    ["one in each file", PROJECT, MEMORIES],
    ["lists under a name", { projects: [PROJECT] }, { memories: [MEMORIES] }],
  ] as const)(
    "stores projects, their documents and memories as memories: %s",
    async ([, projects, memories]) => {
      const read = await readWith(importClaude, jsonSource(projects), jsonSource(memories));
      expect(read.memories).toMatchObject([
        {
          content: "Garden\n\nAll beds\n\nAnswer in metres.",
          tags: ["claude", "project"],
          metadata: { source_id: "p-1", project: "Garden", project_id: "p-1" },
          created_at: "2026-03-02T10:00:02.000Z",
        },
        {
          content: "The soil is sandy.",
          tags: ["claude", "project"],
          metadata: { source_id: "d-1", project: "Garden", filename: "soil.md" },
          created_at: "2026-03-02T10:00:03.000Z",
        },
        {
          content: "**Garden**\n\nAnn grows beans.",
          tags: ["claude", "memory"],
          metadata: { source_id: "acc" },
        },
        { content: "Sandy soil.", metadata: { project_id: "p-1" } },
        { content: "Plant in May.", metadata: { filename: "/garden/beans.md" } },
      ]);
      expect(read.memories).toHaveLength(5);
      expect(read.leftOut).toMatchObject([{ what: "project document", reason: "no text" }]);
      expect(read.notUnderstood).toEqual([]);
    },
  );

  test("gives a memory that Claude has rewritten another id, and an unchanged one the same", async () => {
    const idsOf = async (item: object) => {
      const { memories } = await readWith(importClaude, jsonSource([item]));
      return memories.map(({ id, external_id }) => [id, external_id]);
    };
    const before = await idsOf(MEMORIES);
    const after = await idsOf({ ...MEMORIES, conversations_memory: "Ann rests." });
    expect(await idsOf(MEMORIES)).toEqual(before);
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(new Set([...before, ...after].flat()).size).toBe(8);
  });

  test.for([PROJECT, MEMORIES])("is recognized by a file of projects or memories (%#)", async (item) => {
    expect(await recognizeFormats(jsonSource([item]))).toEqual(["claude"]);
  });

  const unnamed = { uuid: "p", name: "Empty", description: "", prompt_template: "", docs: [] };

  test.for([
    [
      { ...PROJECT, is_starter_project: true },
      [{ what: "project", reason: "an example of the product" }],
      [],
    ],
    [unnamed, [{ what: "project", reason: "empty" }], []],
    [{ ...MEMORIES, dreams: ["of beans"] }, [], [{ what: "field dreams", reason: "unknown" }]],
    [{ uuid: "x", secrets: [] }, [], [{ what: "item", reason: "not a conversation" }]],
  ])(
    "reports what it does not store of a project or of memories (%#)",
    async ([item, leftOut, notUnderstood]) => {
      const read = await readWith(importClaude, jsonSource([item]));
      expect(read).toMatchObject({ leftOut, notUnderstood });
    },
  );

  test("stores a design chat, with what the user said while Claude was working as messages of the user", async () => {
    const page = { path: "a.html", content: "<h1>Beans</h1>" };
    const blocks = [
      { type: "thinking", text: "Hm." },
      { type: "text", text: "Updated the header." },
      { type: "tool_call", toolCall: { name: "write_file", input: page, output: "Wrote a.html" } },
      {
        type: "user_interjection",
        message: {
          role: "user",
          content: "Also the footer",
          attachments: [{ name: "pasted", content: "note" }],
        },
      },
      { type: "error", message: "Stream ended" },
    ];
    const attachments = [{ type: "text", name: "brief", content: "Make it green" }];
    const message = (uuid: string, role: string, second: number, content: object) => ({
      ...{ uuid, role, created_at: at(second), content },
    });
    const design = {
      ...{ uuid: "d-1", title: "Packaging", created_at: at(0), updated_at: at(4) },
      project: { uuid: "p-9", name: "Boxes" },
      messages: [
        message("u1", "user", 1, { content: "Draw a box", authorAccountUuid: "acc", attachments }),
        message("a1", "assistant", 2, { contentBlocks: blocks }),
        message("u2", "user", 3, { content: "Check done", pill: true }),
        { uuid: "n1", role: "narrator", content: {} },
        { uuid: "e1", role: "assistant", content: { content: "" } },
      ],
    };
    const { conversations, leftOut, notUnderstood } = await readWith(importClaude, jsonSource(design));
    const about = { external_id: "claude:d-1", title: "Packaging", tags: ["claude", "design"] };
    expect(conversations).toMatchObject([{ ...about, metadata: { project: "Boxes" } }]);
    expect(conversations[0]?.messages).toMatchObject([
      { sequence: 1, role: "user", content: "Draw a box\n\nbrief\n\nMake it green", parts: { attachments } },
      {
        sequence: 2,
        role: "assistant",
        content: "Updated the header.\n\n<h1>Beans</h1>\n\nWrote a.html",
        parts: blocks.slice(0, 3),
        metadata: { source_id: "a1" },
      },
      { role: "user", content: "Also the footer\n\npasted\n\nnote", metadata: { source_id: "a1:1" } },
      { role: "assistant", content: "Stream ended", metadata: { source_id: "a1:2" } },
      {
        sequence: 5,
        role: "system",
        content: "Check done",
        created_at: "2026-03-02T10:00:03.000Z",
        parts: null,
      },
    ]);
    expect(leftOut).toMatchObject([{ what: "message", reason: "empty" }]);
    expect(notUnderstood).toMatchObject([{ what: "message", reason: 'the role "narrator"' }]);
  });

  test("stores a whole export of several zip files, finds its words, and changes nothing when it is repeated", async () => {
    const person = await createPerson();
    const directory = join(person.home, "export");
    mkdirSync(directory);
    const attachments = [{ file_name: "plan.txt", extracted_content: "trellis" }];
    const climbing = said("m-0", "human", [{ type: "text", text: "Which beans climb?" }]);
    const planned = said("m-1", "human", [], { attachments });
    const written = said("m-2", "assistant", [use("artifacts", { title: "Yields", content: "wheelbarrow" })]);
    const zips = {
      "conversations-000.zip": ["conversations.json", [{ ...chatOf(climbing), uuid: "c-0" }]],
      "conversations-001.zip": ["conversations.json", [{ ...chatOf(planned, written), uuid: "c-1" }]],
      "projects-000.zip": ["projects/p-1.json", PROJECT],
      "memories-000.zip": ["memories/acc.json", MEMORIES],
      "light_metadata-000.zip": ["users.json", []],
    } as const;
    for (const [name, [path, content]] of Object.entries(zips))
      writeFileSync(join(directory, name), zipOf({ [path]: JSON.stringify(content) }, "stored"));
    const data_files = [...Object.keys(zips), "design_chats-000.zip"].map((filename) => ({
      ...{ filename, category: filename.slice(0, -8), export_url: `https://example.invalid/${filename}` },
    }));
    writeFileSync(join(directory, "manifest-1.json"), JSON.stringify({ created_at: at(0), data_files }));
    const bring = async () => {
      const { code, stdout } = await person.run(["import", "claude", directory, "--json"]);
      return { code, ...JSON.parse(stdout) };
    };
    expect(await bring()).toMatchObject({
      code: 0,
      stored: {
        conversations: { created: 2, existing: 0 },
        messages: { created: 3, existing: 0 },
        memories: { created: 5, existing: 0 },
      },
      left_out: expect.arrayContaining([
        {
          ...{ type: "file of the manifest", reason: "not in the directory that is imported" },
          ...{ count: 1, places: ["design_chats-000.zip"] },
        },
        {
          ...{ type: "file .json", reason: "not a file of this format" },
          ...{ count: 1, places: ["light_metadata-000.zip/users.json"] },
        },
      ]),
      not_understood: [],
      refused: [],
    });
    for (const query of ["climb", "trellis", "wheelbarrow"])
      expect((await person.client.search({ query })).results).not.toEqual([]);
    for (const query of ["metres", "sandy", "Ann grows", "May"])
      expect((await person.client.memories.search({ query })).results).not.toEqual([]);
    // The text model writes summaries after the import, of the two memories that came without one.
    const enriched = async () => {
      const memories = await person.client.memories.list().toArray({ max: 10 });
      return memories.filter(({ enriched_by }) => enriched_by !== null).length;
    };
    await expect.poll(enriched, { timeout: 60_000 }).toBe(2);
    const held = await holdings(person);
    expect(await bring()).toMatchObject({
      code: 0,
      stored: {
        conversations: { created: 0 },
        messages: { created: 0 },
        memories: { created: 0, existing: 5 },
      },
    });
    expect(await holdings(person)).toEqual(held);
  });
});
