import { createHash } from "node:crypto";
import { BODY_BYTES_MAX, WRITE_BYTES_MAX } from "@engram/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServiceProcess, startServiceProcess } from "../../../proof/support/service-process.ts";
import { words } from "../../../proof/trials/src/support/neighbour/extremes.ts";

/** Of the 128 MB that Cloudflare gives an isolate. The rest is for memory outside of V8's heap, such as buffers. */
const HEAP_MB = 80;
const REQUEST_TIMEOUT_MS = 240_000;
const START_TIMEOUT_MS = 240_000;
const LINES = 1_000;
const LONG_AGO = "2020-01-01T00:00:00.000Z";
const MEMORY = { kind: "note", tags: ["a", "b"], summary: "Zoe", metadata: { ticket: "T-1" } };
/** The maximum number of fields in a body. */
const METADATA = Object.fromEntries(Array.from({ length: 45 }, (_, i) => [`k${i}`, i]));

let service: ServiceProcess;
const crashes: string[] = [];

async function ask(path: string, body?: string, type = "application/json") {
  const response = await fetch(`${service.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": type },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const createConversation = async () => String((await ask("/v1/conversations", "{}")).body.id);
const append = (id: string, body: string) => ask(`/v1/conversations/${id}/messages`, body);

/** Items that together have the maximum size of a write, of new words, which take the most memory. */
function itemsOf<Rest extends object>(count: number, rest: Rest, reservedBytes = 0) {
  const room = Math.floor(WRITE_BYTES_MAX / count) - Buffer.byteLength(JSON.stringify(rest)) - reservedBytes;
  return Array.from({ length: count }, () => ({ content: words(room), ...rest }));
}

/** The same JSON with escaped letters, at the maximum size of a body. */
function escaped(json: string): string {
  let room = BODY_BYTES_MAX - Buffer.byteLength(json);
  return json.replace(/[a-z0-9]+(?= )/g, (word) => {
    if (room < 5 * word.length) return word;
    room -= 5 * word.length;
    return word.replace(/./g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
  });
}

const idOf = (prefix: string) =>
  `${prefix}_${createHash("sha256").update(words(40)).digest("hex").slice(0, 20)}`;

/** An import of one conversation with all its messages, almost at the maximum size of a body. */
function linesOf(count: number, metadata: object = {}): string {
  const id = idOf("conv");
  const own = { metadata, created_at: LONG_AGO, updated_at: null, external_id: null };
  const conversation = {
    ...{ type: "conversation", id, title: null, agent_id: null, user_id: null, tags: [] },
    ...{ ...own, metadata: {}, updated_at: LONG_AGO, message_count: 0, last_sequence: 0 },
  };
  const overhead = 500 + JSON.stringify(metadata).length;
  const room = Math.min(990_000, Math.floor(BODY_BYTES_MAX / count) - overhead);
  const messages = Array.from({ length: count }, (_, i) => ({
    ...{ type: "message", id: idOf("msg"), conversation_id: id, sequence: i + 1, role: "user" },
    ...{ content: words(room), name: null, tool_call_id: null, tool_name: null, parts: null },
    ...{ ...own, external_digest: null, stored_at: LONG_AGO },
  }));
  return [conversation, ...messages].map((line) => JSON.stringify(line)).join("\n");
}

// In sequence and without pauses, so that earlier messages are still being indexed.
describe(`with a heap of ${HEAP_MB} MB per isolate, the service can process`, () => {
  beforeAll(async () => {
    const flags = `--max-semi-space-size=1 --max-old-space-size=${HEAP_MB}`;
    const onLine = (line: string) => {
      if (/crashed|received signal/i.test(line)) crashes.push(line);
    };
    service = await startServiceProcess({}, { env: { MINIFLARE_WORKERD_V8_FLAGS: flags }, onLine });
  }, START_TIMEOUT_MS);
  afterAll(() => service.stop());

  test.for<[string, () => string]>([
    ["a thousand messages", () => JSON.stringify({ messages: itemsOf(1_000, { role: "user" }) })],
    ["three messages", () => JSON.stringify({ messages: itemsOf(3, { role: "user" }) })],
    ["escapes, 8 MiB", () => escaped(JSON.stringify({ messages: itemsOf(1_000, { role: "user" }) }))],
    ["long escapes, 8 MiB", () => escaped(JSON.stringify({ messages: itemsOf(3, { role: "user" }) }))],
    ["many fields", () => JSON.stringify({ messages: itemsOf(1_000, { role: "user", metadata: METADATA }) })],
  ])("the largest append of %s", { timeout: REQUEST_TIMEOUT_MS }, async ([, make]) => {
    const body = make();
    const sent = (JSON.parse(body) as { messages: unknown[] }).messages.length;
    const { status, body: answer } = await append(await createConversation(), body);
    expect([status, answer.last_sequence]).toEqual([201, sent]);
  });

  test("an append of 8 MiB that is rejected as too large", { timeout: REQUEST_TIMEOUT_MS }, async () => {
    const messages = Array.from({ length: 8 }, () => ({ role: "user", content: words(990_000) }));
    const { status, body } = await append(await createConversation(), JSON.stringify({ messages }));
    expect([status, body.code]).toEqual([413, "payload_too_large"]);
  });

  test.for<[string, () => string]>([
    ["a thousand memories", () => JSON.stringify({ memories: itemsOf(1_000, MEMORY) })],
    ["three memories", () => JSON.stringify({ memories: itemsOf(3, MEMORY) })],
    ["escapes, 8 MiB", () => escaped(JSON.stringify({ memories: itemsOf(1_000, MEMORY) }))],
  ])("the largest bulk capture of %s", { timeout: REQUEST_TIMEOUT_MS }, async ([, make]) => {
    const body = make();
    const sent = (JSON.parse(body) as { memories: unknown[] }).memories.length;
    const { status, body: answer } = await ask("/v1/memories/bulk", body);
    expect([
      status,
      (answer.items as { created: boolean }[]).filter(({ created }) => created).length,
    ]).toEqual([200, sent]);
  });

  test.for<[string, () => string]>([
    ["as many lines as possible", () => linesOf(LINES - 1)],
    ["eight lines", () => linesOf(8)],
    ["as many fields as possible", () => linesOf(LINES - 1, METADATA)],
  ])("an import of 8 MiB with %s", { timeout: REQUEST_TIMEOUT_MS }, async ([, make]) => {
    const lines = make();
    expect(Buffer.byteLength(lines)).toBeGreaterThan(0.9 * BODY_BYTES_MAX);
    const { status, body } = await ask("/v1/imports/lines", lines, "application/x-ndjson");
    const messages = lines.split("\n").length - 1;
    expect([status, body.problems, body.messages]).toMatchObject([200, [], { created: messages }]);
  });

  test.for([1_000, 3])(
    "the largest replacement and fork of %i messages",
    { timeout: REQUEST_TIMEOUT_MS },
    async (count) => {
      const id = await createConversation();
      // A fork counts ids and other fields of each message too.
      const make = () => itemsOf(count, { role: "user" }, 400);
      expect((await append(id, JSON.stringify({ messages: make() }))).status).toBe(201);
      const replacement = { expected_last_sequence: count, from_sequence: 1, messages: make() };
      const replaced = await ask(`/v1/conversations/${id}/messages/replace`, JSON.stringify(replacement));
      expect([replaced.status, replaced.body.last_sequence]).toEqual([200, 2 * count]);
      const forked = await ask(`/v1/conversations/${id}/fork`, "{}");
      expect([forked.status, forked.body.message_count]).toEqual([201, count]);
    },
  );

  test("a search, and has not crashed", { timeout: REQUEST_TIMEOUT_MS }, async () => {
    const found = await ask("/v1/search", JSON.stringify({ query: words(100), limit: 50 }));
    expect([found.status, (await ask("/ready")).status, crashes]).toEqual([200, 200, []]);
  });
});
