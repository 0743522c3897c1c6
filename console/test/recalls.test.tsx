// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { RECALLS } from "../src/recall-messages.ts";
import { open, text } from "./support/app.tsx";
import { type Answer, json, problem, until } from "./support/service.ts";

const { placeOfRequest, filtersOf } = await import("../src/recalled-request.ts");
const { searchBody } = await import("../src/search-body.ts");

const AT = "2026-11-02T09:30:00.000Z";
const LATER = "2026-11-03T09:30:00.000Z";

const message = (sequence: number, of: object = {}) => ({
  ...{ type: "message", id: `msg_${sequence}`, part: "results", conversation_id: "conv_1", sequence },
  ...{ version: null, updated_at: null, hash: "h", score: 1.5, relevance: 0.5, ...of },
});
const memory = (id: string, version: number) => ({
  ...{ type: "memory", id, part: "results", conversation_id: null, sequence: null, version },
  ...{ updated_at: null, hash: "h", score: 1, relevance: 0.5 },
});
const recall = (of: object = {}) => ({
  ...{ id: "rcl_1", operation: "search", request: { query: "<b>Refund</b>?", limit: 10, mode: "hybrid" } },
  ...{ agent_id: null, user_id: "maria", key: { id: "key_1", agent_id: null, user_id: null } },
  ...{ run_id: "run_1", metadata: {}, items: [message(1)], tokens: 31, degraded: [], pending: 0 },
  layout: [{ part: "results", items: 1, tokens: 31, omitted: 2, below_min_relevance: 1 }],
  ...{ models: { embedding: "m", reranking: null }, rules: 1, used: null, outcome: null, noted_at: null },
  ...{ created_at: AT, expires_at: LATER, ...of },
});

/** A service with one receipt. `paths` answers what follows `/v1/`, by method and path. */
const serving =
  (of: object, paths: Record<string, Answer> = {}): Answer =>
  (url, init) => {
    const path = url.pathname.slice("/v1/".length);
    const answer = paths[`${init.method} ${path}`];
    if (answer !== undefined) return answer(url, init);
    if (path === "recalls/rcl_1") return json(recall(of));
    if (path === "recalls") return json({ items: [recall(of)], next_cursor: null });
    if (/messages\/msg_/.test(path)) return json({ content: `Said <i>${path.at(-1)}</i>`, updated_at: null });
    if (path.startsWith("conversations/")) return json({ title: "Order", messages: {} });
    return json({ items: [], next_cursor: null });
  };

const press = (name: string) =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click();
const rows = (label: string) =>
  [...document.querySelectorAll(`table[aria-label="${label}"] tbody tr`)].map((row) =>
    [...row.querySelectorAll("td")].map(({ textContent }) => textContent ?? ""),
  );
const itemStates = () => rows(RECALLS.items).map(([, name, state]) => [name, state]);

describe("the receipts", () => {
  test("are asked for by user, run, item and time, and titled by their queries as text", async () => {
    const asked = await open(
      "receipts?user_id=maria&run_id=run_1&item_id=msg_1&created_after=2026-11-02",
      serving({}),
    );
    await until(() => expect(text("tbody")).toContain("<b>Refund</b>?"));
    const query = new URL(asked[0]?.split(" ")[1] ?? "", "http://x").searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      ...{ user_id: "maria", run_id: "run_1", item_id: "msg_1" },
      created_after: new Date(2026, 10, 2).toISOString(),
    });
    expect(text("tbody")).toContain(RECALLS.operations.search);
  });
});

