// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { MESSAGES } from "../src/messages.ts";
import { emptyStore, open, text } from "./support/app.tsx";
import { json, problem, REQUEST_ID, SECRET, until } from "./support/service.ts";

/** Places that ask the service for something when they are opened. */
const PLACES = [
  ...["", "search?q=refund", "context?q=refund", "conversations", "memories", "entities", "users"],
  ...["events", "operations", "usage", "audit", "keys", "webhooks", "organizations"],
  ...["conversations/conv_1", "memories/mem_1", "entities/ent_1", "operations/op_1", "webhooks/wh_1"],
];

test("a sign-in link of another organization is asked about, as text", async () => {
  const { otherOrganization } = await import("../src/session.ts");
  const asked = await open("", emptyStore);
  await until(() => expect(text("nav")).not.toBe(""));
  const key = { id: "key_link", secret: SECRET } as never;
  otherOrganization.value = { key, from: "Acme (org_own)", to: "<b>Other</b> (org_link)" };
  await until(() => expect(text(".sign-in")).toContain("Acme (org_own)"));
  expect(text(".sign-in")).toContain("<b>Other</b> (org_link)");
  expect(text("nav")).toBe("");
  const stay = [...document.querySelectorAll("button")].find(
    ({ textContent }) => textContent === MESSAGES.switchOrganization.stay,
  );
  stay?.click();
  await until(() => expect(text("nav")).not.toBe(""));
  await until(() => expect(asked).toContain("DELETE /v1/keys/key_link"));
});

describe("each screen", () => {
  test.for(PLACES)("%s says that the key may not see it, with the request id", async (place) => {
    await open(place, () => problem(403, "forbidden", "The key lacks the scope `read`."));
    await until(() => expect(text("main .state.forbidden")).toContain(REQUEST_ID));
    expect(text("main .state.forbidden")).toContain("The key lacks the scope `read`.");
    expect(text("main .state.forbidden")).not.toContain(MESSAGES.tryAgain);
  });

  test.for(PLACES)("%s shows why it fails, as text, and can be tried again", async (place) => {
    const asked = await open(place, () => problem(409, "conflict", "Not <b>now</b>."));
    await until(() => expect(text("main .state.failed")).toContain("Not <b>now</b>."));
    expect(text("main .state.failed")).toContain(REQUEST_ID);
    expect(document.querySelector("main b")).toBeNull();
    const before = asked.length;
    const buttons = [...document.querySelectorAll<HTMLButtonElement>("main .state.failed button")];
    buttons.find(({ textContent }) => textContent === MESSAGES.tryAgain)?.click();
    await until(() => expect(asked.length).toBeGreaterThan(before));
  });

  test.for(PLACES.filter((place) => !/\/(conv|mem|op|wh)_/.test(place)))(
    "%s says so when there is nothing to show",
    async (place) => {
      await open(place, emptyStore);
      await until(() => expect(document.querySelector("main .state.empty")).not.toBeNull());
      expect(document.querySelector("main .state.failed")).toBeNull();
    },
  );
});

describe("a list", () => {
  const conversation = (i: number, title: string) => ({
    ...{ id: `conv_${i}`, title, user_id: null, agent_id: null, tags: ["<i>tag</i>"] },
    ...{ message_count: i, created_at: "2026-11-02T09:30:00.000Z", last_message_at: null },
  });

  test("shows stored text as text, and the next page on request", async () => {
    await open("conversations?order=asc", ({ searchParams }) =>
      searchParams.has("cursor")
        ? json({ items: [conversation(2, "Second")], next_cursor: null, total: 2 })
        : json({ items: [conversation(1, "<b>First</b>\u202e")], next_cursor: "next", total: 2 }),
    );
    await until(() => expect(text("tbody")).toContain("<b>First</b>U+202E"));
    expect(document.querySelector("main :is(b, i)")).toBeNull();
    expect(text(".table-foot")).toContain("1 of 2");
    document.querySelector<HTMLButtonElement>(".table-foot button")?.click();
    await until(() => expect(text("tbody")).toContain("Second"));
    expect(document.querySelector(".table-foot button")).toBeNull();
  });

  test("says that it does not follow the changes any more, and why", async () => {
    await open("conversations", (url) =>
      url.pathname === "/v1/events"
        ? problem(409, "conflict", "The log is closed.")
        : json({ items: [conversation(1, "First")], next_cursor: null, total: 1 }),
    );
    await until(() => expect(text("main .state.failed")).toContain(MESSAGES.notLive));
    expect(text("main .state.failed")).toContain("The log is closed.");
    expect(text("tbody")).toContain("First");
  });

  test("keeps its filters in the URL, and asks the service with them", async () => {
    const asked = await open("conversations?user_id=maria&tags_any=a,b", emptyStore);
    await until(() => expect(text("main .state.empty")).toContain(MESSAGES.conversations.noMatch));
    expect(asked[0]).toMatch(/user_id=maria.*tags_any=a&tags_any=b/);
    const field = document.querySelector<HTMLInputElement>("#filter-agent_id");
    Object.assign(field as HTMLInputElement, { value: "support" }).dispatchEvent(new Event("change"));
    await until(() => expect(location.hash).toContain("agent_id=support"));
    expect(location.hash).toContain("user_id=maria");
  });
});

