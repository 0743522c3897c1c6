import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sample } from "../../../proof/support/scale.ts";
import { type Caller, operator, seedConversation } from "../support/client.ts";
import { readProblem } from "../support/contract.ts";
import { env } from "../support/env.ts";
import { ABSENT, type Ids, type RequestParts, requestFor } from "../support/requests.ts";
import { createWorld, fetchWith, operations, scopesOf } from "../support/worlds.ts";

const MIB = 1_048_576;
const withBody = operations.filter(
  ([, contract]) => "application/json" in (contract.request?.body?.content ?? {}),
);

let caller: Caller & { organizationId: string };
let ids: Ids;
beforeAll(async () => {
  ({ caller, ids } = await createWorld());
});

const callerFor = (contract: RouteConfig): Caller => (scopesOf(contract) === null ? operator : caller);
const requestOf = (name: string): RequestParts & { body: Record<string, unknown> } => {
  const parts = requestFor(name, ids);
  return { ...parts, body: { ...(parts.body as object), ...EVERYTHING[name] } };
};

/** Fields whose value null counts as absent, as a read gives it. */
const NULL_MEANS_NONE = [
  "email",
  "agent_id",
  "expires_at",
  "every_days",
  "expires_in_days",
  "external_id",
  "keep_days",
  "outcome",
  "summary",
  "title",
  "types",
  "user_id",
];

/** Optional fields of a body. */
const metadata = { text: "x", number: 1, nested: { list: ["x", 1] } };
const message = {
  role: "user",
  content: "text",
  name: "Maria",
  tool_call_id: "call",
  tool_name: "tool",
  metadata,
  parts: [{ type: "text", text: "x", at: 1 }],
  external_id: "m-1",
  created_at: "2026-01-01T00:00:00Z",
};
const EVERYTHING: Record<string, Record<string, unknown>> = {
  createKey: { agent_id: "bot", expires_at: "2026-01-01T00:00:00Z" },
  rotateKey: { expires_at: "2026-01-01T00:00:00Z" },
  createHold: { filter: { user_id: "x", tags_any: ["x"], tags_all: ["x"] } },
  createArchive: { expires_in_days: 7 },
  setArchiveSchedule: { every_days: 7, keep_days: 30 },
  createMember: { email: "maria@example.com", agent_id: "bot" },
  updateMember: { name: "x", role: "reader", email: "maria@example.com" },
  createRetentionRule: { by: "created_at", filter: {}, dry_run: true },
  updateRetentionRule: { name: "x", older_than_days: 1 },
  createWebhook: { types: ["memory.created"], after: 1 },
  updateWebhook: { url: "https://hooks.example.com/", types: ["memory.created"], after: 1 },
  createConversation: {
    expires_at: "2026-01-01T00:00:00Z",
    external_id: "x",
    title: "x",
    agent_id: "x",
    user_id: "x",
    tags: ["x"],
    metadata,
  },
  updateConversation: { title: "x", tags: ["x"], metadata },
  appendMessages: { messages: [message], wait: "indexed" },
  updateMessage: { content: "x", metadata },
  replaceMessages: { messages: [message], wait: "indexed" },
  search: { agent_id: "x", user_id: "x", tags_any: ["x"], tags_all: ["x"], roles: ["user"], max_tokens: 9 },
};

/** Everything that a write could have stored: rows, counters, terms. */
async function snapshot(): Promise<unknown> {
  const results = await env.DB.batch(
    [
      "SELECT * FROM organization_counters ORDER BY organization_id",
      "SELECT * FROM conversations ORDER BY row_key",
      "SELECT row_key, id, content, metadata, term_count, updated_at_ms FROM messages ORDER BY row_key",
      "SELECT term, doc, count(*) FROM message_postings GROUP BY term, doc ORDER BY term, doc",
      "SELECT count(*) FROM organizations",
      "SELECT id, name, role, email, revoked_at_ms, expires_at_ms FROM api_keys ORDER BY id",
      "SELECT count(*) FROM message_entities",
      "SELECT count(*) FROM operations",
      "SELECT count(*) FROM idempotency_keys",
      "SELECT count(*) FROM index_jobs",
      "SELECT count(*) FROM vector_deletions",
      "SELECT * FROM webhooks ORDER BY id",
      "SELECT * FROM webhook_deliveries ORDER BY webhook_id, sequence",
    ].map((sql) => env.DB.prepare(sql)),
  );
  return results.map(({ results: rows }) => rows);
}

