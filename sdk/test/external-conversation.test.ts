import { describe, expect, test } from "vitest";
import { ExternalConversation } from "../src/adapters/external-conversation.ts";
import type { NewMessage } from "../src/index.ts";
import { clientOf } from "./support/client.ts";

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).byteLength;

/** A service that rejects an append or replacement above the limits, as Engram does, and stores the others. */
function boundedService() {
  const appends: NewMessage[][] = [];
  const fetch = async (request: Request) => {
    const body = await request.text();
    if (request.url.endsWith("/v1/conversations")) return Response.json({ id: "conv_1" }, { status: 201 });
    if (!request.url.includes("/messages"))
      return Response.json({ items: [{ id: "conv_1" }], next_cursor: null });
    if (request.method === "GET") return Response.json({ items: [], next_cursor: null });
    const { messages } = JSON.parse(body) as { messages: NewMessage[] };
    const decoded = messages.map(({ content, ...rest }) => bytesOf(content) + bytesOf(JSON.stringify(rest)));
    expect(decoded.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(2_097_152);
    expect(bytesOf(body)).toBeLessThanOrEqual(8_388_608);
    expect(countValues(JSON.parse(body))).toBeLessThanOrEqual(50_000);
    expect(messages.length).toBeLessThanOrEqual(1_000);
    const first_sequence = appends.flat().length + 1;
    appends.push(messages);
    const last_sequence = appends.flat().length;
    return Response.json({ first_sequence, last_sequence, existing_ids: [] }, { status: 201 });
  };
  return { appends, conversation: new ExternalConversation(clientOf(fetch), "thread-1") };
}

const countValues = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum, item) => sum + 1 + countValues(item), 0)
    : 0;

const many = (length: number, message: Partial<NewMessage>): NewMessage[] =>
  Array.from({ length }, (_, i) => ({ role: "user", content: "", external_id: `m-${i}`, ...message }));

const LARGEST = {
  content: "漢".repeat(333_333),
  parts: ["漢".repeat(166_000)],
  metadata: { text: "x".repeat(16_000) },
};

describe("an adapter's messages are sent in requests within the service's limits", () => {
  test.for<[string, NewMessage[]]>([
    ["of the largest size", many(4, LARGEST)],
    ["of a third of a request's bytes", many(9, { content: "漢".repeat(230_000) })],
    ["with parts only", many(9, { parts: ["x".repeat(490_000)] })],
    ["with large metadata", many(300, { metadata: { text: "漢".repeat(5_000) } })],
    ["of a million control characters", many(3, { content: "\u0001".repeat(1_000_000) })],
    ["of many tiny values", many(40, { metadata: { values: Array.from({ length: 8_000 }, () => 0) } })],
    ["in large numbers", many(2_500, { content: "x" })],
  ])("%s", async ([, messages]) => {
    const appended = boundedService();
    await appended.conversation.append(messages);
    expect(appended.appends.length).toBeGreaterThan(1);
    expect(appended.appends.flat()).toEqual(messages);
    const rewritten = boundedService();
    await rewritten.conversation.rewrite(() => messages);
    expect(rewritten.appends.flat()).toEqual(messages);
  });
});

describe("the conversation of a thread", () => {
  /** A service with these conversations, and the requests that it has received. */
  function serviceWith(items: object[]) {
    const requests: string[] = [];
    const fetch = async ({ method, url }: Request) => {
      const { pathname, search } = new URL(url);
      requests.push(`${method} ${pathname}${search}`);
      if (method === "POST") return Response.json({ id: "conv_new" }, { status: 201 });
      return Response.json({ items, next_cursor: null });
    };
    return { client: clientOf(fetch), requests };
  }

  test("is found only among those of exactly its agent and user", async () => {
    const { client, requests } = serviceWith([]);
    for (const init of [{}, { user_id: "maria" }]) await new ExternalConversation(client, "t", init).find();
    expect(requests).toEqual([
      "GET /v1/conversations?external_id=t&limit=2&exact_owner=true",
      "GET /v1/conversations?external_id=t&limit=2&user_id=maria&exact_owner=true",
    ]);
  });

  test("of any user is written to without creating another, and is refused if several users have one", async () => {
    const any = { ofAnyUser: true };
    const one = serviceWith([{ id: "conv_1" }]);
    const conversation = new ExternalConversation(one.client, "t", { user_id: "maria" }, any);
    expect(await conversation.write(async (id) => id)).toBe("conv_1");
    expect(one.requests).toEqual(["GET /v1/conversations?external_id=t&limit=2"]);
    const two = serviceWith([{ id: "conv_1" }, { id: "conv_2" }]);
    const shared = new ExternalConversation(two.client, "t", {}, any);
    await expect(shared.write(async (id) => id)).rejects.toThrow("Several agents or users");
    await expect(shared.messages()).rejects.toThrow("Several agents or users");
  });
});

