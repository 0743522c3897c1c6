// A proxy that alters ETags, or a service that refuses every change, must not make an adapter repeat it without end.
import { randomUUID } from "node:crypto";
import { Engram } from "@engram/sdk";
import { saveChat } from "@engram/sdk/ai";
import { EngramMemoryStorage } from "@engram/sdk/mastra";
import { EngramSession } from "@engram/sdk/openai-agents";
import { describe, expect, inject, test } from "vitest";
import { client } from "./support/client.ts";
import { newThread } from "./support/mastra.ts";

const TRIES = 5;

/** A client whose changes of what may have changed are refused, and the number of these refusals. */
function refusedClient() {
  const refused = { count: 0 };
  const refusal = (status: number, code: string) => {
    refused.count += 1;
    return Response.json({ code, title: code, status, detail: "Refused." }, { status });
  };
  const engram = new Engram({
    baseUrl: inject("url"),
    apiKey: inject("key"),
    fetch: async (request) => {
      if (request.headers.has("if-match")) return refusal(412, "precondition_failed");
      if (request.url.endsWith("/messages/replace")) return refusal(409, "sequence_conflict");
      return fetch(request);
    },
  });
  return { engram, refused };
}

describe("a change that is refused at the same version each time fails after five tries", () => {
  const [at, resourceId] = [new Date(0), randomUUID()];

  test.for<[string, string, (engram: Engram) => Promise<unknown>]>([
    [
      "updateThread of EngramMemoryStorage",
      "precondition_failed",
      async (engram) => {
        const { threadId } = await newThread(new EngramMemoryStorage(client));
        await new EngramMemoryStorage(engram).updateThread({ id: threadId, title: "Refund" });
      },
    ],
    [
      "updateResource of EngramMemoryStorage",
      "precondition_failed",
      async (engram) => {
        const resource = { id: resourceId, workingMemory: "Maria", createdAt: at, updatedAt: at };
        await new EngramMemoryStorage(client).saveResource({ resource });
        await new EngramMemoryStorage(engram).updateResource({ resourceId, workingMemory: "Paul" });
      },
    ],
    [
      "popItem of EngramSession",
      "sequence_conflict",
      async (engram) => {
        const id = randomUUID();
        await new EngramSession(client, id).addItems([{ role: "user", content: "a" }]);
        await new EngramSession(engram, id).popItem();
      },
    ],
    [
      "saveChat",
      "sequence_conflict",
      async (engram) => {
        const id = randomUUID();
        const chat = (text: string) => [
          { id: "m-1", role: "user" as const, parts: [{ type: "text" as const, text }] },
        ];
        await saveChat(client, id, chat("a"));
        await saveChat(engram, id, chat("b"));
      },
    ],
  ])("%s", async ([, code, change]) => {
    const { engram, refused } = refusedClient();
    await expect(change(engram)).rejects.toMatchObject({ code });
    expect(refused.count).toBe(TRIES);
  });
});

test("changes of more than five callers at once are all made, and what they do not change is kept", async () => {
  const storage = new EngramMemoryStorage(client);
  const { threadId } = await newThread(storage);
  const names = Array.from({ length: 9 }, (_, i) => `n${i}`);
  await Promise.all(names.map((name) => storage.updateThread({ id: threadId, metadata: { [name]: 1 } })));
  const metadata = { key: "value", ...Object.fromEntries(names.map((name) => [name, 1])) };
  expect(await storage.getThreadById({ threadId })).toMatchObject({ title: "Order 1029", metadata });
});