/** Fails if an operation returns a code other than `code`, or stores anything. */
async function expectRefusal(
  contract: RouteConfig,
  parts: RequestParts,
  code: string,
  hint = "",
): Promise<void> {
  const problem = await callerFor(contract).fail(contract, parts);
  expect(problem, `${contract.operationId} ${hint}`).toMatchObject({ code });
}

const NOT_JSON: [hint: string, rawBody: BodyInit][] = [
  ["nothing", ""],
  ["a space", " "],
  ["a truncated body", '{"name": "x"'],
  ["two bodies", "{}{}"],
  ["JavaScript", "{name: 'x'}"],
  ["a trailing comma", '{"a": 1,}'],
  ["NaN", '{"a": NaN}'],
  ["a line break in a string", '{"a": "\n"}'],
  ["10,000 levels of arrays", `{"a": ${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
  ["10,000 levels of objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
  ["65 levels", `{"a": ${"[".repeat(64)}${"]".repeat(64)}}`],
  ["invalid UTF-8", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
  ["a lone surrogate as UTF-8", Uint8Array.of(0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d)],
  ["an overlong NUL", Uint8Array.of(0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d)],
  ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0)],
];

/** Operations that are sent more than 8 MiB, in several ways. One middleware refuses that for all of them. */
const SENT_LARGE = new Set(sample(withBody, 6).map(([name]) => name));

describe.for(withBody)("the operation %s", ([name, contract]) => {
  let before: unknown;
  beforeEach(async () => {
    before = await snapshot();
    return async () => expect(await snapshot()).toEqual(before);
  });
  const refused = (parts: RequestParts, code: string, hint?: string) =>
    expectRefusal(contract, { ...requestFor(name, ids), body: undefined, ...parts }, code, hint);

  test("rejects an unknown field, and names it", async () => {
    const body = { ...requestOf(name).body, surprise: 1 };
    const problem = await callerFor(contract).fail(contract, { ...requestOf(name), body });
    expect(problem).toMatchObject({ code: "validation_failed", errors: [{ path: "surprise" }] });
  });

  test("rejects a value of the wrong type in every field, and names the field", async () => {
    const { body } = requestOf(name);
    for (const field of Object.keys(body)) {
      for (const wrong of [null, true, 1.5, "\u0001", [[]], {}]) {
        if (wrong === "\u0001" && ["content", "query", "summary", "title"].includes(field)) continue; // text like any other
        if (wrong === null && NULL_MEANS_NONE.includes(field)) continue;
        if (JSON.stringify(wrong) === "{}" && ["metadata", "value", "state"].includes(field)) continue; // any object
        const isEmptyFilter = field === "filter" && JSON.stringify(wrong) === "{}";
        if (isEmptyFilter && /^createHold$|RetentionRule$/.test(name)) continue; // all
        if (wrong === true && ["enabled", "dry_run"].includes(field)) continue; // the right type
        if (wrong === "\u0001" && field === "conversation_id") continue; // an id that names nothing
        const parts = { ...requestOf(name), body: { ...body, [field]: wrong } };
        const problem = await callerFor(contract).fail(contract, parts);
        expect(problem.code, `${field}: ${JSON.stringify(wrong)}`).toBe("validation_failed");
        expect(problem.errors?.every(({ path }) => path === field || path.startsWith(`${field}.`))).toBe(
          true,
        );
      }
    }
  });

  test("rejects a body that is not valid JSON", async () => {
    for (const [hint, rawBody] of NOT_JSON) await refused({ rawBody }, "invalid_json", hint);
  });

  test("rejects JSON that is not an object", async () => {
    for (const rawBody of ["null", "[]", '"{}"', "1", "true", "[{}]"]) {
      await refused({ rawBody }, "validation_failed", rawBody);
    }
  });

  test("rejects lone surrogates and numbers that cannot be stored exactly, in any field", async () => {
    const { body } = requestOf(name);
    const json = JSON.stringify(body);
    const places = [...json.matchAll(/"(?:[^"\\]|\\.)*"|\d+/g)];
    const TEXTS = ['"\\ud800"', '"\\udc00x"', '"x\\ud83d"', '"\\ude00\\ud83d"'];
    const NUMBERS = [
      "9007199254740993",
      "-9007199254740992",
      "1e400",
      "1e-400",
      "0.10000000000000000555",
      "1.00000000000000000001",
    ];
    for (const { 0: found, index } of places) {
      for (const bad of found.startsWith('"') ? TEXTS.slice(0, 1) : ["1e400", ...TEXTS.slice(1, 2)]) {
        const rawBody = json.slice(0, index) + bad + json.slice(index + found.length);
        await refused({ rawBody }, "invalid_json", rawBody);
      }
      if (json[index + found.length] === ":") {
        const rawBody = `${json.slice(0, index)}"__proto__"${json.slice(index + found.length)}`;
        await refused({ rawBody }, "invalid_json", rawBody);
      }
    }
    for (const bad of [...TEXTS, ...NUMBERS, '{"__proto__": 1}'])
      await refused({ rawBody: `{"a": ${bad}}` }, "invalid_json", bad);
  });

  test("rejects a body whose content type is not plain JSON", async () => {
    const { body } = requestOf(name);
    for (const type of [
      "",
      "text/plain",
      "text/json",
      "application/jsonx",
      "application/json;",
      "application/json, text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
    ]) {
      await refused({ body, headers: { "content-type": type } }, "unsupported_media_type", type);
    }
    await refused({ body, headers: { "content-encoding": "gzip" } }, "unsupported_media_type");
  });

  test.for(SENT_LARGE.has(name) ? [8 * MIB + 1] : [])(
    "rejects a body of %i bytes, whatever its Content-Length says",
    async (size) => {
      const bytes = new Uint8Array(size).fill(0x20);
      await refused({ rawBody: bytes }, "payload_too_large");
      const stream = () =>
        new ReadableStream({
          pull: (controller) => controller.enqueue(bytes.subarray(0, MIB)), // for ever
        });
      const authorization = `Bearer ${callerFor(contract).secret}`;
      for (const length of [undefined, "5", "-1", "x"]) {
        const headers = { authorization, ...(length === undefined ? {} : { "content-length": length }) };
        const response = await fetchWith({}, contract, { ...requestOf(name), rawBody: stream(), headers });
        expect(await readProblem(contract, response), length).toMatchObject({ code: "payload_too_large" });
      }
      const headers = { authorization, "content-length": String(size) };
      const response = await fetchWith({}, contract, { ...requestOf(name), headers });
      const detail = "A body may have at most 8,388,608 bytes. Send several requests.";
      expect(await readProblem(contract, response)).toMatchObject({ code: "payload_too_large", detail });
    },
  );
});

describe("an unknown field", () => {
  test("is listed with the first 100 of a body that has 49,990, without time for the others", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 49_990 }, (_, i) => [`field${i}`, i]));
    const messages = [{ role: "user", content: "Hi", ...unknown }];
    const params = { conversation_id: ABSENT.conversation_id };
    const problem = await caller.fail(contracts.appendMessages, { params, body: { messages } });
    expect(problem).toMatchObject({ code: "validation_failed" });
    expect(problem.errors?.map(({ path }) => path)).toEqual(
      Array.from({ length: contracts.PROBLEM_ERRORS_MAX }, (_, i) => `messages.0.field${i}`),
    );
  });

  test.for<[string, string, RequestParts, { path: string; message: string }[]]>([
    [
      "in camel case",
      "createConversation",
      { body: { userId: "u", agentId: "a", externalId: "e" } },
      [
        { path: "userId", message: "Unknown field. Did you mean `user_id`?" },
        { path: "agentId", message: "Unknown field. Did you mean `agent_id`?" },
        { path: "externalId", message: "Unknown field. Did you mean `external_id`?" },
      ],
    ],
    [
      "in an item of a list",
      "appendMessages",
      { body: { messages: [{ role: "user", content: "Hi", toolCallId: "t", contents: "Hi" }] } },
      [
        { path: "messages.0.toolCallId", message: "Unknown field. Did you mean `tool_call_id`?" },
        { path: "messages.0.contents", message: "Unknown field. Did you mean `content`?" },
      ],
    ],
    [
      "in a query",
      "listConversations",
      { query: { userid: "u", "tags-any": "a" } },
      [
        { path: "userid", message: "Unknown field. Did you mean `user_id`?" },
        { path: "tags-any", message: "Unknown field. Did you mean `tags_any`?" },
      ],
    ],
    [
      "that resembles none",
      "search",
      { body: { query: "x", color: "red", i: 1, ["q".repeat(9_000)]: 1 } },
      ["color", "i", "q".repeat(9_000)].map((path) => ({ path, message: "Unknown field." })),
    ],
  ])("%s is refused with the name that may be meant", async ([, name, parts, errors]) => {
    const [, contract] = operations.find(([operation]) => operation === name) ?? [];
    if (contract === undefined) throw new Error(`no operation ${name}`);
    const problem = await caller.fail(contract, { ...requestFor(name, ids), ...parts });
    expect(problem).toMatchObject({ code: "validation_failed", errors });
    expect(problem.detail).toBe(`\`${errors[0]?.path}\`: ${errors[0]?.message}`);
  });
});

