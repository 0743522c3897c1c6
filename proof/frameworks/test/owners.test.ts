import { engramMemory, engramTools, loadChat, saveChat } from "@engram/sdk/ai";
import { EngramSessionStore } from "@engram/sdk/claude-agent";
import { EngramSearchProvider } from "@engram/sdk/cloudflare-agents";
import { EngramChatMessageHistory, EngramStore } from "@engram/sdk/langchain";
import { EngramSession } from "@engram/sdk/openai-agents";
import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { client } from "./support/client.ts";

type Owner = { user_id?: string; agent_id?: string };

describe("an owner that is given as undefined is rejected, because it would give access to all users' data", () => {
  test.for<[string, string, (owner: Owner) => unknown]>([
    ["engramMemory", "search", (owner) => engramMemory(client, owner)],
    ["engramTools", "search", (owner) => engramTools(client, owner)],
    ["loadChat", "open the conversations of", (owner) => loadChat(client, "chat-1", owner)],
    ["saveChat", "open the conversations of", (owner) => saveChat(client, "chat-1", [], owner)],
    ["EngramSearchProvider", "search", (owner) => new EngramSearchProvider(client, owner)],
    ["EngramStore", "search", (owner) => new EngramStore(client, owner)],
    [
      "EngramChatMessageHistory",
      "open the conversations of",
      (owner) => new EngramChatMessageHistory(client, "chat-1", owner),
    ],
    ["EngramSession", "open the conversations of", (owner) => new EngramSession(client, "chat-1", owner)],
    ["EngramSessionStore", "open the conversations of", (owner) => new EngramSessionStore(client, owner)],
  ])("by %s", async ([, verb, call]) => {
    for (const noun of ["user", "agent"]) {
      const refusal = new TypeError(`${noun}_id is undefined; leave the option out to ${verb} all ${noun}s`);
      await expect((async () => call({ [`${noun}_id`]: undefined }))()).rejects.toThrow(refusal);
    }
  });
});

describe("a session of another user with the same id", () => {
  test("is neither read nor changed by EngramSession", async () => {
    const sessionId = crypto.randomUUID();
    const item = { type: "message" as const, role: "user" as const, content: "It's a secret." };
    const kim = new EngramSession(client, sessionId, { user_id: "kim" });
    await kim.addItems([item]);
    for (const owner of [{ user_id: "lou" }, {}]) {
      const session = new EngramSession(client, sessionId, owner);
      expect(await session.getItems()).toEqual([]);
      await session.addItems([{ ...item, content: "Hi" }]);
      await session.clearSession();
    }
    expect(await kim.getItems()).toEqual([item]);
  });

  test("is neither read, changed, listed nor deleted by EngramSessionStore", async () => {
    const key = { projectKey: crypto.randomUUID(), sessionId: crypto.randomUUID() };
    const [kim, lou] = ["kim", "lou"].map((user_id) => new EngramSessionStore(client, { user_id }));
    const entry = { type: "user", uuid: crypto.randomUUID(), message: { content: "It's a secret." } };
    await kim?.append(key, [entry]);
    expect(await lou?.load(key)).toBeNull();
    expect(await lou?.listSessions(key.projectKey)).toEqual([]);
    await lou?.append(key, [{ ...entry, message: { content: "Hi" } }]);
    await lou?.delete(key);
    const ownerless = new EngramSessionStore(client);
    expect(await ownerless.listSessions(key.projectKey)).toEqual([]);
    await ownerless.delete(key);
    expect(await kim?.load(key)).toEqual([entry]);
  });

  test("is neither read nor changed by EngramChatMessageHistory", async () => {
    const sessionId = crypto.randomUUID();
    const open = (user_id: string) => new EngramChatMessageHistory(client, sessionId, { user_id });
    await open("kim").addMessage(new HumanMessage("It's a secret."));
    expect(await open("lou").getMessages()).toEqual([]);
    await open("lou").clear();
    expect(await open("kim").getMessages()).toHaveLength(1);
  });

  test("and an item of another user with the same key are not returned by EngramStore", async () => {
    const place = [crypto.randomUUID()];
    const secret = { text: "It's a secret." };
    const kim = new EngramStore(client, { user_id: "kim" });
    await kim.put(place, "k", secret);
    const stores = [new EngramStore(client, { user_id: "lou" }), new EngramStore(client)];
    for (const store of stores) {
      expect(await store.get(place, "k")).toBeNull();
      await store.delete(place, "k");
    }
    expect((await kim.get(place, "k"))?.value).toEqual(secret);
  });
});
