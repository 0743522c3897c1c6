// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { chainOf } from "../../sdk/test/support/audit-events.ts";
import { LATER } from "../src/later-messages.ts";
import { MESSAGES } from "../src/messages.ts";
import { TRACES } from "../src/trace-messages.ts";
import { closePage, open, text } from "./support/app.tsx";
import { type Answer, answerWith, json, problem, until } from "./support/service.ts";

const { readBefore } = await import("../src/event-log.ts");

const AT = "2026-11-02T09:30:00.000Z";
const INDEX = {
  ...{ messages: 12, pending: 0, failed: 0, chunks: 3, chunks_of_other_models: 0, deletions_pending: 0 },
  ...{ model: "m", dimensions: 1, complete: true, last_error: null },
};
const webhook = (id: string, of: object = {}) => ({
  ...{ id, url: `https://${id}.example.com/`, enabled: true, paused_reason: null, failing_since: null },
  ...of,
});
const NONE = { requests: 0, messages: 0, message_bytes: 0, searches: 0, errors: 0, embeddings: 0 };
const page = (items: readonly unknown[], total?: number) => json({ items, next_cursor: null, total });
const KEYS = [
  { id: "key_1", name: "Support <b>bot</b>" },
  { id: "key_2", name: "Analytics" },
];

/** A service that answers each path so. What is not given has no items. */
const serving =
  (paths: Record<string, Answer>): Answer =>
  (url, init) =>
    (paths[url.pathname] ?? (() => page([], 0)))(url, init);

describe("the overview", () => {
  const stored = {
    "/v1/index": () => json(INDEX),
    "/v1/conversations": () =>
      page(
        [
          {
            ...{ id: "conv_1", title: "Refund", created_at: AT, last_message_at: AT },
            last_message: {
              id: "msg_1",
              sequence: 1,
              role: "user",
              name: null,
              excerpt: "Where is <i>it</i>?",
            },
          },
        ],
        1,
      ),
    "/v1/memories": () =>
      page([{ id: "mem_1", content: "Prefers letters", user_id: "maria", created_at: AT }], 1),
    "/v1/webhooks": () => json({ items: [webhook("wh_1"), webhook("wh_2")] }),
  };

  test("shows the last messages of conversations and the last memories, as text with links", async () => {
    const asked = await open("", serving(stored));
    await until(() => expect(text(".recent")).toContain("User Where is <i>it</i>?"));
    expect(text(".recent")).toContain("Prefers letters");
    const links = [...document.querySelectorAll(".recent [data-item]")].map((each) =>
      each.getAttribute("href"),
    );
    expect(links).toEqual(["#/conversations/conv_1", "#/memories/mem_1"]);
    expect(asked[0]).toMatch(/sort=last_message_at&include_last_message=true/);
  });

  test("counts messages without memories", async () => {
    await open("", serving(stored));
    await until(() => expect(document.querySelectorAll(".figures li")).toHaveLength(3));
    const figures = [...document.querySelectorAll(".figures li")].map(({ textContent }) => textContent);
    expect(figures).toEqual(["Conversations1", "Messages11", "Memories1"]);
  });

  test("says in one line that the index and the webhooks are well", async () => {
    await open("", serving(stored));
    await until(() => expect(text(".health")).toBe("Everything is indexed. 2 webhooks deliver."));
    expect(document.querySelectorAll(".health p")).toHaveLength(1);
  });

  test("names each trouble of the index and the webhooks, with a link", async () => {
    const failing = webhook("wh_2", { failing_since: AT });
    const off = webhook("wh_3", { enabled: false });
    await open(
      "",
      serving({
        ...stored,
        "/v1/index": () =>
          json({ ...INDEX, pending: 3, failed: 2, last_error: { message: "text_refused", at: AT } }),
        "/v1/webhooks": () => json({ items: [webhook("wh_1"), failing, off] }),
      }),
    );
    await until(() => expect(document.querySelectorAll(".trouble")).toHaveLength(3));
    const links = [...document.querySelectorAll(".trouble a")].map((each) => each.getAttribute("href"));
    expect(links).toEqual(["#/operations", "#/operations", "#/webhooks/wh_2"]);
    expect(text(".health")).toContain("text_refused");
    expect(text(".health")).toContain("One webhook delivers.");
    expect(text(".health")).not.toContain("Everything is indexed.");
    expect(text(".health")).not.toContain("wh_3");
  });

  test("leaves out webhooks and usage for a key that may not read them", async () => {
    const forbidden = () => problem(403, "forbidden", "The key lacks the scope `admin`.");
    await open("", serving({ ...stored, "/v1/webhooks": forbidden, "/v1/usage": forbidden }));
    await until(() => expect(text(".health").trim()).toBe("Everything is indexed."));
    await until(() => expect(text("main")).toContain(MESSAGES.overview.usageForbidden));
    expect(document.querySelector("main .state")).toBeNull();
  });

  test("lists the operations that failed since yesterday, the worst first, and nothing if none did", async () => {
    const group = (operation: string, errors: number) => ({ ...NONE, operation, requests: 9, errors });
    const usage: Answer = ({ searchParams }) =>
      page(
        searchParams.get("group_by") === "day"
          ? []
          : [group("getMemory", 1), group("search", 4), group("listKeys", 0)],
      );
    await open("", serving({ ...stored, "/v1/usage": usage }));
    await until(() => expect(document.querySelectorAll("tbody tr")).toHaveLength(2));
    const rows = [...document.querySelectorAll("tbody tr")].map(({ textContent }) => textContent);
    expect(rows).toEqual(["search49", "getMemory19"]);
    closePage();
    await open("", serving(stored));
    await until(() => expect(document.querySelector(".charts")).not.toBeNull());
    expect(document.querySelector("tbody")).toBeNull();
  });

  test("draws each day of the month, with the highest value at the side and the dates below", async () => {
    const today = new Date().toISOString().slice(0, 10);
    const usage: Answer = ({ searchParams }) =>
      page(searchParams.get("group_by") === "day" ? [{ ...NONE, day: today, messages: 1_500 }] : []);
    await open("", serving({ ...stored, "/v1/usage": usage }));
    await until(() => expect(document.querySelectorAll(".bars")).toHaveLength(3));
    const chart = document.querySelector(".bars") as HTMLElement;
    expect(chart.querySelectorAll("rect")).toHaveLength(30);
    expect(chart.querySelector(".scale")?.textContent).toBe("1.5K0");
    expect(chart.querySelectorAll(".axis span")).toHaveLength(3);
  });
});

