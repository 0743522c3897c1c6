import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  deleteSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  importSessionToStore,
  listSessions,
  listSubagents,
  type SessionStore,
  type SessionStoreEntry,
} from "@anthropic-ai/claude-agent-sdk";
import { Engram } from "@engram/sdk";
import { EngramSessionStore } from "@engram/sdk/claude-agent";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { client } from "./support/client.ts";

const main = () => ({ projectKey: `-home-${randomUUID()}`, sessionId: randomUUID() });
const entry = (text: string, more: object = {}): SessionStoreEntry => ({
  type: "user",
  uuid: randomUUID(),
  timestamp: "2026-11-02T09:30:00.000Z",
  message: { role: "user", content: text },
  ...more,
});

const ENTRIES: SessionStoreEntry[] = [
  { type: "mode", value: "plan" },
  { type: "mode", value: "plan" },
  entry("Why does the test fail? \u0000 😀", {
    parentUuid: null,
    isMeta: false,
    nested: { a: [1, null, { b: [] }] },
  }),
  {
    ...entry(""),
    type: "assistant",
    message: {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "A typo." },
      ],
    },
  },
  entry("", {
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "ok" }] },
  }),
  { type: "summary", summary: "A test was mended", leafUuid: "x" },
];

describe("EngramSessionStore", () => {
  test("stores an entry once however often it is appended, but each entry without a uuid", async () => {
    const [store, key] = [new EngramSessionStore(client), main()];
    await store.append(key, ENTRIES);
    await new EngramSessionStore(client).append(key, ENTRIES.slice(1));
    expect(await store.load(key)).toEqual([...ENTRIES, ENTRIES[1], ENTRIES[5]]);
  });

  test("keeps the order of calls even if an earlier one takes longer", async () => {
    const key = main();
    let waitMs = 400;
    const slowing = new Engram({
      baseUrl: inject("url"),
      apiKey: inject("key"),
      fetch: async (request) => {
        waitMs = Math.max(0, waitMs - 100);
        await sleep(waitMs);
        return fetch(request);
      },
    });
    const [store, entries] = [new EngramSessionStore(slowing), [entry("first"), entry("second")]];
    await Promise.all(entries.map((one) => store.append(key, [one])));
    expect(await store.load(key)).toEqual(entries);
  });

  test("keeps the first of two entries with the same uuid, and all other entries", async () => {
    const [store, key] = [new EngramSessionStore(client), main()];
    const [first, second, third] = [entry("a"), entry("b"), entry("c")];
    await store.append(key, [first]);
    await store.append(key, [{ ...first, changed: true }, second, { ...second, changed: true }, third]);
    expect(await store.load(key)).toEqual([first, second, third]);
  });

  test("stores entries of any size and content", async () => {
    const [store, key] = [new EngramSessionStore(client), main()];
    const picture = { type: "image", source: { type: "base64", data: "iVBORw0KGgo=".repeat(200_000) } };
    const entries = [
      entry("large", { message: { role: "user", content: [{ type: "text", text: "A picture" }, picture] } }),
      entry("torn \ud83d", { deep: ["\udc00\ud800", 2 ** 60, -(2 ** 70)] }),
      entry("😀".repeat(60_001)),
      { type: "blob", value: "x".repeat(250_000) },
      { type: "blob", value: "x".repeat(250_000) },
      entry("last"),
    ];
    await store.append(key, entries.slice(0, 3));
    await store.append(key, entries.slice(3));
    await store.append(key, entries.slice(0, 3));
    expect(await store.load(key)).toEqual(entries);
  });

  test("stores what a user said beside a tool's result as the user's message, once, and loads the same entry", async () => {
    const [key, user_id] = [main(), randomUUID()];
    const result = { type: "tool_result", tool_use_id: "t", content: "red" };
    const mixed = (filling = "") =>
      entry("", {
        message: { role: "user", content: [result, { type: "text", text: "Use teal." }] },
        filling,
      });
    const entries = [mixed(), entry("next"), mixed("x".repeat(550_000))];
    const store = new EngramSessionStore(client, { user_id });
    for (let times = 0; times < 2; times += 1) await store.append(key, entries);
    expect(await store.load(key)).toEqual(entries);
    const { items } = await client.conversations.list({ user_id }).page();
    const messages = await client.messages.list(items[0]?.id ?? "").toArray({ max: 100 });
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ["tool", ""],
      ["user", "Use teal."],
      ["user", "next"],
      ...Array.from({ length: 6 }, () => ["tool", ""]),
      ["user", "Use teal."],
    ]);
  });

  test("is searchable by text, time and the fields that its conversations were created with", async () => {
    const [key, user_id] = [main(), randomUUID()];
    await new EngramSessionStore(client, { user_id }).append(key, ENTRIES);
    const { results } = await client.search({
      query: "Why does the test fail?",
      user_id,
      neighbors: { before: 9, after: 9 },
      created_before: "2026-11-02T10:00:00Z",
    });
    expect(results[0]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ["system", ""],
      ["system", ""],
      ["user", "Why does the test fail? \u0000 😀"],
      ["assistant", "A typo."],
      ["tool", ""],
      ["system", "A test was mended"],
    ]);
  });
});

