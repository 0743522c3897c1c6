// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { MEMBERS } from "../src/member-messages.ts";
import { MESSAGES } from "../src/messages.ts";
import { emptyStore, open, text } from "./support/app.tsx";
import { type Answer, json, problem, REQUEST_ID, SECRET, until } from "./support/service.ts";

/** Places that ask the service for something when they are opened. */
const PLACES = [
  ...["", "search?q=refund", "context?q=refund", "conversations", "memories", "entities", "users"],
  ...["events", "operations", "usage", "audit", "keys", "webhooks", "organizations"],
  ...["tombstones", "grants", "settings", "receipts", "evaluations", "retention", "holds", "archives"],
  ...["conversations/conv_1", "messages/msg_1", "memories/mem_1", "entities/ent_1", "users/user_1"],
  ...["operations/op_1", "webhooks/wh_1", "receipts/rcl_1", "trace/conv_1", "trace/req_1"],
];

/** Chooses a filter in the menu "+ Filter". @returns Its field, which has the focus. */
async function addFilter(label: string): Promise<HTMLInputElement> {
  const items = [...document.querySelectorAll<HTMLButtonElement>("[role=menuitem]")];
  items.find(({ textContent }) => textContent === label)?.click();
  await until(() => expect(document.activeElement?.closest(".chip")?.textContent).toContain(label));
  return document.activeElement as HTMLInputElement;
}

const press = (element: Element | null, key: string) =>
  element?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