const EVENT = {
  ...{ conversation_id: null, memory_id: null, operation_id: null, key_id: null, agent_id: null },
  ...{ user_id: null, first_sequence: null, last_sequence: null, created_at: AT },
};

/** A log of events, as the service answers about it. */
const logOf =
  (events: { sequence: number; type: string }[], oldest = 1, step = 2_400): Answer =>
  ({ searchParams }) => {
    const end = events.at(-1)?.sequence ?? oldest - 1;
    const wanted = searchParams.get("after") ?? "now";
    if (wanted === "now") return json({ items: [], after: end, oldest, caught_up: true });
    if (Number(wanted) < oldest - 1) return problem(410, "cursor_expired", "Too old.");
    const limit = Number(searchParams.get("limit"));
    const read = events.filter(({ sequence }) => sequence > Number(wanted)).slice(0, step);
    const type = searchParams.get("type");
    const items = read.filter((event) => type === null || event.type === type).slice(0, limit);
    const after = (items.length === limit ? items : read).at(-1)?.sequence ?? end;
    return json({ items, after, oldest, caught_up: after === end });
  };
const memoryEvents = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    ...{ ...EVENT, id: `evt_${from + i}`, sequence: from + i, type: "memory.created", memory_id: "mem_1" },
  }));

describe("events", () => {
  const { signal } = new AbortController();

  test("begin with the last hundred, the newest first, and go back on request", async () => {
    await open("events", serving({ "/v1/events": logOf(memoryEvents(1, 130)) }));
    const numbers = () =>
      [...document.querySelectorAll("tbody td:last-child")].map((each) => Number(each.textContent));
    await until(() => expect(numbers()).toHaveLength(100));
    expect([numbers()[0], numbers().at(-1)]).toEqual([130, 31]);
    document.querySelector<HTMLButtonElement>(".table-foot button")?.click();
    await until(() => expect(numbers()).toHaveLength(130));
    expect(numbers().at(-1)).toBe(1);
    expect(document.querySelector(".table-foot button")).toBeNull();
  });

  test("of a type are looked for ever further back, and never before the oldest of the log", async () => {
    const events = memoryEvents(51, 8_000).map((event) =>
      event.sequence < 60 ? { ...event, type: "key.created" } : event,
    );
    answerWith(serving({ "/v1/events": logOf(events, 51) }));
    const found = await readBefore(8_000, 51, { type: ["key.created"] }, signal);
    expect(found.events.map(({ sequence }) => sequence)).toEqual([59, 58, 57, 56, 55, 54, 53, 52, 51]);
    expect(found.start).toBeNull();
  });

  test("that are too far back for one request are looked for in a further one, without a gap", async () => {
    const events = memoryEvents(1, 30_000).map((event) =>
      event.sequence === 20_400 || event.sequence === 20_300 ? { ...event, type: "key.created" } : event,
    );
    answerWith(serving({ "/v1/events": logOf(events) }));
    const first = await readBefore(30_000, 1, { type: ["key.created"] }, signal);
    expect(first).toEqual({ events: [expect.objectContaining({ sequence: 20_400 })], start: 20_300 });
    const second = await readBefore(20_300, 1, { type: ["key.created"] }, signal);
    expect(second.events.map(({ sequence }) => sequence)).toEqual([20_300]);
  });

  const conversation = { ...EVENT, conversation_id: "conv_1" };
  test.for([
    [{ ...conversation, type: "conversation.created" }, "Refund was created"],
    [
      { ...conversation, type: "conversation.created", first_sequence: 1, last_sequence: 3 },
      "Refund was created with 3 messages",
    ],
    [{ ...conversation, type: "conversation.updated" }, "Refund was changed"],
    [
      { ...conversation, type: "messages.appended", first_sequence: 1, last_sequence: 12 },
      "12 messages were added to Refund",
    ],
    [
      { ...conversation, type: "messages.appended", first_sequence: 4, last_sequence: 4 },
      "1 message was added to Refund",
    ],
    [
      { ...conversation, type: "messages.updated", first_sequence: 4, last_sequence: 4 },
      "Message 4 of Refund changed",
    ],
    [
      { ...conversation, type: "messages.deleted", first_sequence: 4, last_sequence: 6 },
      "Messages 4–6 of Refund were deleted",
    ],
    [
      { ...conversation, type: "messages.indexed", last_sequence: 6 },
      "Refund is found by meaning up to message 6",
    ],
    [{ ...conversation, conversation_id: "conv_9", type: "conversation.deleted" }, "conv_9 was deleted"],
    [{ ...EVENT, type: "memory.created", memory_id: "mem_1" }, "Memory stored: Prefers letters"],
    [{ ...EVENT, type: "operation.updated", operation_id: "op_1" }, "Operation changed: Delete a memory"],
    [{ ...EVENT, type: "key.revoked", key_id: "key_1" }, "The key Support <b>bot</b> was revoked"],
    [{ ...EVENT, type: "key.created", key_id: "key_9" }, "The key key_9 was created"],
    [{ ...EVENT, type: "of.the.future", memory_id: "mem_1" }, "of.the.future: Prefers letters"],
  ] as const)("%j says: %s", async ([event, said]) => {
    const asked = await open(
      "events",
      serving({
        "/v1/events": logOf([{ ...event, id: "evt_1", sequence: 1 } as never]),
        "/v1/conversations": () => page([{ id: "conv_1", title: "Refund" }]),
        "/v1/memories": () => page([{ id: "mem_1", content: "Prefers letters" }]),
        "/v1/operations": () => page([{ id: "op_1", type: "delete_memory" }]),
        "/v1/keys": () => page(KEYS),
      }),
    );
    await until(() => expect(text(".event")).toBe(said));
    expect(asked.filter((each) => each.startsWith("GET /v1/conv")).length).toBeLessThan(2);
  });

  test("have a sentence for each type", () => {
    expect(Object.keys(MESSAGES.events.sentences)).toEqual(Object.keys(MESSAGES.eventTypes));
  });

  test("are shown by their ids to a key that may not read what they are about", async () => {
    await open("events", (url) =>
      url.pathname === "/v1/events"
        ? logOf(memoryEvents(1, 1))(url, { method: "GET", body: undefined })
        : problem(403, "forbidden", "The key lacks a scope."),
    );
    await until(() => expect(text(".event")).toBe("Memory stored: mem_1"));
    expect(document.querySelector("main .state")).toBeNull();
  });
});