describe("a receipt", () => {
  test("shows what was asked, what the answer cost, and what was left out of it", async () => {
    await open("receipts/rcl_1", serving({}));
    await until(() => expect(text("h1")).toBe("<b>Refund</b>?"));
    expect(text(".facts")).toMatch(/OperationSearch.*Usermaria.*Runrun_1.*Tokens31.*Modelsm.*version 1/);
    expect(rows(RECALLS.layout)).toEqual([
      ["Results", "1", "31", "2 over the budget, 1 below the minimum relevance"],
    ]);
    expect(document.querySelector("main b")).toBeNull();
  });

  test("says of each item whether it is intact, edited, deleted, or not readable", async () => {
    const items = [
      ...[message(1), message(2), message(3), message(4, { updated_at: AT }), message(5)],
      ...[memory("mem_1", 2), memory("mem_2", 2), memory("mem_3", 2)],
    ];
    const version = (number: number, stored_at: string) =>
      json({ items: [{ version: number, stored_at, content: "A fact." }], next_cursor: null });
    await open(
      "receipts/rcl_1",
      serving(
        { items },
        {
          "GET conversations/conv_1/messages/msg_2": () => json({ content: "New", updated_at: LATER }),
          "GET conversations/conv_1/messages/msg_3": () => problem(404, "not_found", "Gone."),
          "GET conversations/conv_1/messages/msg_4": () => json({ content: "Edited before", updated_at: AT }),
          "GET conversations/conv_1/messages/msg_5": () => problem(403, "forbidden", "No."),
          "GET memories/mem_1/versions": () => version(3, LATER),
          // Captured again, before the answer: the number grew, and nothing changed since.
          "GET memories/mem_2/versions": () => version(3, AT),
          "GET memories/mem_3/versions": () => problem(404, "not_found", "Gone."),
        },
      ),
    );
    await until(() =>
      expect(itemStates()).toEqual([
        ["Said <i>1</i>Message 1 · Order", "Intact"],
        ["NewMessage 2 · Order", "Edited"],
        ["Message 3", "Deleted"],
        ["Edited beforeMessage 4 · Order", "Intact"],
        ["Message 5", "Not readable"],
        ["A fact.Memory", "Edited"],
        ["A fact.Memory", "Intact"],
        ["Memory", "Deleted"],
      ]),
    );
    expect(document.querySelector('a[href="#/conversations/conv_1?at=3"]')).toBeNull();
    expect(document.querySelector('a[href="#/conversations/conv_1?at=2"]')).not.toBeNull();
  });

  test("reads only the items that are shown, and more on request", async () => {
    const items = Array.from({ length: 30 }, (_, i) => message(i + 1));
    const asked = await open("receipts/rcl_1", serving({ items }));
    const read = () => asked.filter((line) => line.includes("/messages/msg_")).length;
    await until(() => expect(read()).toBe(25));
    press("Show more");
    await until(() => expect(read()).toBe(30));
    expect(rows(RECALLS.items)).toHaveLength(30);
  });

  test("is replayed: the same, or each difference with its cause", async () => {
    let differences: object[] = [];
    await open(
      "receipts/rcl_1",
      serving(
        {},
        {
          "GET memories/mem_9/versions": () => problem(404, "not_found", "Gone."),
          "POST recalls/rcl_1/replay": () =>
            json({ same: differences.length === 0, differences, degraded: [], replayed_at: AT }),
        },
      ),
    );
    await until(() => expect(text(".screen-head .primary")).toBe(RECALLS.replay));
    press(RECALLS.replay);
    await until(() => expect(text("section.card")).toContain(RECALLS.sameText));
    differences = [
      { change: "missing", cause: "forgotten", before: memory("mem_9", 1) },
      { change: "added", cause: "newer", now: message(7) },
    ];
    press(RECALLS.replay);
    await until(() => expect(text("section.card")).toContain("2 differences"));
    await until(() =>
      expect(rows(RECALLS.replayTitle)).toEqual([
        ["Missing", `Memory${RECALLS.causes.forgotten}`],
        ["Added", `Said <i>7</i>Message 7 · Order${RECALLS.causes.newer}`],
      ]),
    );
    expect(text("section.card")).not.toContain(RECALLS.sameText);
  });

  test("takes a note of the items that were used and of the outcome", async () => {
    const noted: unknown[] = [];
    await open(
      "receipts/rcl_1",
      serving(
        { items: [message(1), message(2)], used: ["msg_2"], outcome: "answered" },
        {
          "PATCH recalls/rcl_1": (_, { body }) => {
            noted.push(body);
            return json(recall({ noted_at: AT }));
          },
        },
      ),
    );
    await until(() => expect(document.querySelectorAll("tbody input")).toHaveLength(2));
    const boxes = [...document.querySelectorAll<HTMLInputElement>("tbody input")];
    expect(boxes.map(({ checked }) => checked)).toEqual([false, true]);
    for (const box of boxes) box.click();
    const outcome = document.querySelector("[name=outcome]") as HTMLInputElement;
    expect(outcome.value).toBe("answered");
    outcome.value = " ";
    await until(() => expect(boxes[0]?.checked).toBe(true));
    press("Save");
    await until(() => expect(noted).toEqual([{ used: ["msg_1"], outcome: null }]));
    await until(() => expect(text("form [role=status]")).toContain(RECALLS.noted));
  });

  test("becomes an evaluation that should find what was used, and says so if nothing was", async () => {
    const created: unknown[] = [];
    const answer = serving(
      {},
      {
        "POST evaluations": (_, { body }) => {
          created.push(body);
          return json({}, 201);
        },
      },
    );
    await open("receipts/rcl_1", answer);
    await until(() => expect(document.querySelector("tbody input")).not.toBeNull());
    press(RECALLS.evaluate);
    await until(() => expect(text("main [role=status]")).toBe(RECALLS.evaluateFirst));
    expect(created).toEqual([]);
    document.querySelector<HTMLInputElement>("tbody input")?.click();
    await until(() => expect(text("main [role=status]")).toBe(""));
    press(RECALLS.evaluate);
    await until(() => expect(text("main [role=status]")).toBe(RECALLS.evaluated));
    expect(created).toEqual([{ from_recall: "rcl_1", expected: ["msg_1"] }]);
  });

  test("of a context is no evaluation, and shows the budget and the part of each item", async () => {
    const items = [
      { ...memory("mem_1", 1), part: "memories" },
      message(1, { part: "messages", score: null }),
    ];
    const request = { conversation_id: "conv_1", max_tokens: 4000 };
    await open("receipts/rcl_1", serving({ operation: "getContext", request, items }));
    await until(() => expect(text("h1")).toBe(RECALLS.noQuery));
    expect(text(".facts")).toContain("31 of 4,000");
    expect(rows(RECALLS.items).map(([, , part]) => part)).toEqual(["Memories", "Newest messages"]);
    expect(text(".screen-head")).not.toContain(RECALLS.evaluate);
  });
});

