import { engramMemory, engramTools, loadChat, saveChat } from "@engram/sdk/ai";
import { EngramSessionStore } from "@engram/sdk/claude-agent";
import { EngramSearchProvider } from "@engram/sdk/cloudflare-agents";
import { EngramChatMessageHistory, EngramStore, engramMemory as forLangchain } from "@engram/sdk/langchain";
import { engramMemory as forMastra } from "@engram/sdk/mastra";
import { EngramSession, engramMemory as forOpenai } from "@engram/sdk/openai-agents";
import { describe, expect, test } from "vitest";
import { client } from "./support/client.ts";

type Owner = { user_id?: string; agent_id?: string };

describe("an owner that is given as undefined is rejected, because it would give access to all users' data", () => {
  test.for<[string, string, (owner: Owner) => unknown]>([
    ["engramMemory of /ai", "search", (owner) => engramMemory(client, owner)],
    ["engramMemory of /langchain", "search", (owner) => forLangchain(client, owner)],
    ["engramMemory of /mastra", "search", (owner) => forMastra(client, owner)],
    ["engramMemory of /openai-agents", "search", (owner) => forOpenai(client, owner)],
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

test("a session of another user is not listed by EngramSessionStore", async () => {
  const key = { projectKey: crypto.randomUUID(), sessionId: crypto.randomUUID() };
  await new EngramSessionStore(client, { user_id: "kim" }).append(key, [{ type: "user" }]);
  for (const owner of [{ user_id: "lou" }, {}])
    expect(await new EngramSessionStore(client, owner).listSessions(key.projectKey)).toEqual([]);
});

test("an item of another user with the same key is neither returned nor deleted by EngramStore", async () => {
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