test("a conversation that is deleted between lookup and read is returned as empty", async () => {
  const fetch = async ({ url }: Request) =>
    url.includes("/messages")
      ? Response.json({ code: "not_found", title: "Not found" }, { status: 404 })
      : Response.json({ items: [{ id: "conv_1" }], next_cursor: null });
  expect(await new ExternalConversation(clientOf(fetch), "thread-1").messages()).toEqual([]);
});

describe("messages that were deleted with `forget`", () => {
  /** A service that stores messages, but refuses those with the external id `gone`. */
  function forgettingService() {
    const stored: { sequence: number; external_id?: string; parts?: unknown }[] = [];
    const writes: string[] = [];
    const fetch = async (request: Request) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/v1/conversations") && request.method === "POST")
        return Response.json({ id: "conv_1" }, { status: 201 });
      if (!pathname.includes("/messages"))
        return Response.json({ items: [{ id: "conv_1" }], next_cursor: null });
      if (request.method === "GET") return Response.json({ items: stored, next_cursor: null });
      const { messages, from_sequence } = (await request.json()) as {
        messages: { external_id?: string }[];
        from_sequence?: number;
      };
      const errors = messages.flatMap(({ external_id }, i) =>
        external_id === "gone" ? [{ path: `messages.${i}`, message: "Was deleted with `forget`." }] : [],
      );
      const problem = { type: "about:blank", title: "", status: 409, code: "forgotten", detail: "", errors };
      if (errors.length > 0)
        return Response.json(
          { ...problem, request_id: "req_1" },
          {
            status: 409,
            headers: { "content-type": "application/problem+json" },
          },
        );
      writes.push(pathname.endsWith("/replace") ? "replace" : "append");
      if (from_sequence !== undefined) stored.splice(from_sequence - 1);
      const first_sequence = stored.length + 1;
      for (const message of messages) stored.push({ ...message, sequence: stored.length + 1 });
      return Response.json(
        { first_sequence, last_sequence: stored.length, existing_ids: [] },
        { status: from_sequence === undefined ? 201 : 200 },
      );
    };
    const conversation = new ExternalConversation(clientOf(fetch), "thread-1");
    return { conversation, writes, ids: () => stored.map(({ external_id }) => external_id) };
  }
  const said = (...ids: string[]): NewMessage[] =>
    ids.map((external_id) => ({ role: "user", content: external_id, external_id, parts: [external_id] }));

  test("are left out of an append, and the others are stored", async () => {
    const { conversation, ids } = forgettingService();
    await conversation.append(said("a", "gone", "b"));
    await conversation.append(said("gone"));
    expect(ids()).toEqual(["a", "b"]);
  });

  test("are left out of a whole history, which is not written again because of them", async () => {
    const { conversation, ids, writes } = forgettingService();
    await conversation.rewrite(() => said("a", "gone", "b"));
    expect(ids()).toEqual(["a", "b"]);
    writes.length = 0;
    await conversation.rewrite(() => said("a", "gone", "b"));
    expect(writes).toEqual([]);
    await conversation.rewrite(() => said("a", "gone", "b", "c"));
    expect([ids(), writes]).toEqual([["a", "b", "c"], ["append"]]);
  });
});

describe("`expires_in`", () => {
  test.for([
    [90, 90],
    ["90", 90],
    ["45s", 45],
    ["30m", 1_800],
    ["12h", 43_200],
    ["90d", 7_776_000],
  ] as const)(
    "of %s is sent as the time of the deletion, with a new conversation only",
    async ([expires_in, seconds]) => {
      const sent: { expires_at?: string; expires_in?: unknown }[] = [];
      const client = clientOf(async (request) => {
        sent.push((await request.json()) as (typeof sent)[number]);
        return Response.json({ id: "conv_1" }, { status: 201 });
      });
      const before = Date.now();
      await new ExternalConversation(client, "thread-1", { expires_in }).create();
      const expiresMs = Date.parse(sent[0]?.expires_at ?? "") - seconds * 1_000;
      expect([before <= expiresMs, expiresMs <= Date.now()]).toEqual([true, true]);
      expect(sent[0]).not.toHaveProperty("expires_in");
    },
  );

  test.for([0, -1, Number.NaN, "", "0", "0d", "-1", "90 d", "d", "1y", "999999999d", 1e300])(
    "refuses %s before anything is sent",
    (expires_in) => {
      const client = clientOf(async () => Response.error());
      expect(() => new ExternalConversation(client, "thread-1", { expires_in })).toThrow(TypeError);
    },
  );
});
