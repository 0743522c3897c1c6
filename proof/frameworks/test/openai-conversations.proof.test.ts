// The Conversations API of OpenAI's own client, with its conversations in Engram.
import OpenAI from "openai";
import type { ConversationItem } from "openai/resources/conversations/items";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { expect, inject, test } from "vitest";
import { client as engram } from "./support/client.ts";

const openai = new OpenAI({ apiKey: inject("key"), baseURL: `${inject("url")}/v1/openai`, maxRetries: 0 });

/** An item of each type that the client knows, as a response of OpenAI has it. */
const ITEMS: { [Type in ConversationItem["type"]]: Extract<ConversationItem, { type: Type }> } = {
  message: {
    type: "message",
    id: "msg_68a1",
    role: "assistant",
    status: "completed",
    phase: "final_answer",
    content: [
      { type: "output_text", text: "A kettle \u0000 😀", annotations: [], logprobs: [] },
      { type: "refusal", refusal: "No more." },
    ],
  },
  function_call: {
    type: "function_call",
    id: "fc_1",
    call_id: "call_1",
    name: "look_up",
    arguments: '{"order": 1029}',
    status: "completed",
    namespace: "orders",
  },
  function_call_output: {
    type: "function_call_output",
    id: "fco_1",
    call_id: "call_1",
    status: "incomplete",
    output: [{ type: "input_text", text: "on its way" }],
  },
  reasoning: {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "It is a kettle." }],
    content: [{ type: "reasoning_text", text: "Steam: a kettle." }],
    encrypted_content: "gAAAA",
  },
  file_search_call: {
    type: "file_search_call",
    id: "fs_1",
    status: "completed",
    queries: ["kettle"],
    results: [{ file_id: "file_1", filename: "a.txt", score: 0.5, text: "kettles" }],
  },
  web_search_call: {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { type: "search", query: "kettle", sources: [{ type: "url", url: "https://a.example" }] },
  },
  image_generation_call: {
    type: "image_generation_call",
    id: "ig_1",
    status: "completed",
    result: "iVBORw0KGgo=",
    revised_prompt: null,
  },
  computer_call: {
    type: "computer_call",
    id: "cu_1",
    call_id: "call_2",
    status: "completed",
    pending_safety_checks: [],
    action: { type: "click", button: "left", x: 1, y: 2 },
  },
  computer_call_output: {
    type: "computer_call_output",
    id: "cuo_1",
    call_id: "call_2",
    status: "completed",
    output: { type: "computer_screenshot", image_url: "data:image/png;base64,iVBORw0KGgo=" },
  },
  tool_search_call: {
    type: "tool_search_call",
    id: "ts_1",
    call_id: null,
    status: "completed",
    execution: "server",
    arguments: { query: "orders" },
  },
  tool_search_output: {
    type: "tool_search_output",
    id: "tso_1",
    call_id: null,
    status: "completed",
    execution: "server",
    tools: [],
  },
  additional_tools: { type: "additional_tools", id: "at_1", role: "developer", tools: [] },
  configuration_update: { type: "configuration_update", id: "cf_1" },
  program: { type: "program", id: "pr_1", call_id: "call_3", code: "run()", fingerprint: "f" },
  program_output: {
    type: "program_output",
    id: "pro_1",
    call_id: "call_3",
    result: "done",
    status: "completed",
  },
  compaction: { type: "compaction", id: "cmp_1", encrypted_content: "gBBBB" },
  code_interpreter_call: {
    type: "code_interpreter_call",
    id: "ci_1",
    status: "completed",
    container_id: "cntr_1",
    code: "print(1)",
    outputs: [{ type: "logs", logs: "1" }],
  },
  local_shell_call: {
    type: "local_shell_call",
    id: "ls_1",
    call_id: "call_4",
    status: "completed",
    action: { type: "exec", command: ["ls"], env: {} },
  },
  local_shell_call_output: {
    type: "local_shell_call_output",
    id: "lso_1",
    output: "a.txt",
    status: "completed",
  },
  shell_call: {
    type: "shell_call",
    id: "sh_1",
    call_id: "call_5",
    status: "completed",
    environment: null,
    action: { commands: ["ls"], max_output_length: null, timeout_ms: null },
  },
  shell_call_output: {
    type: "shell_call_output",
    id: "sho_1",
    call_id: "call_5",
    status: "completed",
    max_output_length: null,
    output: [{ stdout: "a.txt", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
  },
  apply_patch_call: {
    type: "apply_patch_call",
    id: "ap_1",
    call_id: "call_6",
    status: "completed",
    operation: { type: "delete_file", path: "a.txt" },
  },
  apply_patch_call_output: {
    type: "apply_patch_call_output",
    id: "apo_1",
    call_id: "call_6",
    status: "failed",
    output: "no such file",
  },
  mcp_list_tools: {
    type: "mcp_list_tools",
    id: "mcpl_1",
    server_label: "orders",
    tools: [{ name: "look_up", input_schema: { type: "object" }, annotations: null, description: null }],
  },
  mcp_approval_request: {
    type: "mcp_approval_request",
    id: "mcpr_1",
    server_label: "orders",
    name: "look_up",
    arguments: "{}",
  },
  mcp_approval_response: {
    type: "mcp_approval_response",
    id: "mcpa_1",
    approval_request_id: "mcpr_1",
    approve: true,
  },
  mcp_call: {
    type: "mcp_call",
    id: "mcp_1",
    server_label: "orders",
    name: "look_up",
    arguments: "{}",
    output: "on its way",
    status: "completed",
  },
  custom_tool_call: {
    type: "custom_tool_call",
    id: "ctc_1",
    call_id: "call_7",
    name: "note",
    input: "kettle",
  },
  custom_tool_call_output: {
    type: "custom_tool_call_output",
    id: "ctco_1",
    call_id: "call_7",
    output: "noted",
  },
};
/** With a status where the service adds one. */
const whole = (item: ConversationItem) =>
  /^custom_tool_call/.test(item.type) ? { ...item, status: "completed" } : item;

test("items of every type come back equal, in pages from either end", async () => {
  const { id } = await openai.conversations.create({ metadata: { topic: "kettle" } });
  const items = Object.values(ITEMS);
  for (let from = 0; from < items.length; from += 20) {
    const added = await openai.conversations.items.create(id, {
      items: items.slice(from, from + 20) as ResponseInputItem[],
      include: ["reasoning.encrypted_content"],
    });
    expect(added.data).toStrictEqual(items.slice(from, from + 20).map(whole));
  }
  for (const order of ["asc", "desc"] as const) {
    const listed: ConversationItem[] = [];
    const pages = openai.conversations.items.list(id, {
      order,
      limit: 7,
      include: ["file_search_call.results"],
    });
    for await (const item of pages) listed.push(item);
    const expected = items.map(whole);
    expect(listed).toStrictEqual(order === "asc" ? expected : expected.reverse());
  }
  for (const item of items)
    expect(
      await openai.conversations.items.retrieve(item.id ?? "", {
        conversation_id: id,
        include: ["message.output_text.logprobs", "web_search_call.action.sources"],
      }),
    ).toStrictEqual(whole(item));
});

test("a conversation is created with items, read, changed and deleted", async () => {
  const created = await openai.conversations.create({
    items: [
      { role: "user", content: "I'm allergic to walnuts." },
      { role: "assistant", content: "The soup has none." },
    ],
    metadata: { guest: "maria" },
  });
  expect(created).toMatchObject({ object: "conversation", metadata: { guest: "maria" } });
  const { id } = created;
  expect(await openai.conversations.retrieve(id)).toEqual(created);

  const [answer, asked] = (await openai.conversations.items.list(id)).data;
  expect(asked).toMatchObject({
    type: "message",
    content: [{ type: "input_text", text: "I'm allergic to walnuts." }],
  });
  expect(answer).toMatchObject({
    type: "message",
    content: [{ type: "output_text", text: "The soup has none." }],
  });
  const after = await openai.conversations.items.delete(answer?.id ?? "", { conversation_id: id });
  expect(after).toEqual(created);
  expect((await openai.conversations.items.list(id)).data).toEqual([asked]);

  const metadata = { guest: "maria", room: "12" };
  expect((await openai.conversations.update(id, { metadata })).metadata).toEqual(metadata);
  expect(await openai.conversations.delete(id)).toEqual({
    id,
    object: "conversation.deleted",
    deleted: true,
  });
  await expect(openai.conversations.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
});

test("Engram's own API finds the items, and appends others", async () => {
  const { id } = await openai.conversations.create({
    items: [{ role: "user", content: [{ type: "input_text", text: "When does the zeppelin land?" }] }],
  });
  const { results } = await engram.search({ query: "zeppelin", mode: "keyword", conversation_id: id });
  expect(results).toMatchObject([{ messages: [{ role: "user", content: "When does the zeppelin land?" }] }]);
  await engram.messages.append(id, { messages: [{ role: "assistant", content: "At noon." }] });
  expect((await openai.conversations.items.list(id, { limit: 1 })).data).toMatchObject([
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "At noon." }] },
  ]);
});

test("errors have the client's classes, codes and parameters", async () => {
  const stranger = new OpenAI({ apiKey: "engram_sk_live_wrong", baseURL: openai.baseURL, maxRetries: 0 });
  await expect(stranger.conversations.create()).rejects.toMatchObject({
    constructor: OpenAI.AuthenticationError,
    code: "unauthenticated",
    requestID: expect.stringMatching(/^req_/),
  });
  const wrong = { items: [{ role: "boss", content: "" }] } as never;
  await expect(openai.conversations.create(wrong)).rejects.toMatchObject({
    constructor: OpenAI.BadRequestError,
    type: "invalid_request_error",
    code: "validation_failed",
    param: "items[0].role",
  });
});

test("a request that is sent again with its idempotency key has no second effect", async () => {
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const create = () =>
    openai.conversations.create({ items: [{ role: "user", content: "once" }] }, { headers });
  const first = await create();
  expect(await create()).toEqual(first);
  expect((await openai.conversations.items.list(first.id)).data).toHaveLength(1);
});