test("the link of a recorded search sends the same search again", () => {
  const request = {
    ...{ query: "refund", mode: "keyword", limit: 20, in: ["conversations", "memories"], user_id: "maria" },
    ...{ tags_any: ["a", "b"], roles: ["user"], created_after: new Date(2026, 10, 2).toISOString() },
    ...{ created_before: "2026-11-03T09:30:15.000Z", min_relevance: 0.3 },
  };
  const { path, query } = placeOfRequest({ operation: "search", request });
  expect(path).toEqual(["search"]);
  expect(query).toMatchObject({ created_after: "2026-11-02", created_before: "2026-11-03T09:30:15.000Z" });
  const values = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
  expect(searchBody((name) => values[name] as string | undefined)).toEqual({ ...request, explain: true });
  expect(filtersOf({ operation: "search", request })).toEqual([
    ...["Mode: keyword", "Minimum relevance: 0.3", "User: maria", "Any of the tags: a, b", "Role: user"],
    ...["Created after: 2026-11-02", "Created before: 2026-11-03T09:30:15.000Z"],
  ]);
});

test("the link of a recorded context has its budget and shares", () => {
  const request = { query: "q", max_tokens: 500, shares: { memories: 0.4 }, conversation_id: "conv_1" };
  expect(placeOfRequest({ operation: "getContext", request })).toMatchObject({
    path: ["context"],
    query: { q: "q", max_tokens: "500", share_memories: "0.4", conversation_id: "conv_1" },
  });
});