describe("usage", () => {
  const day = (key_id: string | null, of: object) => ({ ...NONE, day: "2026-11-02", key_id, ...of });

  test("names the keys, and has the totals and errors of the days shown", async () => {
    await open(
      "usage",
      serving({
        "/v1/keys": () => page(KEYS),
        "/v1/usage": () =>
          page([
            day("key_1", { requests: 1_200, errors: 3 }),
            { ...day("key_9", { requests: 300, errors: 1 }), day: "2026-11-01" },
            day(null, { embeddings: 7 }),
          ]),
      }),
    );
    await until(() => expect(text("tbody")).toContain("Support <b>bot</b>"));
    expect(text("tbody")).toContain("key_9");
    expect(text(".totals dl")).toBe("Requests1,500Errors4Messages0Size0 BSearches0Embeddings7");
    expect([...document.querySelectorAll("tbody .bad")].map(({ textContent }) => textContent)).toEqual([
      "3",
      "1",
    ]);
  });

  test("shows ids to a key that may not list keys", async () => {
    await open(
      "usage",
      serving({
        "/v1/keys": () => problem(403, "forbidden", "The key lacks a scope."),
        "/v1/usage": () => page([day("key_1", { requests: 1 })]),
      }),
    );
    await until(() => expect(text("tbody a")).toBe("key_1"));
    expect(document.querySelector("main .state")).toBeNull();
  });
});

