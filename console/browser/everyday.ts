import assert from "node:assert/strict";
import { join } from "node:path";
import type { Engram } from "@engram/sdk";
import { type ConsolePage, type Site, textOf } from "./pages.ts";

/** The letter of each place, after `g`. */
const LETTERS = {
  ...{
    o: "",
    s: "search",
    q: "evaluations",
    l: "receipts",
    x: "context",
    c: "conversations",
    m: "memories",
    n: "entities",
  },
  ...{
    u: "users",
    e: "events",
    i: "operations",
    r: "usage",
    a: "audit",
    k: "keys",
    w: "webhooks",
    t: "connect",
    d: "tombstones",
    y: "grants",
    p: "settings",
    f: "retention",
    h: "holds",
    v: "archives",
  },
};

const USAGE = { messages: 0, message_bytes: 0, searches: 0, embeddings: 0 };

/** What is stored for the walks of this file. */
async function store({ conversations, messages, memories, keys }: Engram) {
  const { id } = await conversations.create({ title: "Refund for order <b>1029</b>", user_id: "maria" });
  const said = ["Where is my refund?", "It was sent on Monday."];
  const { message_ids } = await messages.append(id, {
    messages: said.map((content) => ({ role: "user" as const, content })),
    wait: "indexed",
  });
  const memory = await memories.create({ content: "Maria prefers letters by e-mail.", wait: "indexed" });
  const doomed = await memories.create({ content: "Soon deleted." });
  const operation = await memories.delete(doomed.id);
  const key = await keys.create({ name: "Analytics <b>job</b>", scopes: ["read"] });
  return {
    conversation: id,
    message: message_ids[1] ?? "",
    memory: memory.id,
    operation: operation.id,
    key: key.id,
  };
}

/** Every shortcut of the console, each by the keyboard alone. */
export async function walkShortcuts({ open, client }: Site, key: string): Promise<void> {
  const ids = await store(client(key));
  const page = await open(key, "");
  const { keyboard } = page;
  for (const [letter, place] of Object.entries(LETTERS)) {
    await page.locator("h1").click();
    await keyboard.press("g");
    await keyboard.press(letter);
    await page.waitForURL((url) => url.hash === `#/${place}`);
  }
  // Each list moves the focus, also one whose rows open nothing.
  for (const place of ["", "conversations", "memories", "users", "events", "operations", "audit", "keys"]) {
    await page.visit(place);
    await page.locator("main :is([data-item], tbody tr)").first().waitFor();
    await page.locator("h1").click();
    await keyboard.press("j");
    const first = await focusedText(page);
    await keyboard.press("j");
    const second = await focusedText(page);
    await keyboard.press("k");
    assert.equal(await focusedText(page), first, `${place}: k goes back`);
    assert.ok(first !== "" && second !== "", `${place}: j moves the focus`);
  }
  for (const place of Object.values(LETTERS)) {
    await page.visit(place);
    await page.locator("h1").click();
    await keyboard.press("?");
    await page.dialog.getByText("Next item of the list").waitFor();
    await keyboard.press("Escape");
    await page.dialog.waitFor({ state: "detached" });
    await keyboard.press("/");
    await page.waitForURL((url) => ["#/search", "#/queries", "#/context"].includes(url.hash));
  }
  await page.visit("search");
  await page.locator("h1").click();
  await keyboard.press("/");
  assert.equal(await page.locator("[data-search]:focus").count(), 1, "the search has the focus");
  // A field keeps its letters.
  await keyboard.type("g?/jk");
  assert.equal(await page.locator("[data-search]").inputValue(), "g?/jk");
  await page.locator("h1").click();
  await keyboard.press("?");
  await page.check("shortcuts");
  await keyboard.press("Escape");
  await page.dialog.waitFor({ state: "detached" });
  await walkPalette(page, ids);
  await page.checkRules("the shortcuts");
  await page.close();
}

const focusedText = (page: ConsolePage): Promise<string> =>
  page.evaluate(
    () => document.activeElement?.closest("main") && document.activeElement.textContent,
  ) as Promise<string>;

/** The palette leads to every place, to anything by its id, and to a search. */
async function walkPalette(page: ConsolePage, ids: Awaited<ReturnType<typeof store>>): Promise<void> {
  const field = page.getByRole("combobox", { name: "Go to" });
  const { keyboard } = page;
  const go = async (typed: string, keys: string, hash: string) => {
    await keyboard.press(keys);
    await field.fill(typed);
    await keyboard.press("Enter");
    await page.waitForURL((url) => url.hash === hash);
    await field.waitFor({ state: "detached" });
    await page.locator("h1").first().waitFor();
  };
  await go(ids.conversation, "Control+k", `#/conversations/${ids.conversation}`);
  await go(ids.message, "Control+k", `#/conversations/${ids.conversation}?at=2`);
  await go(ids.memory, "Meta+k", `#/memories/${ids.memory}`);
  await go(ids.operation, "Control+k", `#/operations/${ids.operation}`);
  await go(ids.key, "Control+k", `#/usage?key_id=${ids.key}`);
  await go("req_06e3tqz8m1k4v9x2c7d0", "Control+k", "#/trace/req_06e3tqz8m1k4v9x2c7d0");
  await go("audit", "Control+k", "#/audit");
  await go("refund <b>of</b> order", "Control+k", "#/search?q=refund+%3Cb%3Eof%3C%2Fb%3E+order");
  await page.getByRole("button", { name: "Go to…" }).click();
  await field.waitFor();
  await page.check("palette");
  await keyboard.press("ArrowUp");
  await keyboard.press("Enter");
  await page.waitForURL((url) => url.hash === "#/settings");
  await keyboard.press("Control+k");
  await field.fill("<img src=x onerror=globalThis.hostile=1>\u202e");
  await page.check("palette-hostile");
  await page.mouse.click(4, 4);
  await field.waitFor({ state: "detached" });
}

