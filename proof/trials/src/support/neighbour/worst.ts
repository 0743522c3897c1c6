import { createHash } from "node:crypto";
import { conversationLine } from "../../../../../service/test/support/requests.ts";
import { words } from "./extremes.ts";

/** A path with its query, and the rest of a request except for the key. */
export type Sent = [path: string, init: RequestInit];

/** A request with the highest cost within the limits, or one that is rejected for its cost. */
export interface Attack {
  name: string;
  /** Called for every request, because storing the same data again costs less. */
  make: () => Sent | Promise<Sent>;
  expected: readonly number[];
  /** The response is not read, and is aborted after a while. */
  unread?: true;
}

export interface Hoard {
  /** A conversation whose messages repeat one word, some with a megabyte. */
  repeated: string;
  /** A conversation of a hundred messages with 16 kB of metadata each. */
  described: string;
  /** A conversation for each text of `UNSPACED`. A memory holds the text, too. */
  unspaced: { name: string; id: string }[];
}

const JSON_TYPE = { "content-type": "application/json" };
const MEGABYTE = 990_000;
const LONG_AGO = "2020-01-01T00:00:00.000Z";

export const REPEATED_WORD = "walrus";
/** The only word of the texts without words. */
export const LONE_WORD = "puffin";

const random = (characters: readonly string[], count: number): string =>
  Array.from({ length: count }, () => characters[Math.floor(Math.random() * characters.length)]).join("");
const lettersFrom = (code: number, count: number, step = 1): string[] =>
  Array.from({ length: count }, (_, i) => String.fromCharCode(code + i * step));

/** Texts without words, whose tokens are most expensive to count. Each has nearly a megabyte. */
export const UNSPACED: { name: string; make: () => string }[] = [
  { name: "rare Chinese characters", make: () => random(lettersFrom(0x4e00, 500, 37), MEGABYTE / 3) },
  { name: "Greek letters", make: () => random(lettersFrom(0x3b1, 24), MEGABYTE / 2) },
  { name: "signs", make: () => random([..."!@#$%^&*()_+-=~<>?|;:'.,"], MEGABYTE) },
  { name: "one long word", make: () => random(lettersFrom(0x61, 26), MEGABYTE) },
];
/** Texts full of what begins a mention, a command or a quotation. */
const MARKS = ['"Aa" ', "$ ", "```\n", "A=", "“May 5 ", "\\\n"];

const send = (path: string, body: string, headers: Record<string, string> = JSON_TYPE): Sent => [
  path,
  { method: "POST", headers, body },
];
const post = (path: string, body: unknown): Sent => send(path, JSON.stringify(body));

const garbage = (characters: number): string => {
  let text = "";
  // Every visible character except those that JSON escapes.
  for (let i = 0; i < characters; i++) {
    const character = String.fromCharCode(33 + Math.floor(Math.random() * 94));
    text += character === '"' || character === "\\" ? "x" : character;
  }
  return text;
};

const idOf = (prefix: string): string =>
  `${prefix}_${createHash("sha256").update(words(40)).digest("hex").slice(0, 20)}`;

const message = (conversationId: string, sequence: number, content: string) => ({
  ...{ type: "message", id: idOf("msg"), conversation_id: conversationId, sequence, role: "user", content },
  ...{ name: null, tool_call_id: null, tool_name: null, metadata: {}, parts: null, external_id: null },
  ...{ external_digest: null, created_at: LONG_AGO, stored_at: LONG_AGO, updated_at: null },
});

const toLines = (lines: unknown[]): Sent =>
  send("/v1/imports/lines", lines.map((line) => JSON.stringify(line)).join("\n"), {
    "content-type": "application/x-ndjson",
  });

/** Conversations with the maximum amount of metadata. */
export const described = (count: number): Sent =>
  toLines(
    Array.from({ length: count }, () =>
      conversationLine({ metadata: { case: "same", note: words(15_900) } }),
    ),
  );

