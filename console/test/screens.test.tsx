// @vitest-environment happy-dom
import { render } from "preact";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MESSAGES } from "../src/messages.ts";
import { type Answer, answerWith, json, problem, REQUEST_ID, SECRET, until } from "./support/service.ts";

/** Places that ask the service for something when they are opened. */
const PLACES = [
  ...["", "search?q=refund", "context?q=refund", "conversations", "memories", "entities", "users"],
  ...["operations", "usage", "audit", "keys", "webhooks", "organizations"],
  ...["conversations/conv_1", "memories/mem_1", "entities/ent_1", "operations/op_1", "webhooks/wh_1"],
];

const INDEX = {
  messages: 0,
  pending: 0,
  failed: 0,
  chunks: 0,
  deletions_pending: 0,
  model: "m",
  dimensions: 1,
};

/** What the service answers for an organization that has stored nothing. */
const emptyStore: Answer = ({ pathname }) => {
  if (pathname === "/v1/index")
    return json({ ...INDEX, chunks_of_other_models: 0, complete: true, last_error: null });
  if (pathname === "/v1/search")
    return json({ results: [], pending: 0, below_min_relevance: 0, degraded: [], tokens: 0 });
  if (pathname === "/v1/context") {
    const none = { items: [], tokens: 0, omitted: 0, below_min_relevance: 0 };
    return json({
      text: "",
      tokens: 0,
      messages: none,
      memories: none,
      results: none,
      degraded: [],
      pending: 0,
    });
  }
  return json({ items: [], next_cursor: null, total: 0, after: 0, caught_up: true });
};

// The session reads the key when it is loaded.
localStorage.setItem("engram.key", SECRET);
const { App } = await import("../src/app.tsx");
const { route } = await import("../src/route.ts");

let root: HTMLElement;
beforeEach(() => {
  root = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  render(null, root);
  root.remove();
  vi.unstubAllGlobals();
});

/** Opens a place as the page does, with a service that answers so. */
async function open(place: string, answer: Answer): Promise<string[]> {
  const asked = answerWith(answer);
  location.hash = `#/${place}`;
  const [path = "", query = ""] = place.split("?");
  await until(() => {
    expect(route.value.path.join("/")).toBe(path);
    expect(route.value.query.toString()).toBe(new URLSearchParams(query).toString());
  });
  render(<App />, root);
  return asked;
}

const text = (selector: string) => document.querySelector(selector)?.textContent ?? "";

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
    ...{ message_count: i, updated_at: "2026-11-02T09:30:00.000Z" },
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
