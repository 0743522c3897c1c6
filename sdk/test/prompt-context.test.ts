import { expect, test } from "vitest";
import { inPrompt, promptContext } from "../src/adapters/prompt-context.ts";
import type { ContextBody } from "../src/generated/schema.ts";
import { clientOf } from "./support/client.ts";

/** A client whose contexts each have an id of their own, and the bodies it sent. */
function contextClient(answer: (body: ContextBody) => object = () => ({})) {
  const sent: ContextBody[] = [];
  const client = clientOf(async (request) => {
    const body = (await request.json()) as ContextBody;
    sent.push(body);
    const stable_id = `ctx_${sent.length}`;
    return Response.json({ stable: ["Memories."], dynamic: "Found.", stable_id, ...answer(body) });
  });
  return { client, sent };
}

test("each call continues the stable part of the same user, agent, metadata, moment and thread", async () => {
  const { client, sent } = contextClient();
  const options = { user_id: "maria", exceptThreadId: "chat-1" };
  const others = [
    { ...options, user_id: "jon" },
    { ...options, exceptThreadId: "chat-2" },
    { ...options, agent_id: "bot" },
    { ...options, metadata: { project: "shop" } },
    { ...options, as_of: "2026-11-02T09:30:00.000Z" },
  ];
  for (const one of [options, ...others, options]) await promptContext(client, "Hello", one, {});
  expect(sent.map(({ previous }) => previous)).toEqual([...Array(6).fill(null), "ctx_1"]);
  expect(sent[0]).toEqual({
    ...{ query: "Hello", user_id: "maria", exclude_conversation: "chat-1", layout: "stable", previous: null },
    ...{ max_tokens: 2_000, shares: { messages: 0, memories: 0.4, results: 0.6 } },
  });
  // Another client may have another key.
  const other = contextClient();
  await promptContext(other.client, "Hello", options, {});
  expect(other.sent[0]?.previous).toBeNull();
});

test("a stable part that became empty is not continued", async () => {
  const { client, sent } = contextClient(() => (sent.length === 1 ? {} : { stable: [], stable_id: null }));
  for (let call = 0; call < 3; call++) await promptContext(client, "Hello", { user_id: "maria" }, {});
  expect(sent.map(({ previous }) => previous)).toEqual([null, "ctx_1", null]);
});

test("a client keeps the 1,000 stable parts that were used last", async () => {
  const { client, sent } = contextClient();
  const ask = (user: number) => promptContext(client, "Hello", { user_id: `user-${user}` }, {});
  for (let user = 0; user < 1_000; user++) await ask(user);
  for (const user of [0, 1_000, 0, 1]) await ask(user);
  expect(sent.slice(1_000).map(({ previous }) => previous)).toEqual(["ctx_1", null, "ctx_1001", null]);
});

test("a thread id that no conversation can have excludes nothing", async () => {
  const { client, sent } = contextClient();
  for (const exceptThreadId of ["", "x".repeat(300), "a\nb", undefined])
    await promptContext(client, "Hello", { user_id: "maria", exceptThreadId }, {});
  for (const body of sent) expect(body).not.toHaveProperty("exclude_conversation");
});

test("a prompt of instructions alone gets all of the context at its end, and no mark on what changes", () => {
  const prompt = [{ role: "system", content: "Be kind." }];
  const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
  expect(inPrompt(prompt, { stable: ["One.", "Two."], dynamic: "Found." })).toEqual([
    ...prompt,
    { role: "system", content: "One." },
    { role: "system", content: "Two.", providerOptions },
    { role: "system", content: "Found." },
  ]);
  expect(inPrompt(prompt, { stable: [], dynamic: "" })).toEqual(prompt);
});

test("in the steps after a call of a tool, what the user asked for stays with the question", () => {
  const text = (said: string) => [{ type: "text", text: said }];
  const [asked, called] = [
    { role: "user", content: text("Hi") },
    { role: "assistant", content: [] },
  ];
  const prompt = [
    { role: "user", content: text("Before") },
    called,
    asked,
    called,
    { role: "tool", content: [] },
  ];
  const placed = inPrompt(prompt, { stable: [], dynamic: "Found." });
  expect(placed).toEqual(prompt.with(2, { role: "user", content: [...text("Found."), ...text("Hi")] }));
});