/** The chips of the filters that are set, as text. */
const chips = () => [...document.querySelectorAll(".chip")].map(({ textContent }) => textContent);

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
    ({ textContent }) => textContent === MEMBERS.switchOrganization.stay,
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

  test.for(PLACES.filter((place) => !/\/(conv|mem|user|op|wh|rcl)_|settings/.test(place)))(
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
    const field = await addFilter(MESSAGES.filterLabels.agent);
    Object.assign(field, { value: "support" }).dispatchEvent(new Event("change"));
    await until(() => expect(location.hash).toContain("agent_id=support"));
    expect(location.hash).toContain("user_id=maria");
  });

  test("shows only the filters that are set, as chips, and its order always", async () => {
    await open("memories?tags_any=a,b&user_id=maria&created_after=2026-11-02", emptyStore);
    await until(() => expect(chips()).toHaveLength(3));
    const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date(2026, 10, 2));
    expect(chips()).toEqual(["Any of the tags a,b×", "User maria×", `Created after ${day}×`]);
    const choices = (name: string) =>
      [...document.querySelectorAll(`select#filter-${name} option`)].map(({ textContent }) => textContent);
    expect(choices("sort")).toEqual(["Default", "Created", "Updated"]);
    expect(choices("order")).toEqual(["Descending", "Ascending"]);
    expect(document.querySelector("#filter-user_id")).toBeNull();
  });

  test("applies a filter with Enter, gives it up with Escape, and removes it with Delete", async () => {
    await open("memories?user_id=maria", emptyStore);
    await until(() => expect(chips()).toEqual(["User maria×"]));
    document.querySelector<HTMLButtonElement>("[data-filter=user_id]")?.click();
    const field = () => document.querySelector<HTMLInputElement>("#filter-user_id");
    await until(() => expect(document.activeElement).toBe(field()));
    Object.assign(field() as HTMLInputElement, { value: "jon" });
    press(field(), "Escape");
    await until(() => expect(chips()).toEqual(["User maria×"]));
    expect(location.hash).toContain("user_id=maria");
    document.querySelector<HTMLButtonElement>("[data-filter=user_id]")?.click();
    await until(() => expect(field()).not.toBeNull());
    Object.assign(field() as HTMLInputElement, { value: "jon" });
    press(field(), "Enter");
    await until(() => expect(chips()).toEqual(["User jon×"]));
    const chip = document.querySelector("[data-filter=user_id]");
    expect(document.activeElement).toBe(chip);
    press(chip, "Delete");
    await until(() => expect(chips()).toEqual([]));
    expect(location.hash).not.toContain("user_id");
    expect(document.activeElement?.textContent).toBe(MESSAGES.addFilter);
  });

  test("suggests the users that the key may read, and none if it may not", async () => {
    const owned = { tags: ["vip"], agent_id: null };
    const answer: Answer = (url, init) => {
      if (url.pathname === "/v1/users") return problem(403, "forbidden", "The key is bound to a user.");
      if (url.pathname !== "/v1/conversations") return emptyStore(url, init);
      return json({
        items: [
          { ...owned, user_id: "maria" },
          { ...owned, user_id: "maria" },
        ],
        next_cursor: null,
      });
    };
    await open("memories", answer);
    await until(() => expect(text(".add-filter")).not.toBe(""));
    await addFilter(MESSAGES.filterLabels.user);
    const values = () =>
      [...document.querySelectorAll("datalist option")].map((each) => each.getAttribute("value"));
    await until(() => expect(values()).toEqual(["maria"]));
  });

  test("suggests further tags after those that are typed", async () => {
    const answer: Answer = (url, init) =>
      url.pathname === "/v1/conversations"
        ? json({ items: [{ tags: ["vip"], agent_id: null, user_id: null }], next_cursor: null })
        : emptyStore(url, init);
    await open("memories", answer);
    await until(() => expect(text(".add-filter")).not.toBe(""));
    const field = await addFilter(MESSAGES.filterLabels.tagsAny);
    const value = () => document.querySelector("datalist option")?.getAttribute("value");
    await until(() => expect(value()).toBe("vip"));
    Object.assign(field, { value: "billing, v" }).dispatchEvent(new Event("input"));
    await until(() => expect(value()).toBe("billing, vip"));
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
      await addFilter(MESSAGES.filterLabels.user);
      field("user_id").value = "maria";
      field("user_id").dispatchEvent(new Event("change", { bubbles: true }));
      await until(() => expect(query()).toEqual({ ...before, q: "when?", user_id: "maria" }));
    },
  );

  test("shows what the URL says after each change of it, also values that are not among the choices", async () => {
    await open("search?q=first&limit=7&user_id=maria", emptyStore);
    await until(() => expect(field("q")?.value).toBe("first"));
    expect(chips()).toEqual(["Results 7×", "User maria×"]);
    field("q").value = "typed, but not sent";
    location.hash = "#/search?q=second&mode=keyword";
    await until(() => expect(field("q").value).toBe("second"));
    expect(chips()).toEqual(["Mode keyword×"]);
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

describe("a result of a search", () => {
  const AT = "2026-11-02T09:30:00.000Z";
  const none = { message: 0, window: 0, conversation: 0, chunk: 0, answer: 0, question: 0, time: 0 };
  const explanation = { ...none, number: 0, date: 0, speaker: 0, hidden: 0, phrase: 0, validity: 0 };
  const owned = { user_id: "maria", agent_id: null, tags: [], created_at: AT };
  const answering =
    (...results: object[]): Answer =>
    (url, init) =>
      url.pathname === "/v1/search"
        ? json({ results, pending: 0, below_min_relevance: 0, degraded: [], tokens: 0 })
        : emptyStore(url, init);
  const memory = (content: string) => ({
    ...{ type: "memory", relevance: 0.62, score: 2.5, highlights: [{ start: 0, end: 5 }] },
    memory: { ...owned, id: "mem_1", content },
    explanation: { ...explanation, message: 0.5, window: 0.5, conversation: 0.5, chunk: 1 },
  });
  const message = {
    ...{ id: "msg_2", sequence: 2, role: "user", content: "On <b>Monday</b>.", name: null, parts: null },
    ...{ tool_call_id: null, tool_name: null, external_id: null, metadata: {}, created_at: AT },
    ...{ stored_at: AT, updated_at: null },
  };
  const messages = {
    ...{ type: "messages", relevance: 0.9, conversation_id: "conv_1", start_sequence: 2, end_sequence: 2 },
    conversation: { ...owned, title: "Order 1029", external_id: null, metadata: {} },
    matches: [
      {
        ...{ message_id: "msg_2", sequence: 2, score: 1.7, highlights: [] },
        explanation: { ...explanation, message: 1, question: -0.3, chunk: 1 },
      },
    ],
    messages: [message],
  };
  const parts = () =>
    [...document.querySelectorAll(".why tr")].map((row) =>
      [...row.querySelectorAll("th, .number")].map(({ textContent }) => textContent).join(" "),
    );
  const unfold = async (summary: string) => {
    await until(() => expect(document.querySelector(summary)).not.toBeNull());
    document.querySelector<HTMLElement>(summary)?.click();
  };

  test("that is a memory is titled by its first words, and shows a short one once", async () => {
    await open(
      "search?q=a",
      answering(memory("Maria wants letters."), memory(`Maria ${"word ".repeat(50)}`)),
    );
    await until(() => expect(document.querySelectorAll(".hit")).toHaveLength(2));
    const [short, long] = document.querySelectorAll(".hit");
    expect(short?.querySelector("[data-item]")?.textContent).toBe("Maria wants letters.");
    expect(short?.querySelector(".prose")).toBeNull();
    expect(long?.querySelector("[data-item]")?.textContent).toMatch(/^Maria word .*…$/);
    expect(long?.querySelector(".prose mark")?.textContent).toBe("Maria");
  });

  test("says why it was found: first its relevance, then each part of the score, with a legend", async () => {
    await open("search?q=a", answering(messages));
    await unfold(".why > summary");
    await until(() => expect(text(".why dl")).toMatch(/^Relevance0\.90 .*Score1\.70 /));
    expect(parts()).toEqual([
      ...["Message 1.00", "Surrounding messages 0.00", "Conversation 0.00", "Meaning 1.00"],
      "Question −0.30",
    ]);
    expect(text(".why .families")).toContain("by wordsby meaningadjustments");
  });

  test("renders what is folded when it is first opened, and keeps it when it is folded again", async () => {
    const folded = () => document.querySelectorAll(".hit details > :not(summary)");
    await open("search?q=a", answering(messages));
    await until(() => expect(document.querySelectorAll(".hit details")).toHaveLength(2));
    expect(folded()).toHaveLength(0);
    await unfold(".more > summary");
    await until(() => expect(text(".more .facts")).toContain("msg_2"));
    expect(folded()).toHaveLength(1);
    await unfold(".more > summary");
    await until(() => expect(document.querySelector<HTMLDetailsElement>(".more")?.open).toBe(false));
    expect(folded()).toHaveLength(1);
  });

  test("that is a memory has one score by words", async () => {
    await open("search?q=a", answering(memory("Maria wants letters.")));
    await unfold(".why > summary");
    await until(() => expect(parts()).toEqual(["Words 1.50", "Meaning 1.00"]));
  });

  test("is saved as the right answer in its menu, as an evaluation with the filters of the search", async () => {
    const created: unknown[] = [];
    const answer = answering(messages);
    const asked = await open("search?q=when&user_id=maria&limit=5", (url, init) => {
      if (url.pathname === "/v1/evaluations") created.push(init.body);
      if (url.pathname === "/v1/evaluations") return json({ id: "eval_1" }, 201);
      return url.pathname.endsWith("/run") ? problem(409, "conflict", "No.") : answer(url, init);
    });
    await until(() => expect(document.querySelector(".hit")).not.toBeNull());
    document.querySelector<HTMLButtonElement>(".hit [role=menuitem]")?.click();
    await until(() => expect(text(".hit header")).toContain("Query saved"));
    expect(asked.at(-1)).toBe("POST /v1/evaluations/eval_1/run");
    const request = { query: "when", user_id: "maria", limit: 50, in: ["conversations", "memories"] };
    expect(created).toEqual([{ request: { ...request, explain: false }, expected: ["msg_2"] }]);
    expect(localStorage.getItem("engram.queries")).toBeNull();
  });

  test("says why it cannot be saved", async () => {
    const answer = answering(messages);
    await open("search?q=when", (url, init) =>
      url.pathname === "/v1/evaluations"
        ? problem(409, "too_many_evaluations", "There are <b>1,000</b>.")
        : answer(url, init),
    );
    await until(() => expect(document.querySelector(".hit")).not.toBeNull());
    document.querySelector<HTMLButtonElement>(".hit [role=menuitem]")?.click();
    await until(() => expect(text("main .state.failed")).toContain("There are <b>1,000</b>."));
    expect(text(".hit header")).not.toContain("Query saved");
  });
});

describe("a search", () => {
  const press = (name: string) =>
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click();

  test("is compared as it is typed, also before it is sent", async () => {
    await open("search?q=refund&user_id=maria", emptyStore);
    await until(() => expect(document.querySelector("[data-search]")).not.toBeNull());
    (document.querySelector("[data-search]") as HTMLInputElement).value = " order 1029 ";
    press(MESSAGES.search.compare);
    const all = "q=order+1029&user_id=maria";
    await until(() => expect(location.hash).toBe(`#/search?${all}&b.q=order+1029&b.mode=keyword`));
    await until(() => expect(document.querySelectorAll("[type=search]")).toHaveLength(2));
    (document.querySelector("[data-search]") as HTMLInputElement).value = "";
    press(MESSAGES.search.stopComparing);
    await until(() => expect(location.hash).toBe(`#/search?${all}`));
  });

  test("for an id has the way to it, and for a message, too", async () => {
    await open("search?q=msg_1", emptyStore);
    await until(() => expect(text('a[href="#/messages/msg_1"]')).toBe(MESSAGES.palette.message("msg_1")));
  });

  test("is saved with a right answer that is named by its id, and says its rank", async () => {
    const created: unknown[] = [];
    await open("search?q=lost", (url, init) => {
      if (url.pathname === "/v1/evaluations") created.push(init.body);
      if (url.pathname === "/v1/evaluations") return json({ id: "eval_1" }, 201);
      if (url.pathname.endsWith("/run"))
        return json({ evaluation: { last_run: { ranks: [{ id: "msg_7", rank: 12 }] } } });
      if (url.pathname === "/v1/conversations/conv_1/messages/msg_7")
        return json({ conversation_id: "conv_1", sequence: 7 });
      const isKnown = url.searchParams.get("message_id") === "msg_7";
      return isKnown ? json({ items: [{ id: "conv_1" }], next_cursor: null }) : emptyStore(url, init);
    });
    await until(() => expect(document.querySelector(".missing form")).not.toBeNull());
    const save = (id: string) => {
      (document.querySelector(".missing input") as HTMLInputElement).value = id;
      press(MESSAGES.search.missingSave);
    };
    save("msg_8");
    await until(() => expect(text(".missing")).toContain(MESSAGES.search.notALink));
    expect(created).toEqual([]);
    save("msg_7");
    await until(() => expect(text(".missing")).toContain(MESSAGES.search.savedAs(12)));
    expect(created).toMatchObject([{ request: { query: "lost" }, expected: ["msg_7"] }]);
  });
});

describe("entities", () => {
  test.for([
    ["entities?kind=file", "mentions"],
    ["entities?sort=value", "value"],
  ] as const)("of %s are sorted by %s", async ([place, sort]) => {
    const asked = await open(place, emptyStore);
    await until(() => expect(text("main .state.empty")).not.toBe(""));
    expect(asked.find((line) => line.includes("/v1/entities"))).toContain(`sort=${sort}`);
  });
});

describe("the page of a user", () => {
  const user = {
    id: "maria",
    conversation_count: 1,
    memory_count: null,
    first_seen_at: null,
    last_seen_at: null,
  };
  const answer: Answer = (url, init) =>
    url.pathname === "/v1/users/maria" ? json(user) : emptyStore(url, init);

  test("asks for the newest of each list, and links to all of it", async () => {
    const asked = await open("users/maria", answer);
    await until(() => expect(text("main")).toContain(MESSAGES.users.noEntities));
    expect(text(".facts")).toBe("Conversations1MemoriesmanyReceiptsShow");
    const lists = asked.filter((line) => line.includes("?"));
    expect(document.querySelector('.facts a[href="#/receipts?user_id=maria"]')).not.toBeNull();
    for (const list of ["conversations", "memories", "entities"]) {
      expect(lists.filter((line) => line.startsWith(`GET /v1/${list}?`))).toHaveLength(1);
      expect(document.querySelector(`main a[href="#/${list}?user_id=maria"]`)).not.toBeNull();
    }
    expect(lists.every((line) => line.includes("user_id=maria") && line.includes("limit=5"))).toBe(true);
    expect(lists.find((line) => line.includes("/v1/entities"))).toContain("sort=mentions");
  });

  test("says why an export fails, and offers it again", async () => {
    await open("users/maria", (url, init) =>
      url.pathname === "/v1/export" ? problem(403, "forbidden", "The key lacks `admin`.") : answer(url, init),
    );
    const button = () => document.querySelector<HTMLButtonElement>("main header.screen-head button");
    await until(() => expect(button()?.textContent).toBe(MESSAGES.users.export));
    button()?.click();
    await until(() => expect(text("main .state.forbidden")).toContain("The key lacks `admin`."));
    expect(button()?.disabled).toBe(false);
  });
});

test("a mention is shown in its sentence, with the title of its conversation", async () => {
  const content = "It failed. The file src/app.ts is gone.";
  const mention = { conversation_id: "conv_1", message_id: "msg_1", sequence: 3, text: "src/app.ts" };
  const twice = [
    { ...mention, start: 20, end: 30, created_at: "2026-11-02T09:30:00.000Z" },
    { ...mention, start: 0, end: 2, text: "It", created_at: "2026-11-02T09:30:00.000Z" },
  ];
  const asked = await open("entities/ent_1", ({ pathname }) => {
    if (pathname.endsWith("/mentions")) return json({ items: twice, next_cursor: null });
    return pathname.endsWith("/msg_1") ? json({ content }) : json({ title: "Deploy", messages: {} });
  });
  const rows = () => [...document.querySelectorAll(".mention")].map(({ textContent }) => textContent);
  await until(() => expect(rows()).toEqual(["The file src/app.ts is gone.Deploy #3", "It failed.Deploy #3"]));
  expect(text(".mention mark")).toBe("src/app.ts");
  expect(document.querySelector(".mention a")?.getAttribute("href")).toBe("#/conversations/conv_1?at=3");
  expect(asked.filter((line) => !line.includes("/mentions"))).toHaveLength(2);
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