describe("the session functions of the Claude Agent SDK", () => {
  const sessionId = randomUUID();
  const uuids = [randomUUID(), randomUUID()];
  const line = (i: number, text: string, more: object = {}) => ({
    type: i % 2 === 0 ? "user" : "assistant",
    uuid: uuids[i],
    parentUuid: uuids[i - 1] ?? null,
    sessionId,
    timestamp: `2026-11-02T09:30:0${i}.000Z`,
    isSidechain: false,
    cwd: dir,
    message: { role: i % 2 === 0 ? "user" : "assistant", content: [{ type: "text", text }] },
    ...more,
  });
  let home: string;
  let dir: string;
  const outer = process.env.CLAUDE_CONFIG_DIR;

  beforeAll(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "engram-claude-")));
    dir = join(home, "work");
    process.env.CLAUDE_CONFIG_DIR = join(home, "config");
    const transcript = [line(0, "Why does the test fail?"), line(1, "A typo.")];
    const project = join(home, "config/projects", dir.replaceAll(/[^a-zA-Z0-9]/g, "-"));
    await mkdir(join(project, sessionId, "subagents"), { recursive: true });
    await mkdir(dir);
    const jsonl = (entries: object[]) => entries.map((each) => `${JSON.stringify(each)}\n`).join("");
    await writeFile(join(project, `${sessionId}.jsonl`), jsonl(transcript));
    const agent = transcript.map((each) => ({ ...each, isSidechain: true, agentId: "a1" }));
    await writeFile(join(project, sessionId, "subagents/agent-a1.jsonl"), jsonl(agent));
  });
  afterAll(async () => {
    if (outer === undefined) delete process.env.CLAUDE_CONFIG_DIR;
    else process.env.CLAUDE_CONFIG_DIR = outer;
    await rm(home, { recursive: true, force: true });
  });

  test("import a local session once however often they are called, and read the same from the store", async () => {
    const sessionStore = new EngramSessionStore(client);
    await importSessionToStore(sessionId, sessionStore, { dir });
    await importSessionToStore(sessionId, sessionStore, { dir });
    const told = async (options: { sessionStore?: SessionStore }) => {
      const {
        lastModified: _,
        fileSize: __,
        ...info
      } = (await getSessionInfo(sessionId, { dir, ...options })) ?? {};
      return {
        info,
        listed: (await listSessions({ dir, ...options })).map((session) => session.sessionId),
        messages: await getSessionMessages(sessionId, { dir, ...options }),
        subagents: await listSubagents(sessionId, { dir, ...options }),
        theirs: await getSubagentMessages(sessionId, "a1", { dir, ...options }),
      };
    };
    const ours = await told({ sessionStore });
    expect(ours).toEqual(await told({}));
    expect([ours.messages.length, ours.subagents, ours.theirs.length]).toEqual([2, ["a1"], 2]);

    await deleteSession(sessionId, { dir, sessionStore });
    expect(await getSessionMessages(sessionId, { dir, sessionStore })).toEqual([]);
    expect(await listSessions({ dir, sessionStore })).toEqual([]);
  });
});
