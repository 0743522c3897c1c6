import * as contracts from "@engram/spec";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { sample, scale } from "../../../proof/support/scale.ts";
import { anyObject, anyText } from "../support/arbitrary.ts";
import { type Caller, callerOf, createOrganization, seedConversation } from "../support/client.ts";
import { anyItem } from "../support/document.ts";
import { env } from "../support/env.ts";
import { fetchWith } from "../support/worlds.ts";

const CONTENT_BYTES_MAX = 1_000_000;
/** D1's limit for one value. The local database has a higher one. */
const D1_STRING_BYTES_MAX = 2_000_000;

let caller: Caller;
beforeAll(async () => {
  caller = await createOrganization();
});

type Said = Record<string, unknown> & { content: string };
const AT = "2026-11-02T09:30:00.000Z";
const FIELDS = Object.keys(contracts.NewMessage.shape);
/** The fields of a message that must be returned unchanged, with the keys of objects in order. */
const said = (message: Said) =>
  JSON.stringify(FIELDS.map((name) => message[name] ?? (name === "metadata" ? {} : null)));

/** Stores messages, and their texts as memories, and reads them in every way. Fails if one is not unchanged. */
async function expectVerbatim(
  sent: Said[],
  conversation: { title: string; metadata: Record<string, unknown> },
) {
  const conversation_id = await seedConversation(caller, [], conversation);
  const params = { conversation_id };
  const marker = `walrus${conversation_id.slice(5)}`;
  const messages = [...sent, { role: "user", content: marker }].map(
    (one): Said => ({ created_at: AT, ...one }),
  );
  const { message_ids } = await caller.call(contracts.appendMessages, { params, body: { messages } });

  const listed = await caller.call(contracts.listMessages, { params });
  expect(listed.items.map(said)).toEqual(messages.map(said));
  const whole = await caller.call(contracts.getConversation, { params });
  expect([whole.title, JSON.stringify(whole.metadata)]).toEqual([
    conversation.title,
    JSON.stringify(conversation.metadata),
  ]);
  expect(whole.messages.items).toEqual(listed.items);
  const single = { params: { ...params, message_id: message_ids[0] ?? "" } };
  expect(await caller.call(contracts.getMessage, single)).toEqual(listed.items[0]);
  const body = { query: marker, mode: "keyword", conversation_id, neighbors: { before: 20, after: 0 } };
  const { results } = await caller.call(contracts.search, { body });
  expect(results[0]?.messages).toEqual(listed.items.slice(-21));
  // With tags and a summary, so that there is nothing to enrich.
  const notes = sent.map(({ content, metadata, parts }, i) => ({
    content: `${marker} ${i} ${content}`,
    ...{ metadata, parts, tags: [], summary: "" },
  }));
  const { items } = await caller.call(contracts.createMemories, { body: { memories: notes } });
  for (const [i, { id }] of items.entries()) {
    const note = await caller.call(contracts.getMemory, { params: { memory_id: id ?? "" } });
    const [shown, given] = [note, notes[i]].map((one) => [
      one?.content,
      one?.metadata ?? {},
      one?.parts ?? null,
    ]);
    expect(JSON.stringify(shown)).toBe(JSON.stringify(given));
  }
}