const filterOf = (keys: number) =>
  Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key_${i}`, `value ${i}`]));

/**
 * Requests that no schema limit produces. Each was once a successful attack.
 *
 * @param bytes Size of the stored and indexed text, except for one append of the maximum size.
 */
export function worstRequests(hoard: Hoard, bytes: number): Attack[] {
  const { repeated, described: described_, unspaced } = hoard;
  const half = Math.floor(bytes / 2);
  const search = (body: object) => () => post("/v1/search", { mode: "keyword", limit: 50, ...body });
  const append = (content: () => string) => () =>
    post(`/v1/conversations/${repeated}/messages`, {
      messages: [content(), content()].map((each) => ({ role: "user", content: each })),
    });
  const manyWords = Array.from({ length: 32 }, () => REPEATED_WORD).join(" ");
  const ok = [200, 201, 202];
  return [
    { name: "append of garbage", make: append(() => garbage(MEGABYTE)), expected: [201] },
    { name: "append of new words", make: append(() => words(half)), expected: [201] },
    {
      name: "append of one word",
      make: append(() => `${REPEATED_WORD} `.repeat(half / 7)),
      expected: [201],
    },
    {
      name: "append of identifiers",
      make: append(() =>
        words(MEGABYTE)
          .replaceAll(" ", "_")
          .replace(/(.{40})./g, "$1 "),
      ),
      expected: [201],
    },
    {
      name: "append of a script without blanks",
      make: append(() => "東京で猫が好きです".repeat(half / 27)),
      expected: [201],
    },
    ...MARKS.map((mark) => ({
      name: `append of ${JSON.stringify(mark)}`,
      make: append(() => mark.repeat(Math.min(half, 100_000) / mark.length)),
      expected: [201],
    })),
    {
      name: "capture of many memories",
      make: () =>
        post("/v1/memories/bulk", {
          memories: Array.from({ length: 50 }, () => ({ content: words(bytes / 50) })),
        }),
      expected: [200, 201],
    },
    ...unspaced.flatMap(({ name, id }) =>
      [4_000, 100_000].map((max_tokens) => ({
        name: `context of ${name}, ${max_tokens} tokens`,
        make: () => post("/v1/context", { conversation_id: id, query: LONE_WORD, max_tokens }),
        expected: ok,
      })),
    ),
    {
      name: "search within tokens",
      make: search({ query: LONE_WORD, max_tokens: 100_000 }),
      expected: ok,
    },
    {
      name: "search of memories within tokens",
      make: () => post("/v1/memories/search", { query: LONE_WORD, limit: 50, max_tokens: 50_000 }),
      expected: ok,
    },
    { name: "append of more", make: append(() => words(1_100_000)), expected: [400, 413] },
    {
      name: "memory of lists",
      make: () => post("/v1/memories", { content: `${words(20)}\n${"- a\n  - b\n".repeat(half / 11)}` }),
      expected: [201],
    },
    { name: "search for a repeated word", make: search({ query: REPEATED_WORD }), expected: ok },
    { name: "search for a phrase", make: search({ query: `"${manyWords}"` }), expected: ok },
    {
      name: "search for 16 phrases",
      make: search({ query: Array.from({ length: 16 }, () => `"${manyWords.slice(0, 200)}"`).join(" ") }),
      expected: ok,
    },
    {
      name: "search for a long phrase",
      make: search({ query: `"${`${REPEATED_WORD} `.repeat(1_400)}"`, mode: "hybrid" }),
      expected: ok,
    },
    {
      name: "search for a long phrase by words alone",
      make: search({ query: `"${`${REPEATED_WORD} `.repeat(1_400)}"` }),
      expected: [400],
    },
    {
      name: "search for exclusions",
      make: search({ query: REPEATED_WORD, exclude: Array.from({ length: 16 }, () => "sea ice") }),
      expected: ok,
    },
    {
      name: "search with all neighbours",
      make: search({ query: REPEATED_WORD, neighbors: { before: 20, after: 20 }, explain: true }),
      expected: ok,
    },
    {
      name: "search with a filter",
      make: search({ query: REPEATED_WORD, metadata: filterOf(16) }),
      expected: ok,
    },
    {
      name: "search with a large filter",
      make: search({ query: REPEATED_WORD, metadata: filterOf(1_800) }),
      expected: [400],
    },
    {
      name: "list of conversations by a filter",
      make: () => [
        `/v1/conversations?limit=100&metadata=${encodeURIComponent(JSON.stringify(filterOf(16)))}`,
        {},
      ],
      expected: ok,
    },
    {
      name: "count of conversations by a filter",
      make: () => post("/v1/conversations/delete", { dry_run: true, filter: { metadata: { case: "same" } } }),
      expected: ok,
    },
    {
      name: "page of metadata",
      make: () => [`/v1/conversations/${described_}/messages?limit=1000`, {}],
      expected: ok,
    },
    {
      name: "export that is not read",
      make: () => ["/v1/export", {}],
      expected: ok,
      unread: true,
    },
    {
      name: "import of sparse sequences",
      make: () => {
        const id = idOf("conv");
        return toLines([conversationLine({ id }), message(id, 1, "first"), message(id, 16_777_215, "last")]);
      },
      expected: [200],
    },
    {
      name: "import of many messages",
      make: () => {
        const id = idOf("conv");
        const all = Array.from({ length: 999 }, (_, i) => message(id, i + 1, words(bytes / 1_200)));
        return toLines([conversationLine({ id }), ...all]);
      },
      expected: [200],
    },
    {
      name: "fork of two megabytes",
      make: () => post(`/v1/conversations/${described_}/fork`, {}),
      expected: [201, 413],
    },
    { name: "repair of everything", make: () => post("/v1/index/repair", {}), expected: [202] },
    { name: "enrichment of everything", make: () => post("/v1/memories/enrich", {}), expected: ok },
    {
      name: "body of many values",
      make: () => send("/v1/conversations", `{"metadata":{"a":[${"1,".repeat(49_000)}1]}}`),
      expected: [400, 413],
    },
    ...Object.entries({
      "tool call": { query: manyWords, limit: 50 },
      "tool call for texts without words": { query: LONE_WORD },
    }).map(([name, args]) => ({
      name,
      make: () => {
        const params = { name: "search", arguments: args };
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
        return send("/mcp", body, { ...JSON_TYPE, accept: "application/json, text/event-stream" });
      },
      expected: ok,
    })),
  ];
}
