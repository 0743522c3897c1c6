// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { TRACES } from "../src/trace-messages.ts";
import { open, text } from "./support/app.tsx";
import { type Answer, json, problem, until } from "./support/service.ts";

const AT = "2026-11-02T09:30:00.000Z";
const at = (minute: number) => `2026-11-02T09:${minute}:00.000Z`;

const recall = (id: string, conversation_id: string, of: object = {}) => ({
  ...{ id, operation: "search", request: { query: `Query <i>${id}</i>` }, run_id: null, user_id: null },
  items: [
    { type: "message", id: "msg_1", conversation_id, sequence: 1 },
    { type: "memory", id: "mem_1", conversation_id: null, sequence: null },
  ],
  ...{ created_at: AT, ...of },
});
const audit = (id: string, target_id: string, minute: number) => ({
  ...{ id, action: "message.deleted", key_id: "key_1", target_id, operation_id: null },
  ...{ request_id: "req_1", created_at: at(minute) },
});
const EVENT = {
  ...{ id: "evt_1", sequence: 1, type: "messages.appended", conversation_id: "conv_1", memory_id: null },
  ...{ operation_id: null, key_id: null, user_id: null, first_sequence: 1, last_sequence: 2 },
  created_at: at(40),
};

const serving =
  (paths: Record<string, Answer>): Answer =>
  (url, init) => {
    const answer = paths[url.pathname.slice("/v1/".length)];
    if (answer !== undefined) return answer(url, init);
    if (url.pathname === "/v1/conversations/conv_1")
      return json({ id: "conv_1", title: "<b>Order</b>", created_at: AT });
    if (url.pathname === "/v1/events") return json({ items: [EVENT], after: 1, oldest: 1, caught_up: true });
    return json({ items: [], next_cursor: null });
  };
const page = (items: readonly object[], next_cursor: string | null = null) => json({ items, next_cursor });

const rows = (label: string) =>
  [...document.querySelectorAll(`table[aria-label="${label}"] tbody tr`)].map(
    // The rest of the cell is for narrow pages.
    (row) => row.querySelector("td")?.textContent?.split("By ")[0],
  );

describe("the trace of a conversation", () => {
  test("has the answers that had its messages, by a filter of the service", async () => {
    const asked = await open(
      "trace/conv_1",
      serving({
        recalls: ({ searchParams }) =>
          searchParams.has("cursor")
            ? page([recall("rcl_3", "conv_1")])
            : page([recall("rcl_1", "conv_1"), recall("rcl_2", "conv_1")], "next"),
      }),
    );
    await until(() =>
      expect(rows(TRACES.readers)).toEqual(["Query <i>rcl_1</i>Search", "Query <i>rcl_2</i>Search"]),
    );
    expect(text("h1")).toBe("Trace of <b>Order</b>");
    expect(text(".table-foot")).toContain("2 receipts");
    document.querySelector<HTMLButtonElement>(".table-foot button")?.click();
    await until(() => expect(rows(TRACES.readers)).toHaveLength(3));
    expect(text(".table-foot")).toContain("3 receipts");
    expect(asked.find((line) => line.includes("/v1/recalls"))).toContain("conversation_id=conv_1");
    expect(document.querySelector("main b, main i")).toBeNull();
  });

  test("has its events with the deletions of messages that an answer had, newest first", async () => {
    await open(
      "trace/conv_1",
      serving({
        recalls: () => page([recall("rcl_1", "conv_1")]),
        "audit-events": () =>
          page([audit("aud_1", "msg_1", 50), audit("aud_2", "msg_9", 45), audit("aud_3", "conv_1", 30)]),
      }),
    );
    await until(() =>
      expect(rows(TRACES.writers)).toEqual([
        "Message deletedmsg_1",
        "2 messages were added to <b>Order</b>",
        "Message deletedconv_1",
      ]),
    );
    expect(document.querySelector('a[href="#/trace/req_1"]')).not.toBeNull();
    expect(document.querySelector('a[href="#/memories?source_conversation_id=conv_1"]')).not.toBeNull();
  });

  test("shows the events to a key that may not see audit events, and says so", async () => {
    await open(
      "trace/conv_1",
      serving({ "audit-events": () => problem(403, "forbidden", "The key lacks `admin`.") }),
    );
    await until(() => expect(rows(TRACES.writers)).toHaveLength(1));
    expect(text("main")).toContain(TRACES.auditForbidden);
    expect(document.querySelector("main .state.forbidden")).toBeNull();
    expect(text("main")).toContain(TRACES.noReaders);
  });
});

describe("the trace of a request", () => {
  test("has what it changed, and the answers that had that, or that name it as their run", async () => {
    const asked = await open(
      "trace/req_1",
      serving({
        recalls: () =>
          page([
            recall("rcl_1", "conv_1"),
            recall("rcl_2", "conv_2", { items: [] }),
            recall("rcl_3", "conv_3", { items: [], run_id: "req_1" }),
          ]),
        "audit-events": () => page([audit("aud_1", "msg_1", 50)]),
      }),
    );
    await until(() => expect(rows(TRACES.writers)).toEqual(["Message deletedmsg_1"]));
    await until(() =>
      expect(rows(TRACES.readersOfRequest)).toEqual(["Query <i>rcl_1</i>Search", "Query <i>rcl_3</i>Search"]),
    );
    expect(asked.find((line) => line.includes("/v1/audit-events"))).toContain("request_id=req_1");
  });

  test("says which requests leave nothing", async () => {
    await open("trace/req_1", serving({}));
    await until(() => expect(text("main .state.empty")).toContain(TRACES.noRequest));
  });
});