describe("an item that is sent back as it was read", () => {
  type Fields = Record<string, unknown>;
  /** The fields of an item that a schema has, such as those of a new one. */
  const fieldsOf = (item: Fields, { shape }: { shape: object }) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => name in shape));
  const bodyOf = ({
    request,
  }: {
    request: { body: { content: { "application/json": { schema: object } } } };
  }) => request.body.content["application/json"].schema as { shape: object };
  const nullsOf = (item: Fields) => Object.keys(item).filter((name) => item[name] === null);

  test("is created again with nothing in place of each null: a conversation, messages, memories, a key", async () => {
    const owner = await createOrganization();
    const create = async (contract: typeof contracts.createConversation, body: object) =>
      owner.call(contract, { body });
    const conversation = await create(contracts.createConversation, {});
    const sent = fieldsOf(conversation, contracts.CreateConversationBody);
    expect(nullsOf(sent)).toEqual(["external_id", "title", "agent_id", "user_id", "expires_at"]);
    const again = await create(contracts.createConversation, sent);
    expect(again.id).not.toBe(conversation.id);
    expect(fieldsOf(again, contracts.CreateConversationBody)).toEqual(sent);

    const params = { conversation_id: again.id };
    const append = (message: Fields) =>
      owner.call(contracts.appendMessages, { params, body: { messages: [message] } });
    await append({ role: "user", content: "hello" });
    const list = async () => (await owner.call(contracts.listMessages, { params })).items;
    const [message] = (await list()).map((item) => fieldsOf(item, contracts.NewMessage));
    expect(nullsOf(message ?? {})).toEqual(
      Object.entries(contracts.NewMessage.shape).flatMap(([name, field]) =>
        field.safeParse(null).success ? [name] : [],
      ),
    );
    await append(message ?? {});
    const replacement = { expected_last_sequence: 2, from_sequence: 2, messages: [message] };
    await owner.call(contracts.replaceMessages, { params, body: replacement });
    expect((await list()).map((item) => fieldsOf(item, contracts.NewMessage))).toEqual([message, message]);
    const fork = await owner.call(contracts.forkConversation, {
      params,
      body: { external_id: null, title: null },
    });
    expect(fork).toMatchObject({ external_id: null, title: null, message_count: 2 });

    const note = await owner.call(contracts.createMemory, { body: { content: "a", tags: [], summary: "s" } });
    const fields = fieldsOf({ ...note, summary: null }, bodyOf(contracts.createMemory));
    expect(nullsOf(fields)).toEqual([
      ...["parts", "source", "agent_id", "user_id", "external_id", "summary"],
      ...["valid_from", "valid_until", "occurred_at", "supersedes", "expires_at"],
    ]);
    const withContent = (text: string) => ({ ...fields, content: text });
    const one = await owner.call(contracts.createMemory, { body: withContent("b") });
    const { items } = await owner.call(contracts.createMemories, { body: { memories: [withContent("c")] } });
    const put = await owner.call(contracts.putMemory, { body: { ...withContent("d"), external_id: "d" } });
    const bulk = await owner.call(contracts.getMemory, { params: { memory_id: items[0]?.id ?? "" } });
    for (const memory of [one, bulk, put]) {
      const { content, external_id } = memory;
      expect(fieldsOf(memory, bodyOf(contracts.createMemory))).toEqual({ ...fields, content, external_id });
    }

    const key = await owner.call(contracts.createKey, { body: { name: "k", scopes: ["read"] } });
    const access = fieldsOf(key, contracts.CreateKeyBody);
    expect(nullsOf(access)).toEqual(["agent_id", "user_id", "expires_at"]);
    expect(await owner.call(contracts.createKey, { body: access })).toMatchObject(access);
  });

  test("is the same message for its external id, with null or without the field", async () => {
    const params = { conversation_id: await seedConversation(caller) };
    const append = (message: Fields) =>
      caller.call(contracts.appendMessages, { params, body: { messages: [message] } });
    const message = { role: "user", content: "hello", external_id: "m-1" };
    const { message_ids } = await append(message);
    expect((await append({ ...message, name: null, parts: null })).existing_ids).toEqual(message_ids);
  });

  test("is not a memory without content and without parts", async () => {
    const problem = await caller.fail(contracts.createMemory, { body: { content: "", parts: null } });
    expect(problem.detail).toContain("must not be empty without `parts`");
  });

  test("clears a field in an update", async () => {
    const params = { conversation_id: await seedConversation(caller, [], { title: "Oysters" }) };
    const cleared = await caller.call(contracts.updateConversation, { params, body: { title: null } });
    expect(cleared.title).toBeNull();
  });
});

