// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { ChatRows } from "../src/chat-rows.ts";
import { MESSAGES } from "../src/messages.ts";
import { emptyStore, open, text } from "./support/app.tsx";
import { type Answer, json, problem, until } from "./support/service.ts";

describe("a conversation", () => {
  const AT = "2026-11-02T09:30:00.000Z";
  const said = (sequence: number, fields: object = {}) => ({
    ...{ id: `msg_${sequence}`, sequence, role: "user", content: `No. ${sequence}`, name: null, parts: null },
    ...{ tool_call_id: null, tool_name: null, external_id: null, metadata: {}, created_at: AT },
    ...{ stored_at: AT, updated_at: null },
    ...fields,
  });
  /** A conversation that has only some of its messages, in pages as the service answers them. */
  const having =
    (sequences: number[], last: number, metadata: object, fields: Record<number, object> = {}): Answer =>
    (url) => {
      if (url.pathname === "/v1/conversations/conv_1")
        return json({
          ...{ id: "conv_1", title: "Gaps", tags: [], metadata, external_id: null, user_id: null },
          ...{ agent_id: null, created_at: AT, updated_at: AT, message_count: sequences.length },
          ...{ last_sequence: last, messages: [] },
        });
      if (!url.pathname.endsWith("/messages")) return emptyStore(url, { method: "GET", body: undefined });
      const from = Number(url.searchParams.get("from_sequence"));
      const limit = Number(url.searchParams.get("limit"));
      const items = sequences.filter((sequence) => sequence >= from).slice(0, limit);
      return json({ items: items.map((sequence) => said(sequence, fields[sequence])), next_cursor: null });
    };

  test("shows a run of messages that are not here as one line, with the way to where they are", async () => {
    await open("conversations/conv_1", having([41, 42, 44], 44, { branch_of: "conv_0" }));
    await until(() => expect(text(".virtual-list")).toContain("No. 44"));
    const lines = [...document.querySelectorAll(".message.gone")].map(({ textContent }) => textContent);
    expect(lines).toEqual([
      `40 messages are not here (1–40) ${MESSAGES.conversation.continued}`,
      "Message 43 is not here ",
    ]);
    expect(document.querySelector(".message.gone a")?.getAttribute("href")).toBe(
      "#/conversations/conv_0?at=40",
    );
  });

  test("asks for the messages after thousands that are not here in one request", async () => {
    // The page follows changes only afterwards. A change during the request makes the page ask again.
    const answered = Promise.withResolvers<void>();
    const answer = having([10_001, 10_002], 10_002, {});
    const asked = await open("conversations/conv_1", async (url, init) => {
      if (url.pathname === "/v1/events") await answered.promise;
      return answer(url, init);
    });
    await until(() => expect(text(".virtual-list")).toContain("No. 10002"));
    expect(text(".message.gone")).toContain("10,000 messages are not here");
    const messages = new Set(asked.filter((line) => line.includes("/messages?")));
    expect([...messages]).toEqual(["GET /v1/conversations/conv_1/messages?from_sequence=1&limit=50"]);
    answered.resolve();
  });

  test("without any message is one line", async () => {
    await open("conversations/conv_1", having([], 12, {}));
    await until(() => expect(text(".message.gone")).toContain("12 messages are not here"));
    expect(document.querySelectorAll(".virtual-row")).toHaveLength(1);
  });

  const call = (id: string) => ({
    role: "assistant",
    content: `{"of":"${id}"}`,
    tool_call_id: id,
    tool_name: "find",
  });
  const result = (id: string) => ({ role: "tool", content: `found ${id}`, tool_call_id: id });
  const rows = () =>
    [...document.querySelectorAll<HTMLElement>(".virtual-row")].map(
      ({ dataset }) => Number(dataset.index) + 1,
    );

  test("shows the result of a tool call in the row of the call, also of calls in parallel", async () => {
    const fields = { 2: call("a"), 3: call("b"), 4: result("b"), 5: result("a"), 7: result("other") };
    await open("conversations/conv_1", having([1, 2, 3, 4, 5, 6, 7], 7, {}, fields));
    await until(() => expect(rows()).toEqual([1, 2, 3, 6, 7]));
    const lines = [...document.querySelectorAll(".call > summary")].map(({ textContent }) => textContent);
    expect(lines).toEqual(["findof: a→ found a", "findof: b→ found b", "Tool→ found other"]);
    expect(text(".virtual-row:nth-child(2) .tool-result")).toContain("#5");
  });

  test("has a heading for each day, and names a speaker once", async () => {
    const day = (date: string) => ({ created_at: `2025-11-${date}T12:00:00.000Z` });
    const fields = { 1: day("02"), 2: day("02"), 3: day("04"), 4: { ...day("04"), role: "assistant" } };
    await open("conversations/conv_1", having([1, 2, 3, 4], 4, {}, fields));
    await until(() => expect(document.querySelectorAll(".day")).toHaveLength(2));
    expect([...document.querySelectorAll(".day")].map(({ textContent }) => textContent)).toEqual([
      "Sunday, November 2, 2025",
      "Tuesday, November 4, 2025",
    ]);
    const named = [...document.querySelectorAll(".message:not(.continued)")].length;
    expect(named).toBe(3);
  });

  test("is formatted as Markdown, and the text as stored is one key away and kept", async () => {
    const stored = "**bold**\u202e";
    await open("conversations/conv_1", having([1], 1, {}, { 1: { content: stored } }));
    await until(() => expect(text(".markdown strong")).toBe("bold"));
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "m", bubbles: true }));
    await until(() => expect(text(".message .body")).toBe("**bold**U+202E"));
    expect(localStorage.getItem("engram.markdown")).toBe("off");
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "m", bubbles: true }));
    await until(() => expect(text(".message .body strong")).toBe("bold"));
    expect(localStorage.getItem("engram.markdown")).toBeNull();
  });

  test("is scrolled to its last message by each press of the button, also the second one", async () => {
    await open("conversations/conv_1", having([1, 2, 3], 3, {}));
    await until(() => expect(text(".virtual-list")).toContain("No. 3"));
    const list = document.querySelector(".virtual-list") as HTMLElement;
    const latest = [...document.querySelectorAll<HTMLButtonElement>(".chat-bar button")].find(
      ({ textContent }) => textContent === MESSAGES.conversation.latest,
    );
    for (let presses = 0; presses < 2; presses++) {
      list.scrollTop = 0;
      latest?.click();
      await until(() => expect(list.scrollTop).toBeGreaterThan(0));
      expect(location.hash).toBe("#/conversations/conv_1?at=3");
    }
  });

  test("unfolds the message that has the focus by a key, and folds it again", async () => {
    await open("conversations/conv_1", having([1, 2, 3], 3, {}, { 2: call("a"), 3: result("a") }));
    await until(() => expect(document.querySelector(".call")).not.toBeNull());
    const press = (key: string) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    press("j");
    press("j");
    const focused = document.activeElement as HTMLElement;
    expect(focused.textContent).toContain("found a");
    const fold = focused.querySelector("details.call") as HTMLDetailsElement;
    press("o");
    expect(fold.open).toBe(true);
    press("Enter");
    expect(fold.open).toBe(false);
    press("k");
    expect(document.activeElement?.textContent).toContain("No. 1");
  });
});

