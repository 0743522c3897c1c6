// What every adapter of a framework's messages promises.
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

/** The messages of one conversation, as a framework uses them. */
interface Chat<Message> {
  add(message: Message): Promise<unknown>;
  load(): Promise<unknown[]>;
  erase(): Promise<unknown>;
}

interface Adapter<Message> {
  open(id: string, owner?: { user_id?: string }): Chat<Message>;
  /** A user's message. One without a text has no id, if the framework allows it. */
  message(text: string, image?: string): Message;
  /** The fields that must be returned equal. All by default. */
  seen?(message: Message): unknown;
}

const types = (text: string, textType: string, image: object | undefined) => [
  ...(text === "" ? [] : [{ type: textType, text }]),
  ...(image === undefined ? [] : [image]),
];
const idFor = (text: string) => (text === "" ? undefined : randomUUID());

const chats: Adapter<UIMessage> = {
  open: (id, owner) => ({
    add: async (message) => saveChat(client, id, [...(await loadChat(client, id, owner)), message], owner),
    load: () => loadChat(client, id, owner),
    erase: () => saveChat(client, id, [], owner),
  }),
  message: (text, url) => ({
    ...{ id: idFor(text) ?? "", role: "user" },
    parts: types(text, "text", url ? { type: "file", mediaType: "image/png", url } : undefined) as never,
  }),
};

const sessions: Adapter<AgentInputItem> = {
  open: (id, owner) => {
    const session = new EngramSession(client, id, owner);
    return {
      add: (item) => session.addItems([item]),
      load: () => session.getItems(),
      erase: () => session.clearSession(),
    };
  },
  message: (text, image) =>
    text === "" && image !== undefined
      ? {
          type: "computer_call_result",
          callId: "call_1",
          output: { type: "computer_screenshot", data: image },
        }
      : {
          role: "user",
          content: types(text, "input_text", image ? { type: "input_image", image } : undefined) as never,
        },
};

const histories: Adapter<BaseMessage> = {
  open: (id, owner) => {
    const history = new EngramChatMessageHistory(client, id, owner);
    return {
      add: (message) => history.addMessages([message]),
      load: () => history.getMessages(),
      erase: () => history.clear(),
    };
  },
  message: (text, url) =>
    new HumanMessage({
      id: idFor(text),
      content: types(text, "text", url ? { type: "image_url", image_url: { url } } : undefined) as never,
    }),
  seen: ({ id, type, content }) => ({ id, type, content }),
};

const transcripts: Adapter<{ type: string }> = {
  open: (id, owner) => {
    const store = new EngramSessionStore(client, owner);
    const key = { projectKey: "-home", sessionId: id };
    return {
      add: (entry) => store.append(key, [entry]),
      load: async () => (await store.load(key)) ?? [],
      erase: () => store.delete(key),
    };
  },
  message: (text, data) => {
    const image = data ? { type: "image", source: { type: "base64", data } } : undefined;
    return {
      ...{ type: "user", uuid: idFor(text), message: { role: "user", content: types(text, "text", image) } },
    };
  },
};

const threads: Adapter<MastraDBMessage> = {
  open: (threadId) => {
    const storage = new EngramMemoryStorage(client);
    return {
      add: (message) =>
        storage.saveMessages({ messages: [Object.assign(message, { threadId, resourceId: threadId })] }),
      load: async () => (await storage.listMessages({ threadId })).messages,
      erase: () => storage.deleteThread({ threadId }),
    };
  },
  message: (text, data) => ({
    ...{ id: randomUUID(), role: "user", createdAt: new Date(0) },
    content: {
      format: 2,
      parts: types(text, "text", data ? { type: "file", mimeType: "image/png", data } : undefined) as never,
    },
  }),
};

const BY_OWNER = [
  ["saveChat", chats],
  ["EngramSession", sessions],
  ["EngramChatMessageHistory", histories],
  ["EngramSessionStore", transcripts],
] as [string, Adapter<never>][];

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const seenBy = ({ seen = (message) => message }: Adapter<never>, messages: unknown[]) =>
  messages.map((message) => asJson(seen(message as never)));

/** An image of this many bytes as a data URL. */
const imageOf = (bytes: number) =>
  `data:image/png;base64,${Buffer.alloc(bytes, randomUUID()).toString("base64")}`;

describe.for([...BY_OWNER, ["EngramMemoryStorage", threads as Adapter<never>] as const])(
  "%s",
  ([, adapter]) => {
    test.for(sample([700_000, 3_000_000, 10_000_000], 1))(
      "stores images of %i bytes, returns them equal, and stores later messages",
      async (bytes) => {
        const [user_id, image] = [randomUUID(), imageOf(bytes)];
        const chat = adapter.open(user_id, { user_id });
        const { message } = adapter;
        const messages = [
          message("Look."),
          message("A kettle", image),
          message("", image),
          message("Which one?"),
        ];
        for (const each of messages) await chat.add(each);
        const loaded = seenBy(adapter, await chat.load());
        expect(loaded.length).toBe(4);
        // Not `toEqual` of everything: a failure would print megabytes.
        for (const [i, each] of seenBy(adapter, messages).entries())
          expect(isDeepStrictEqual(loaded[i], each), `message ${i}`).toBe(true);
        // The message is found by its text, and its neighbors in the search result have no text.
        const [conversation] = (await client.conversations.list({ user_id }).page()).items;
        const rows = await client.messages.list(conversation?.id ?? "").toArray({ max: Infinity });
        const texts = rows.map(({ content }) => content).filter((content) => content !== "");
        expect(texts).toEqual(["Look.", "A kettle", "Which one?"]);
      },
    );
  },
);

describe.for(BY_OWNER)("%s", ([, adapter]) => {
  test("neither reads nor changes another user's conversation with the same id", async () => {
    const id = randomUUID();
    const kim = adapter.open(id, { user_id: "kim" });
    const [secret, greeting] = [adapter.message("It's a secret."), adapter.message("Hi")];
    await kim.add(secret);
    for (const owner of [{ user_id: "lou" }, {}]) {
      const chat = adapter.open(id, owner);
      expect(await chat.load()).toEqual([]);
      await chat.add(greeting);
      expect(seenBy(adapter, await chat.load())).toEqual(seenBy(adapter, [greeting]));
      await chat.erase();
      expect(await chat.load()).toEqual([]);
    }
    expect(seenBy(adapter, await kim.load())).toEqual(seenBy(adapter, [secret]));
  });
});
