// Messages with images, which are larger than one stored message may be.
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { loadChat, saveChat } from "@engram/sdk/ai";
import { EngramSessionStore } from "@engram/sdk/claude-agent";
import { EngramChatMessageHistory } from "@engram/sdk/langchain";
import { EngramMemoryStorage } from "@engram/sdk/mastra";
import { EngramSession } from "@engram/sdk/openai-agents";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { MastraDBMessage } from "@mastra/core/agent";
import type { AgentInputItem } from "@openai/agents-core";
import type { UIMessage } from "ai";
import { describe, expect, test } from "vitest";
import { sample } from "../../support/scale.ts";
import { client } from "./support/client.ts";

/** An image of this many bytes as a data URL. */
const imageOf = (bytes: number) =>
  `data:image/png;base64,${Buffer.alloc(bytes, randomUUID()).toString("base64")}`;

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Stores, in one call each, a text, two messages with the image, and a text. Resolves to what is stored and returned. */
const ADAPTERS: [string, (image: string) => Promise<{ id: string; stored: unknown[]; loaded: unknown[] }>][] =
  [
    [
      "saveChat",
      async (url) => {
        const chatId = randomUUID();
        const text = (id: string, said: string): UIMessage => ({
          id,
          role: "user",
          parts: [{ type: "text", text: said }],
        });
        const file = { type: "file" as const, mediaType: "image/png", url };
        const chat = [
          text("m-1", "Look."),
          { ...text("m-2", "A kettle"), parts: [...text("", "A kettle").parts, file] },
          { ...text("", "Another"), parts: [file] },
          text("m-4", "Which one?"),
        ];
        for (let i = 1; i <= chat.length; i += 1) await saveChat(client, chatId, chat.slice(0, i));
        return { id: chatId, stored: chat, loaded: await loadChat(client, chatId) };
      },
    ],
    [
      "EngramSession",
      async (image) => {
        const id = randomUUID();
        const items: AgentInputItem[] = [
          { role: "user", content: "Look." },
          {
            role: "user",
            content: [
              { type: "input_text", text: "A kettle" },
              { type: "input_image", image },
            ],
          },
          {
            type: "computer_call_result",
            callId: "call_1",
            output: { type: "computer_screenshot", data: image },
          },
          { role: "user", content: "Which one?" },
        ];
        const session = new EngramSession(client, id);
        for (const item of items) await session.addItems([item]);
        return { id, stored: items, loaded: await session.getItems() };
      },
    ],
    [
      "EngramChatMessageHistory",
      async (url) => {
        const id = randomUUID();
        const image = { type: "image_url", image_url: { url } };
        const messages = [
          new HumanMessage({ id: "m-1", content: "Look." }),
          new HumanMessage({ id: "m-2", content: [{ type: "text", text: "A kettle" }, image] }),
          new HumanMessage({ content: [image] }),
          new HumanMessage({ id: "m-4", content: "Which one?" }),
        ];
        const history = new EngramChatMessageHistory(client, id);
        for (const message of messages) await history.addMessages([message]);
        const plain = (each: BaseMessage[]) => each.map(({ id, type, content }) => ({ id, type, content }));
        return { id, stored: plain(messages), loaded: plain(await history.getMessages()) };
      },
    ],
    [
      "EngramMemoryStorage",
      async (data) => {
        const [threadId, resourceId, createdAt] = [randomUUID(), randomUUID(), new Date(0)];
        const file = { type: "file" as const, mimeType: "image/png", data };
        const said = (...parts: MastraDBMessage["content"]["parts"]): MastraDBMessage => ({
          ...{ id: randomUUID(), role: "user", createdAt, threadId, resourceId },
          content: { format: 2, parts },
        });
        const messages = [
          said({ type: "text", text: "Look." }),
          said({ type: "text", text: "A kettle" }, file),
          said(file),
          said({ type: "text", text: "Which one?" }),
        ];
        const storage = new EngramMemoryStorage(client);
        for (const message of messages) await storage.saveMessages({ messages: [message] });
        return {
          id: threadId,
          stored: messages,
          loaded: (await storage.listMessages({ threadId })).messages,
        };
      },
    ],
    [
      "EngramSessionStore",
      async (data) => {
        const key = { projectKey: randomUUID(), sessionId: randomUUID() };
        const image = { type: "image", source: { type: "base64", data } };
        const said = (...content: object[]) => ({
          ...{ type: "user", uuid: randomUUID(), message: { role: "user", content } },
        });
        const entries = [
          said({ type: "text", text: "Look." }),
          said({ type: "text", text: "A kettle" }, image),
          { ...said(image), uuid: undefined },
          said({ type: "text", text: "Which one?" }),
        ];
        const store = new EngramSessionStore(client);
        for (const entry of entries) await store.append(key, [entry]);
        const [conversation] = await client.conversations.list({ metadata: key }).toArray({ max: 1 });
        return {
          id: conversation?.external_id ?? "",
          stored: entries,
          loaded: (await store.load(key)) ?? [],
        };
      },
    ],
  ];

describe.for(ADAPTERS)("%s", ([, store]) => {
  test.for(sample([700_000, 3_000_000, 10_000_000], 1))(
    "stores images of %i bytes, returns them equal, and stores later messages",
    async (bytes) => {
      const { id, stored, loaded } = await store(imageOf(bytes));
      expect(loaded.length).toBe(4);
      // Not `toEqual` of everything: a failure would print megabytes.
      for (const [i, message] of stored.entries())
        expect(isDeepStrictEqual(asJson(loaded[i]), asJson(message)), `message ${i}`).toBe(true);
      // The message is found by its text, and its neighbors in the search result have no text.
      const [conversation] = (await client.conversations.list({ external_id: id }).page()).items;
      const rows = await client.messages.list(conversation?.id ?? "").toArray({ max: Infinity });
      const texts = rows.map(({ content }) => content).filter((content) => content !== "");
      expect(texts).toEqual(["Look.", "A kettle", "Which one?"]);
    },
  );
});