describe("usage per user", () => {
  test("is the sum for each user that keys are bound to, with a link to the user", async () => {
    const asked = await open(
      "usage?per=user&from=2026-11-01",
      serving({
        "/v1/usage": () =>
          page([
            { ...NONE, user_id: "maria/<b>", requests: 1_200, errors: 3 },
            { ...NONE, user_id: null, requests: 5 },
          ]),
      }),
    );
    await until(() => expect(document.querySelectorAll("tbody tr")).toHaveLength(2));
    expect(asked).toEqual(["GET /v1/usage?from=2026-11-01&limit=100&group_by=user"]);
    const link = document.querySelector("tbody a");
    expect([link?.textContent, link?.getAttribute("href")]).toEqual(["maria/<b>", "#/users/maria%2F%3Cb%3E"]);
    expect(text("tbody tr:last-child td")).toBe(LATER.usage.noUser);
    expect(text("tbody .number")).toBe("1,200");
    expect(document.querySelector(".totals")).toBeNull();
  });
});

describe("audit", () => {
  const event = (i: number, of: object = {}) => ({
    ...{ id: `aud_${i}`, action: "key.created", key_id: "key_1", target_id: "key_2", operation_id: null },
    ...{ request_id: `req_${i}`, created_at: AT, ...of },
  });

  test("names keys, and has the id of the request with a button that copies it", async () => {
    await open(
      "audit",
      serving({ "/v1/keys": () => page(KEYS), "/v1/audit-events": () => page([event(1)]) }),
    );
    await until(() => expect(text("tbody")).toContain("Analytics"));
    expect(text("tbody")).toContain("Support <b>bot</b>");
    expect(text(".with-copy")).toBe(`req_1 ${MESSAGES.copy}`);
  });

  test("asks the service for the events of a request", async () => {
    const asked = await open(
      "audit?request_id=req_2&action=key.created",
      serving({ "/v1/audit-events": () => page([event(2)]) }),
    );
    await until(() => expect(text("tbody")).toContain("req_2"));
    expect(asked.filter((each) => each.includes("audit-events"))).toEqual([
      "GET /v1/audit-events?action=key.created&request_id=req_2&limit=100",
    ]);
  });

  test("has who did it and in which request also in the cell of the target, for a narrow page", async () => {
    const events = [event(1), event(2, { key_id: null, request_id: null })];
    await open("audit", serving({ "/v1/keys": () => page(KEYS), "/v1/audit-events": () => page(events) }));
    await until(() => expect(document.querySelectorAll("tbody tr")).toHaveLength(2));
    const narrow = [...document.querySelectorAll(".for-minor, .for-extra")].map((each) => each.textContent);
    expect(narrow[0]).toMatch(/^By Support <b>bot<\/b>/);
    expect(narrow.slice(1)).toEqual([`req_1 ${MESSAGES.copy}`, `By ${TRACES.audit.operator}`, ""]);
  });

  test("is verified in the browser, and names what is missing", async () => {
    const chain = await chainOf(3);
    for (const [events, said] of [
      [chain, TRACES.verified(3)],
      [chain.toSpliced(1, 1), "Event 2 is missing."],
    ] as const) {
      await open(
        "audit",
        serving({ "/v1/keys": () => page(KEYS), "/v1/audit-events": () => page([...events]) }),
      );
      const button = () =>
        [...document.querySelectorAll("button")].find(({ textContent }) => textContent === TRACES.verify);
      await until(() => expect(button()).toBeDefined());
      button()?.click();
      await until(() => expect(text("[role=status] .badge")).toBe(said));
      closePage();
    }
  });
});