describe("a rejected write stores nothing", () => {
  const append = (...messages: unknown[]) => ({ params: { ...ids }, body: { messages } });
  const say = (content: string, more = {}) => ({ role: "user", content, ...more });
  const bytes = (count: number) => "é".repeat(count / 2) + "x".repeat(count % 2);

  test.for<[title: string, code: string, contract: RouteConfig, parts: () => RequestParts]>([
    ["no messages", "validation_failed", contracts.appendMessages, () => append()],
    [
      "1,001 messages",
      "validation_failed",
      contracts.appendMessages,
      () => append(...Array(1_001).fill(say("x"))),
    ],
    [
      "999 good messages and a bad one",
      "validation_failed",
      contracts.appendMessages,
      () => append(...Array(999).fill(say("x")), { role: "robot", content: "x" }),
    ],
    [
      "1,000,001 bytes of content",
      "validation_failed",
      contracts.appendMessages,
      () => append(say("x"), say(bytes(1_000_001))),
    ],
    [
      "1,000,001 bytes of new content",
      "validation_failed",
      contracts.updateMessage,
      () => ({ params: { ...ids }, body: { content: bytes(1_000_001) } }),
    ],
    [
      "16,385 bytes of metadata",
      "validation_failed",
      contracts.updateMessage,
      () => ({ params: { ...ids }, body: { content: "x", metadata: { a: "x".repeat(16_377) } } }),
    ],
    [
      "an external id with different content",
      "external_id_conflict",
      contracts.appendMessages,
      () => append(say("new"), say("other", { external_id: "taken" })),
    ],
    [
      "two messages with the same external id",
      "external_id_conflict",
      contracts.appendMessages,
      () => append(say("a", { external_id: "m" }), say("b", { external_id: "m" })),
    ],
    [
      "a replacement that conflicts after its deletions",
      "external_id_conflict",
      contracts.replaceMessages,
      () => ({
        params: { ...ids },
        body: {
          expected_last_sequence: 3,
          from_sequence: 2,
          messages: [say("new"), say("other", { external_id: "taken" })],
        },
      }),
    ],
    [
      "a replacement that expects another last sequence",
      "sequence_conflict",
      contracts.replaceMessages,
      () => ({
        params: { ...ids },
        body: { expected_last_sequence: 1, from_sequence: 1, messages: [say("x")] },
      }),
    ],
    [
      "an update of another version",
      "precondition_failed",
      contracts.updateConversation,
      () => ({ params: { ...ids }, body: { title: "x" }, headers: { "if-match": '"9999"' } }),
    ],
    [
      "a deletion of another version",
      "precondition_failed",
      contracts.deleteConversation,
      () => ({ params: { ...ids }, headers: { "if-match": "nonsense" } }),
    ],
  ])("of a request with %s: %s", async ([, code, contract, parts]) => {
    const world = ids;
    const conversation_id = await seedConversation(caller, [
      say("taken", { external_id: "taken" }),
      "two",
      "three",
    ]);
    const { items } = await caller.call(contracts.listMessages, { params: { conversation_id } });
    ids = { ...world, conversation_id, message_id: items[0]?.id ?? "" };
    const before = await snapshot();
    await expectRefusal(contract, parts(), code);
    expect(await snapshot()).toEqual(before);
    ids = world;
  });
});

test("a body of exactly 8 MiB and a content of exactly 1,000,000 bytes are accepted", async () => {
  const conversation_id = await seedConversation(caller);
  const content = "é".repeat(500_000);
  const json = JSON.stringify({ messages: [{ role: "user", content }] });
  const padding = " ".repeat(8 * MIB - new TextEncoder().encode(json).byteLength);
  const parts = { params: { conversation_id }, rawBody: json + padding };
  const { message_ids } = await caller.call(contracts.appendMessages, parts);
  const params = { conversation_id, message_id: message_ids[0] ?? "" };
  expect((await caller.call(contracts.getMessage, { params })).content === content).toBe(true);
});

test.for(["2026-11-24", "2026-11-24T00:00:00", "yesterday"])(
  "an invalid time gets one error, which says that it needs a time zone: %s",
  async (time) => {
    const { errors } = await caller.fail(contracts.search, { body: { query: "tea", created_after: time } });
    expect(errors).toEqual([
      {
        path: "created_after",
        message: "must be a time with a time zone, such as `2026-11-02T09:30:00Z`",
      },
    ]);
  },
);