describe("the list of conversations", () => {
  const AT = "2026-11-02T09:30:00.000Z";
  const item = (i: number, fields: object = {}) => ({
    ...{ id: `conv_${i}`, title: `No. ${i}`, user_id: null, agent_id: null, tags: [], message_count: 1 },
    ...{ created_at: AT, updated_at: AT, last_message_at: AT, metadata: {} },
    last_message: { id: "msg_1", sequence: 1, role: "user", name: null, excerpt: `Said in ${i}` },
    ...fields,
  });
  const listOf =
    (items: object[], others: Answer = emptyStore): Answer =>
    (url, init) =>
      url.pathname === "/v1/conversations"
        ? json({ items, next_cursor: null, total: items.length })
        : others(url, init);
  const boxes = () => [...document.querySelectorAll<HTMLInputElement>("tbody input[type=checkbox]")];
  const selected = () => boxes().map(({ checked }) => checked);
  const press = (name: string, within = "body") =>
    [...document.querySelectorAll<HTMLButtonElement>(`${within} button`)]
      .findLast(({ textContent }) => textContent === name)
      ?.click();

  test("is sorted by the time of the last message, whose text it shows with its speaker", async () => {
    const last = (fields: object) => ({ id: "msg_1", sequence: 1, role: "assistant", name: null, ...fields });
    const asked = await open(
      "conversations",
      listOf([
        item(1, { last_message: last({ excerpt: "<b>Done</b>" }) }),
        item(2, {
          title: null,
          last_message: last({ name: "Maria", excerpt: "one two three four five six seven eight nine" }),
        }),
        item(3, { title: null, last_message: null, last_message_at: null }),
      ]),
    );
    await until(() => expect(document.querySelectorAll("tbody tr")).toHaveLength(3));
    expect(asked.find((line) => line.includes("/conversations?"))).toMatch(
      /sort=last_message_at.*include_last_message=true/,
    );
    const cells = [...document.querySelectorAll("td.wide")].map(({ textContent }) => textContent);
    expect(cells).toEqual([
      "No. 1Assistant <b>Done</b>",
      "one two three four five six seven eight…Maria one two three four five six seven eight nine",
      `${MESSAGES.conversations.untitled}${MESSAGES.conversations.noMessages}`,
    ]);
    expect(document.querySelector("time")?.title).toContain(`(${AT})`);
  });

  test("selects a range with the shift key, and all with one box", async () => {
    await open("conversations?order=asc", listOf([1, 2, 3, 4, 5].map((i) => item(i))));
    await until(() => expect(boxes()).toHaveLength(5));
    const click = (i: number, shiftKey = false) =>
      boxes()[i]?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey }));
    click(3);
    await until(() => expect(selected()).toEqual([false, false, false, true, false]));
    click(1, true);
    await until(() => expect(selected()).toEqual([false, true, true, true, false]));
    expect(text(".selection-bar strong")).toBe(MESSAGES.bulk.selected(3));
    click(2);
    await until(() => expect(selected()).toEqual([false, true, false, true, false]));
    document.querySelector<HTMLInputElement>("thead input")?.click();
    await until(() => expect(selected()).toEqual([true, true, true, true, true]));
    press(MESSAGES.bulk.clear);
    await until(() => expect(document.querySelector(".selection-bar")).toBeNull());
  });

  test("selects the item that has the focus by x, and no other", async () => {
    await open("conversations?order=asc", listOf([1, 2, 3].map((i) => item(i))));
    await until(() => expect(boxes()).toHaveLength(3));
    const key = (name: string) =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent("keydown", { key: name, bubbles: true }),
      );
    key("x");
    expect(selected()).toEqual([false, false, false]);
    for (const name of ["j", "j", "x"]) key(name);
    await until(() => expect(selected()).toEqual([false, true, false]));
    expect(text(".selection-bar strong")).toBe(MESSAGES.bulk.selected(1));
    key("x");
    await until(() => expect(selected()).toEqual([false, false, false]));
  });

  test("says which of the selected were deleted and why others were not, and tries those again", async () => {
    let isLocked = true;
    const asked = await open(
      "conversations?order=asc",
      listOf([item(1), item(2), item(3)], (url, init) => {
        if (init.method !== "DELETE") return emptyStore(url, init);
        return isLocked && url.pathname.endsWith("conv_2")
          ? problem(409, "conflict", "It is <b>locked</b>.")
          : json({ id: "op_1", type: "delete_conversation", status: "running" });
      }),
    );
    await until(() => expect(boxes()).toHaveLength(3));
    document.querySelector<HTMLInputElement>("thead input")?.click();
    await until(() => expect(document.querySelector(".selection-bar")).not.toBeNull());
    press(MESSAGES.bulk.delete);
    await until(() => expect(text("dialog p")).toContain("3 conversations with 3 messages"));
    press(MESSAGES.bulk.deleteCount(3), "dialog");
    await until(() => expect(text("dialog .state.failed")).toContain("No. 2: It is <b>locked</b>."));
    await until(() => expect(text("dialog .fields")).toContain(MESSAGES.bulk.deleted(2)));
    expect(text("tbody")).toContain("No. 2");
    expect(text("tbody")).not.toContain("No. 1");
    isLocked = false;
    press(MESSAGES.tryAgain, "dialog");
    await until(() => expect(text("dialog .fields")).toContain(MESSAGES.bulk.deleted(3)));
    expect(asked.filter((line) => line.startsWith("DELETE"))).toHaveLength(4);
    press(MESSAGES.close, "dialog");
    await until(() => expect(document.querySelector("dialog")).toBeNull());
  });

  test("adds a tag to those that have it stored as they are now, and loses none of others", async () => {
    const stored = { tags: ["vip"], messages: { items: [] } };
    const bodies: unknown[] = [];
    await open(
      "conversations?order=asc",
      listOf([item(1), item(2)], (url, { method, body }) => {
        if (method === "PATCH") bodies.push(body);
        const { id, ...rest } = item(Number(url.pathname.at(-1)));
        const answer = json({ id, ...rest, ...stored, ...(body as object) });
        answer.headers.set("etag", '"1"');
        return answer;
      }),
    );
    await until(() => expect(boxes()).toHaveLength(2));
    boxes()[0]?.click();
    await until(() => expect(document.querySelector(".selection-bar")).not.toBeNull());
    press(MESSAGES.bulk.addTag);
    await until(() => expect(document.querySelector("dialog input")).not.toBeNull());
    (document.querySelector("dialog input") as HTMLInputElement).value = "billing, old";
    press(MESSAGES.bulk.addTag, "dialog");
    await until(() => expect(text("dialog .fields")).toContain(MESSAGES.bulk.tagged(1)));
    expect(bodies).toEqual([{ tags: ["vip", "billing, old"] }]);
    expect(text("tbody tr")).toContain("billing, old");
  });

  test("keeps its filters as a view under a name, which is an address and can be deleted", async () => {
    localStorage.removeItem("engram.views");
    await open("conversations?user_id=maria&tags_any=a", listOf([item(1)]));
    await until(() => expect(text(".views")).toContain(MESSAGES.conversations.saveView));
    press(MESSAGES.conversations.saveView);
    await until(() => expect(document.querySelector("dialog input")).not.toBeNull());
    (document.querySelector("dialog input") as HTMLInputElement).value = "<i>Maria</i>";
    press(MESSAGES.save, "dialog");
    await until(() => expect(text(".views [aria-current]")).toBe("<i>Maria</i>"));
    expect(document.querySelector(".views [aria-current]")?.getAttribute("href")).toBe(
      "#/conversations?tags_any=a&user_id=maria",
    );
    expect(JSON.parse(localStorage.getItem("engram.views") ?? "")).toEqual([
      { name: "<i>Maria</i>", query: "tags_any=a&user_id=maria" },
    ]);
    expect(text(".views")).not.toContain(MESSAGES.conversations.saveView);
    document.querySelector<HTMLButtonElement>(".view button")?.click();
    await until(() => expect(localStorage.getItem("engram.views")).toBeNull());
  });
});