/** The menu of the key: its theme lasts, and its shortcuts open. The fonts are the console's own. */
export async function walkAccount({ open, screenshots }: Site, key: string): Promise<void> {
  const page = await open(key, "connect");
  const fonts = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family);
  });
  for (const font of ["Inter", "JetBrains Mono"])
    assert.ok(
      fonts.some((family) => family.replaceAll('"', "") === font),
      `${font} is shown, not only ${fonts}`,
    );
  const account = page.getByRole("button", { name: "Account" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await account.click();
  await page.screenshot({ path: join(screenshots, "account.png") });
  await page.getByRole("radio", { name: "Dark" }).check();
  const dark = await background();
  assert.notEqual(dark, light);
  await page.reload();
  await page.locator("nav").waitFor();
  assert.equal(await background(), dark, "the theme lasts");
  await account.click();
  await page.getByRole("radio", { name: "System" }).check();
  assert.equal(await background(), light);
  assert.ok(!(await page.kept()).includes("engram.theme"), "the system's theme is not stored");
  await page.getByRole("button", { name: "Shortcuts" }).click();
  await page.dialog.getByText("Next item of the list").waitFor();
  await page.keyboard.press("Escape");
  await account.click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Sign out" }).waitFor({ state: "hidden" });
  await page.checkRules("the account");
  await page.close();
}

/** What the overview, events, usage and audit say about the same data. */
export async function walkActivity({ open, client }: Site, key: string): Promise<void> {
  const engram = client(key);
  const ids = await store(engram);
  const page = await open(key, "");
  await page.getByText("It was sent on Monday.").waitFor();
  await page.getByText("Maria prefers letters by e-mail.").waitFor();
  await page.getByText("Everything is indexed.").waitFor();
  await page.check("overview-recent");

  await page.visit("events");
  const rows = page.locator("tbody tr");
  await rows.filter({ hasText: "2 messages were added to Refund for order <b>1029</b>" }).waitFor();
  await rows.filter({ hasText: "The key Analytics <b>job</b> was created" }).waitFor();
  await rows.filter({ hasText: "Memory stored: Maria prefers letters by e-mail." }).waitFor();
  await engram.conversations.create({ title: "A new one" });
  await rows.filter({ hasText: "A new one was created" }).waitFor();
  for (let i = 0; i < 3; i++)
    await engram.memories.createMany({
      memories: Array.from({ length: 50 }, (_, j) => ({ content: `Note ${i}, ${j}` })),
    });
  await page.reload();
  await rows.first().waitFor();
  assert.equal(await rows.count(), 100, "the last hundred");
  await page.press("Earlier events");
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length > 100);
  await page.check("events-earlier");
  await page.visit("events?type=key.created");
  await rows.filter({ hasText: "The key Analytics <b>job</b> was created" }).waitFor();

  // The service stores usage about a minute later.
  const used = {
    ...USAGE,
    key_id: ids.key,
    day: new Date().toISOString().slice(0, 10),
    requests: 9,
    errors: 4,
  };
  const usage = { items: [{ ...used, operation: "getMemory" }], next_cursor: null };
  await page.answer("**/v1/usage?*", 200, usage);
  await page.visit("usage");
  await rows.filter({ hasText: "Analytics <b>job</b>" }).waitFor();
  assert.match(await textOf(page.locator(".totals")), /Requests9Errors4/);
  await page.check("usage-named");
  const ofUsers = ["maria<b>", null].map((user_id) => ({ ...USAGE, user_id, requests: 9, errors: 0 }));
  await page.answer("**/v1/usage?*group_by=user*", 200, { items: ofUsers, next_cursor: null });
  await page.getByLabel("Per", { exact: true }).selectOption("user");
  await rows.filter({ hasText: "maria<b>" }).waitFor();
  await rows.filter({ hasText: "keys of no user" }).waitFor();
  await page.check("usage-users");
  await page.unroute("**/v1/usage?*group_by=user*");
  await page.visit("");
  await rows.filter({ hasText: "getMemory" }).waitFor();
  await page.check("overview-errors");
  await page.unroute("**/v1/usage?*");

  await page.visit("audit");
  const created = rows.filter({ hasText: "Analytics <b>job</b>" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await created.getByRole("button", { name: "Copy" }).click();
  const request = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(request, /^req_\w+$/);
  await page.check("audit-named");
  await page.visit(`audit?request_id=${request}`);
  await created.waitFor();
  assert.equal(await rows.count(), 1, "only the event of the request");
  await page.checkRules("the activity");
  await page.close();
}