describe("a form", () => {
  const field = (name: string) =>
    document.querySelector<HTMLInputElement>(`[name="${name}"]`) as HTMLInputElement;
  const query = () => Object.fromEntries(new URLSearchParams(location.hash.split("?")[1]));

  test.for([
    ["context?conversation_id=conv_1", { conversation_id: "conv_1" }],
    ["search", {}],
    ["search?q=a&b.q=b&b.limit=7&tags_any=x", { "b.q": "b", "b.limit": "7", tags_any: "x" }],
  ] as const)(
    "on %s sends what is typed in its query along with a changed filter",
    async ([place, before]) => {
      await open(place, emptyStore);
      await until(() => expect(field("q")).not.toBeNull());
      field("q").value = "when? ";
      field("user_id").value = "maria";
      field("user_id").dispatchEvent(new Event("change", { bubbles: true }));
      await until(() => expect(query()).toEqual({ ...before, q: "when?", user_id: "maria" }));
    },
  );

  test("shows what the URL says after each change of it, also values that are not among the choices", async () => {
    await open("search?q=first&limit=7&user_id=maria", emptyStore);
    await until(() => expect(field("q")?.value).toBe("first"));
    expect([field("limit").value, field("user_id").value]).toEqual(["7", "maria"]);
    field("q").value = "typed, but not sent";
    location.hash = "#/search?q=second&mode=keyword";
    await until(() => expect(field("q").value).toBe("second"));
    expect([field("mode").value, field("limit").value, field("user_id").value]).toEqual(["keyword", "", ""]);
  });

  test("keeps a budget that is between two steps of its slider until the slider is moved", async () => {
    await open("context?user_id=maria&max_tokens=5000", emptyStore);
    await until(() => expect(field("q")).not.toBeNull());
    field("q").value = "when?";
    field("q").form?.requestSubmit();
    await until(() => expect(query()).toEqual({ q: "when?", user_id: "maria", max_tokens: "5000" }));
    field("max_tokens").value = "0";
    field("max_tokens").dispatchEvent(new Event("change", { bubbles: true }));
    await until(() => expect(query()).toEqual({ q: "when?", user_id: "maria", max_tokens: "300" }));
  });

  test("clears its filters, and sends what is typed in its query", async () => {
    await open("search?q=a&user_id=maria&limit=5", emptyStore);
    await until(() => expect(field("q")).not.toBeNull());
    field("q").value = "when?";
    document.querySelector<HTMLButtonElement>(".filters .link")?.click();
    await until(() => expect(query()).toEqual({ q: "when?" }));
  });
});

describe("the keys", () => {
  const key = (i: number, name: string, hours: number | null) => ({
    ...{ id: `key_${i}`, name, prefix: `engram_sk_live_${i}`, scopes: ["read"], agent_id: null },
    ...{ user_id: null, created_at: "2026-11-02T09:00:00.000Z", revoked_at: null, last_used_at: null },
    expires_at: hours === null ? null : new Date(Date.UTC(2026, 10, 2, 9 + hours)).toISOString(),
    rotated_to: null,
  });
  const keys = [
    key(4, "console sign-in", 12),
    key(3, "worker", null),
    key(2, "console sign-in", 12),
    // Somebody's own key, which does not end by itself.
    key(1, "console sign-in", null),
  ];
  const names = () =>
    [...document.querySelectorAll("tbody tr")].map((row) => row.querySelector("code, strong")?.textContent);

  test("of sign-in links are one row, marked, and listed on request", async () => {
    await open("keys", () => json({ items: keys, next_cursor: null }));
    const group = MESSAGES.keys.signIns;
    await until(() => expect(names()).toEqual([group, "engram_sk_live_3…", "engram_sk_live_1…"]));
    expect(text("tbody tr")).toContain(MESSAGES.keys.activeOf(0, 2));
    expect(text("tbody tr .badge")).toBe(MESSAGES.keys.fromLinks);
    document.querySelector<HTMLButtonElement>("tbody [aria-expanded]")?.click();
    const all = ["engram_sk_live_4…", "engram_sk_live_3…", "engram_sk_live_2…", "engram_sk_live_1…"];
    await until(() => expect(names()).toEqual([group, ...all]));
  });
});
