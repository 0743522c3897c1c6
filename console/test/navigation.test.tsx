// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { MESSAGES } from "../src/messages.ts";
import { open, text } from "./support/app.tsx";
import { type Answer, json, until } from "./support/service.ts";

const { choicesOf } = await import("../src/palette.tsx");
const { OPERATOR_PLACES, PLACES } = await import("../src/screens.ts");
const { chooseTheme, theme } = await import("../src/theme.ts");

const places = PLACES.flatMap((group) => group.places);
const press = (key: string, init: KeyboardEventInit = {}, target: EventTarget = document.body) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));
const nothing = () => json({ items: [], next_cursor: null, total: 0 });
const TIME = "2026-11-02T09:30:00.000Z";
const ITEM = {
  ...{ title: null, tags: [], user_id: null, agent_id: null, message_count: 0 },
  ...{ last_message: null, last_message_at: null, created_at: TIME, updated_at: TIME },
};
const two = () =>
  json({
    items: ["conv_1", "conv_2"].map((id) => ({ ...ITEM, id })),
    next_cursor: null,
    total: 2,
  });

describe("the palette", () => {
  const leadsTo = (typed: string) =>
    choicesOf(typed, false).map(({ path, query }) => [path.join("/"), query]);

  test.for([
    ["conv_1", "conversations/conv_1", undefined],
    ["msg_1", "messages/msg_1", undefined],
    ["mem_1", "memories/mem_1", undefined],
    ["ent_1", "entities/ent_1", undefined],
    ["op_1", "operations/op_1", undefined],
    ["rcl_1", "receipts/rcl_1", undefined],
    ["wh_1", "webhooks/wh_1", undefined],
    ["key_1", "usage", { key_id: "key_1" }],
    ["req_1", "trace/req_1", undefined],
  ] as const)("leads from the id %s to %s, and to a search for it", ([id, path, query]) => {
    expect(leadsTo(` ${id} `)).toEqual([
      [path, query],
      ["search", { q: id }],
    ]);
  });

  test("lists every place, and those whose names have all typed words", () => {
    expect(choicesOf("", false).map(({ label }) => label)).toEqual(places.map(({ label }) => label));
    expect(leadsTo("oper INDEX")[0]).toEqual(["operations", undefined]);
  });

  test("searches for any other words as they are typed", () => {
    expect(leadsTo("refund of order 1029")).toEqual([["search", { q: "refund of order 1029" }]]);
    expect(leadsTo("constructor_1")).toEqual([["search", { q: "constructor_1" }]]);
  });

  test("offers the operator no data of an organization", () => {
    expect(choicesOf("conv_1", true)).toEqual([]);
    expect(choicesOf("", true).map(({ path }) => path)).toEqual([["organizations"]]);
  });

  test.for([{ ctrlKey: true }, { metaKey: true }])(
    "opens by K with %j, also in a field, and goes on Enter",
    async (keys) => {
      await open("conversations", nothing);
      await until(() => expect(document.querySelector("#filter-sort")).not.toBeNull());
      press("k", keys, document.querySelector("#filter-sort") as Element);
      await until(() => expect(document.querySelector(".palette input")).not.toBeNull());
      const field = document.querySelector(".palette input") as HTMLInputElement;
      field.value = "usage";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await until(() => expect(text(".palette [aria-selected=true]")).toContain("Usage"));
      press("Enter", {}, field);
      await until(() => expect(location.hash).toBe("#/usage"));
      await until(() => expect(document.querySelector("dialog")).toBeNull());
    },
  );
});

describe("a message by its id alone", () => {
  const answer =
    (isThere: boolean): Answer =>
    ({ pathname, searchParams }) => {
      if (pathname === "/v1/conversations/conv_1/messages/msg_7")
        return json({ id: "msg_7", conversation_id: "conv_1", sequence: 7 });
      if (pathname === "/v1/conversations" && searchParams.get("message_id") === "msg_7")
        return json({ items: isThere ? [{ ...ITEM, id: "conv_1" }] : [], next_cursor: null });
      return pathname === "/v1/conversations/conv_1"
        ? json({ ...ITEM, id: "conv_1", metadata: {}, last_sequence: 0 })
        : nothing();
    };

  test("is shown in its conversation, and Back does not return to the id", async () => {
    const before = history.length;
    await open("messages/msg_7", answer(true));
    await until(() => expect(location.hash).toBe("#/conversations/conv_1?at=7"));
    await until(() => expect(text("h1")).toBe(MESSAGES.conversation.untitled));
    expect(history.length).toBeLessThanOrEqual(before + 1);
  });

  test("that is not there is said so", async () => {
    await open("messages/msg_7", answer(false));
    await until(() => expect(text("main .state.empty")).toContain(MESSAGES.conversation.noSuchMessage));
  });
});

