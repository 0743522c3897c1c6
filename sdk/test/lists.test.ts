import { describe, expect, test } from "vitest";
import { clientOf, take } from "./support/client.ts";
import { json, problem, rejection, serve } from "./support/fault-server.ts";

/** A client of a service with the conversations 1 to 5, in pages of two. The second page is empty. */
function fiveConversations() {
  const requests: URL[] = [];
  const pages = new Map([
    [null, { items: [1, 2], next_cursor: "a" }],
    ["a", { items: [], next_cursor: "b" }],
    ["b", { items: [3, 4], next_cursor: "c" }],
    ["c", { items: [5], next_cursor: null }],
  ]);
  const fetch = (request: Request) => {
    const url = new URL(request.url);
    requests.push(url);
    const page = pages.get(url.searchParams.get("cursor"));
    const items = page?.items.map((number) => ({ id: String(number) }));
    return Response.json({ ...page, items, ...(url.searchParams.has("include_total") && { total: 5 }) });
  };
  return { requests, conversations: clientOf(fetch).conversations };
}

const ids = (items: { id: string }[]) => items.map(({ id }) => id).join("");

describe("a list of the SDK", () => {
  test("yields every item of all pages, also after an empty page", async () => {
    const { conversations, requests } = fiveConversations();
    expect(ids(await take(conversations.list()))).toBe("12345");
    expect(requests).toHaveLength(4);
  });

  test("sends nothing until it is read, and requests only pages that the reader needs", async () => {
    const { conversations, requests } = fiveConversations();
    const list = conversations.list();
    expect(requests).toHaveLength(0);
    for await (const { id } of list) if (id === "2") break;
    expect(requests).toHaveLength(1);
  });

  test("starts from the beginning each time it is read", async () => {
    const { conversations } = fiveConversations();
    const list = conversations.list();
    expect(ids(await take(list))).toBe(ids(await take(list)));
  });

  test("continues from a cursor", async () => {
    const { conversations } = fiveConversations();
    expect(ids(await take(conversations.list({ cursor: "b" })))).toBe("345");
  });

  test("can be read in pages, or as the one page of a cursor", async () => {
    const { conversations, requests } = fiveConversations();
    const pages = await take(conversations.list().pages());
    expect(pages.map(({ items }) => ids(items))).toEqual(["12", "", "34", "5"]);
    const page = await conversations.list({ cursor: "b", include_total: true }).page();
    expect(page).toEqual({ items: [{ id: "3" }, { id: "4" }], next_cursor: "c", total: 5 });
    expect(requests).toHaveLength(5);
  });

  test.for([
    [0, "", 0],
    [2, "12", 1],
    [3, "123", 3],
    [Number.POSITIVE_INFINITY, "12345", 4],
  ] as const)("becomes an array of at most %d items", async ([max, expected, requestCount]) => {
    const { conversations, requests } = fiveConversations();
    expect(ids(await conversations.list().toArray({ max }))).toBe(expected);
    expect(requests).toHaveLength(requestCount);
  });

  test("sends the same filters for every page, tags as repeated parameters and metadata as JSON", async () => {
    const { conversations, requests } = fiveConversations();
    const query = {
      limit: 2,
      tags_any: ["a&b", "ü"],
      metadata: { ticket: "T-1", open: true },
      created_after: "2026-11-02T09:30:00+01:00",
    };
    const given = structuredClone(query);
    await take(conversations.list(query));
    expect(query).toEqual(given);
    for (const { searchParams } of requests) {
      expect(searchParams.getAll("tags_any")).toEqual(["a&b", "ü"]);
      expect(JSON.parse(searchParams.get("metadata") ?? "")).toEqual({ ticket: "T-1", open: true });
      expect(searchParams.get("created_after")).toBe("2026-11-02T09:30:00+01:00");
      expect(searchParams.get("limit")).toBe("2");
    }
  });

  test("retries a failed page, and rejects if the service rejects a page", async () => {
    const first = json(200, { items: [{ id: "1" }], next_cursor: "a" });
    const { attempts, client } = await serve(
      problem(503, "unavailable", { "retry-after": "0" }),
      first,
      problem(400, "invalid_cursor"),
    );
    const read: string[] = [];
    const reading = async () => {
      for await (const { id } of client().keys.list()) read.push(id);
    };
    expect(await rejection(reading())).toMatchObject({ code: "invalid_cursor" });
    expect(read).toEqual(["1"]);
    expect(attempts).toHaveLength(3);
  });
});

describe("withResponse", () => {
  const headers = { etag: '"7"', "x-request-id": "req_9" };

  test("returns status, request id and ETag with the body, for a precondition of the next write", async () => {
    const { attempts, client } = await serve(
      json(200, { id: "conv_1" }, headers),
      problem(412, "precondition_failed"),
    );
    const { conversations } = client();
    const { data, etag, requestId, response } = await conversations.get("conv_1").withResponse();
    expect({ data, etag, requestId, status: response.status }).toEqual({
      data: { id: "conv_1" },
      etag: '"7"',
      requestId: "req_9",
      status: 200,
    });
    const error = await rejection(conversations.update("conv_1", { title: "new" }, { ifMatch: etag }));
    expect(error).toMatchObject({ code: "precondition_failed" });
    expect(attempts[1]?.headers["if-match"]).toBe('"7"');
  });
});

describe("asResponse", () => {
  test("returns the raw response with an unread body", async () => {
    const text = '{"id": "op_1",  "big": 12345678901234567890}';
    const { client } = await serve((response) => {
      response.writeHead(200, { "content-type": "application/json", "x-extra": "kept" }).end(text);
    });
    const response = await client().operations.get("op_1").asResponse();
    expect([response.status, response.headers.get("x-extra")]).toEqual([200, "kept"]);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe(text);
  });
});

// An unhandled rejection would fail this run.
test.for(["withResponse", "asResponse"] as const)("%s rejects like the call itself", async (name) => {
  const { client } = await serve(problem(404, "not_found"));
  expect(await rejection(client().operations.get("op_1")[name]())).toMatchObject({ code: "not_found" });
});