const NASTY: [title: string, text: string][] = [
  ["nothing", ""],
  ["a NUL between letters", "a\0b"],
  ["nothing but NULs", "\0\0\0"],
  ["surrounding spaces", "  \t leading and trailing \t  "],
  ["line ends of every kind", "\r\n\n\r\u2028\u2029\u0085\v\f"],
  ["a byte order mark in front", "\ufefftext\ufeff"],
  ["emoji of several code points", "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 👍🏽 1️⃣"],
  ["composed and decomposed letters", "é e\u0301 ÅÅ\u212b ﬁ ½ ①"],
  ["many combining accents", `a${"\u0301\u0316".repeat(200)}`],
  ["direction overrides", "\u202eabc\u202c \u2066x\u2069 \u200f"],
  ["invisible characters", "\u200b\u200c\u200d\u2060\u00ad\u180e\u{e0001}\u{e0061}"],
  ["replacement and noncharacters", "\ufffd\ufffe\uffff\ufdd0\u{1ffff}\u{10ffff}"],
  ["private use", "\ue000\u{f0000}"],
  ["all controls", Array.from({ length: 160 }, (_, i) => String.fromCharCode(i)).join("")],
  ["terminal escapes", "\u001b[2J\u001b]0;title\u0007"],
  ["SQL", "'); DROP TABLE messages; -- ?1 :o"],
  ["markup", "<script>alert(1)</script>&amp;&#0;<!--]]>"],
  ["JSON in a text", '{"a":"\\u0000","__proto__":{}}'],
  ["an escape spelled out", "\\ud800 \\u0000 \\x00 %00 %ff"],
  ["words with a meaning in JavaScript", "null undefined NaN true [object Object]"],
  ["what gzip looks like", "H4sIAAAAAAAAA0tMSgYAwkEkNQMAAAA="],
  ["several scripts", "漢字カナ ｶﾞ ไทย ខ្មែរ العربية עברית हिन्दी Ελληνικά кириллица"],
  ["a surrogate pair at a limit", `${"x".repeat(127)}\u{1f600}`],
  [
    "noise that does not compress",
    Array.from({ length: 500 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join(""),
  ],
];

describe("get, list and search return messages and memories byte for byte", () => {
  test.for(NASTY)("for the content: %s", async ([, text]) => {
    // As a short text it is stored plain, and as a long text compressed.
    const long = text.repeat(1 + Math.ceil(300 / Math.max(1, text.length)));
    const sent = [text, long].map((content) => ({
      role: "user",
      content,
      metadata: { [`key ${text}`]: text, list: [text, [], {}, null, 0.1, -5e-324, 9_007_199_254_740_991] },
      parts: [{ type: "text", text }],
    }));
    await expectVerbatim(sent, { title: text, metadata: { text } });
  });

  test("for any text, metadata and parts", async () => {
    const repeated = fc
      .tuple(anyText, fc.constantFrom(1, 1, 1, 40))
      .map(([text, times]) => text.repeat(times));
    const anyMessage = fc
      .tuple(anyItem("NewMessage", { external_id: undefined }), repeated)
      .map(([message, content]): Said => ({ ...message, content }));
    const conversation = fc.record({ title: anyText, metadata: anyObject });
    await fc.assert(
      fc.asyncProperty(fc.array(anyMessage, { minLength: 1, maxLength: 8 }), conversation, expectVerbatim),
      { numRuns: scale(30, 5) },
    );
  });

  test("after an update, with the content last sent", async () => {
    const conversation_id = await seedConversation(caller, ["first"]);
    const { items } = await caller.call(contracts.listMessages, { params: { conversation_id } });
    const params = { conversation_id, message_id: items[0]?.id ?? "" };
    for (const [, content] of NASTY) {
      const body = { content, metadata: { content } };
      expect(await caller.call(contracts.updateMessage, { params, body })).toMatchObject(body);
      expect(await caller.call(contracts.getMessage, { params })).toMatchObject(body);
    }
  });
});

// The local database accepts any length, so the statements of the Worker are measured instead.
const MILLIONS: [title: string, text: string][] = [
  ["of one-letter words", "a b c d e f g h i j ".repeat(50_000)],
  [
    "of 150,000 different words",
    Array.from({ length: 150_000 }, (_, i) => i.toString(36).padStart(5, "x")).join(" "),
  ],
  ["of Chinese", "漢字試驗文章".repeat(55_555)],
  // With a folding in quadratic time, this would take an hour.
  ["of accents", `a${"\u0301\u0316".repeat(249_999)}`],
  ["of controls", "\u0001".repeat(CONTENT_BYTES_MAX)],
];
test.for(sample(MILLIONS, 1))(
  "a million bytes %s are returned unchanged, and sent to D1 in pieces that it accepts",
  async ([, text]) => {
    let longest = 0;
    const DB = new Proxy(env.DB, {
      get: (target, name) => {
        if (name !== "prepare")
          return typeof target[name as "batch"] === "function"
            ? target[name as "batch"].bind(target)
            : undefined;
        return (sql: string) => {
          const statement = target.prepare(sql);
          const bind = statement.bind.bind(statement);
          statement.bind = (...values: unknown[]) => {
            for (const value of values) {
              if (typeof value === "string")
                longest = Math.max(longest, new TextEncoder().encode(value).byteLength);
            }
            return bind(...values);
          };
          return statement;
        };
      },
    });
    const conversation_id = await seedConversation(caller);
    const content = text.padEnd(
      text.length + CONTENT_BYTES_MAX - new TextEncoder().encode(text).byteLength,
      "z",
    );
    const parts = {
      params: { conversation_id },
      body: { messages: [{ role: "user", content }] },
      headers: { authorization: `Bearer ${caller.secret}` },
    };
    // Not indexed here, because only the write is measured.
    await env.CONTROL.setFault({ ai: "3040" });
    const response = await fetchWith({ DB }, contracts.appendMessages, parts);
    await env.CONTROL.clearFaults();
    expect(response.status).toBe(201);
    expect(longest).toBeGreaterThan(1_000);
    expect(longest).toBeLessThanOrEqual(D1_STRING_BYTES_MAX);
    const { items } = await callerOf(caller.secret).call(contracts.listMessages, {
      params: { conversation_id },
    });
    expect(items[0]?.content === content).toBe(true);
  },
);