describe("a shortcut", () => {
  test.for(places)("g $letter goes to $label", async ({ letter, name }) => {
    await open(name === "users" ? "keys" : "users", nothing);
    await until(() => expect(text("h1")).not.toBe(""));
    press("g");
    press(letter);
    await until(() => expect(location.hash).toBe(`#/${name}`));
  });

  test("has a letter of its own for each place", () => {
    expect(new Set(places.map(({ letter }) => letter)).size).toBe(places.length);
    expect(OPERATOR_PLACES.flatMap((group) => group.places)).toHaveLength(1);
  });

  test("moves to the next and the previous item of the list, and is left to a field while one types", async () => {
    await open("conversations", two);
    await until(() => expect(document.querySelectorAll("[data-item]")).toHaveLength(2));
    const focused = () => document.activeElement?.getAttribute("href");
    press("j");
    press("j");
    expect(focused()).toBe("#/conversations/conv_2");
    press("k");
    expect(focused()).toBe("#/conversations/conv_1");
    const field = document.querySelector("#filter-sort") as HTMLSelectElement;
    field.focus();
    for (const key of ["j", "?", "/", "g", "u"]) press(key, {}, field);
    expect(document.activeElement).toBe(field);
    expect(location.hash).toBe("#/conversations");
    expect(document.querySelector("dialog")).toBeNull();
  });

  test("of one letter does nothing while a menu is open, which Tab closes", async () => {
    await open("conversations", two);
    await until(() => expect(document.querySelectorAll("[data-item]")).toHaveLength(2));
    const item = document.querySelector("[role=menu] [role=menuitem]") as HTMLElement;
    item.focus();
    for (const key of ["j", "x", "?", "/", "g", "u"]) press(key, {}, item);
    expect(document.activeElement).toBe(item);
    expect(location.hash).toBe("#/conversations");
    expect(document.querySelector("dialog, .selection-bar")).toBeNull();
    let isHidden = false;
    const hidePopover = () => {
      isHidden = true;
    };
    Object.assign(item.closest("[role=menu]") as HTMLElement, { hidePopover });
    press("Tab", {}, item);
    expect(isHidden).toBe(true);
  });

  test("moves over rows that open nothing, too", async () => {
    const none = { requests: 1, messages: 0, message_bytes: 0, searches: 0, errors: 0, embeddings: 0 };
    const items = ["2026-11-02", "2026-11-01"].map((day) => ({ ...none, day, key_id: null }));
    await open("usage", () => json({ items, next_cursor: null }));
    await until(() => expect(document.querySelectorAll("tbody tr")).toHaveLength(2));
    press("j");
    press("j");
    expect(document.activeElement).toBe(document.querySelectorAll("tbody tr")[1]);
  });

  test("/ goes to the search, and its field", async () => {
    await open("keys", nothing);
    await until(() => expect(text("h1")).not.toBe(""));
    press("/");
    await until(() => expect(location.hash).toBe("#/search"));
    await until(() => expect(document.querySelector("[data-search]")).not.toBeNull());
    press("/");
    expect(document.activeElement).toBe(document.querySelector("[data-search]"));
  });

  test("? shows all of them, those of the places, too", async () => {
    await open("keys", nothing);
    await until(() => expect(text("h1")).not.toBe(""));
    press("?");
    await until(() => expect(document.querySelector("dialog")).not.toBeNull());
    const shown = [...document.querySelectorAll(".shortcuts dd")].map(({ textContent }) => textContent);
    expect(shown).toEqual([
      MESSAGES.palette.text,
      ...MESSAGES.shortcuts.map(([, what]) => what),
      ...places.map(({ label }) => label),
    ]);
  });
});

test("the theme that is chosen stays in this browser, and the system's leaves nothing there", () => {
  const { dataset } = document.documentElement;
  for (const chosen of ["dark", "light"] as const) {
    chooseTheme(chosen);
    expect([dataset.theme, localStorage.getItem("engram.theme")]).toEqual([chosen, chosen]);
  }
  chooseTheme("system");
  expect([dataset.theme, localStorage.getItem("engram.theme"), theme.value]).toEqual([
    undefined,
    null,
    "system",
  ]);
});