describe("the rows of a conversation", () => {
  type Stored = { role: string; tool_call_id: string | null; tool_name: string | null };
  const plain = { role: "user", tool_call_id: null, tool_name: null };
  /** Of messages, of which undefined is not loaded and null does not exist. */
  const rowsOf = (messages: readonly (Stored | null | undefined)[]) => {
    const at = (index: number) => {
      const message = messages[index];
      return message && { content: "", parts: null, ...message };
    };
    const gapAt = (index: number) => (at(index) === null ? { start: index, end: index + 1 } : undefined);
    return new ChatRows({ at, gapAt } as never, messages.length);
  };
  const call = { role: "assistant", tool_call_id: "a", tool_name: "find" };
  const result = { role: "tool", tool_call_id: "a", tool_name: null };

  test("have a result with its call if it is among the 50 messages after it", () => {
    const between = (count: number) => [call, ...Array.from({ length: count }, () => plain), result];
    expect(rowsOf(between(49)).callOf(50)).toBe(0);
    expect(rowsOf(between(49)).rowOf(50)).toBe(0);
    expect(rowsOf(between(49)).runAt(50)).toEqual({ start: 49, end: 51 });
    expect(rowsOf(between(49)).resultsOf(0)).toHaveLength(1);
    expect(rowsOf(between(50)).callOf(51)).toBeUndefined();
    expect(rowsOf(between(50)).resultsOf(0)).toEqual([]);
  });

  test("have a result of its own while its call is not loaded, or has no such id", () => {
    expect(rowsOf([undefined, result]).runAt(1)).toBeUndefined();
    expect(rowsOf([{ ...call, tool_call_id: "b" }, result]).runAt(1)).toBeUndefined();
    expect(rowsOf([call, { ...result, role: "user" }]).runAt(1)).toBeUndefined();
  });

  test("are the same from whichever of their messages they are asked for", () => {
    const rows = rowsOf([plain, call, null, result, result, plain]);
    const runs = [0, 1, 2, 3, 4, 5].map((index) => rows.runAt(index));
    const shared = { start: 2, end: 5 };
    expect(runs).toEqual([undefined, undefined, shared, shared, shared, undefined]);
    expect(rows.before(5)).toBeNull();
    expect(rows.before(1)).toMatchObject(plain);
  });
});
