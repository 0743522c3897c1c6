// Opens every screen of the console in headless Chromium: with data, empty, failing, and with a key without scopes.
// Stores hostile strings in every field that a screen shows, and checks that none runs and that nothing is fetched:
//   node console.mjs URL ADMIN_TOKEN SCREENSHOTS   (playwright-core and axe-core in the working directory's node_modules)
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchChromium } from "./chromium.mjs";
import { walkConversations, walkMessages } from "./console/conversations.mjs";
import { HOSTILE } from "./console/hostile.mjs";
import { walkOrganizations } from "./console/organizations.mjs";
import { createPages } from "./console/pages.mjs";
import { takePictures } from "./console/pictures.mjs";
import { walkContext, walkEntities, walkSearches } from "./console/searching.mjs";
import { measureFirstPaint, measureSearch, traceTasks } from "./console/speed.mjs";
import { walkWebhooks } from "./console/webhooks.mjs";

const [url, adminToken, screenshots] = process.argv.slice(2);
const MESSAGES = 10_000;

/** Places that show nothing in an empty store. */
const EMPTY = [
  ...["conversations", "memories", "entities", "users", "events", "operations", "webhooks"],
  ...["search?q=refund", "context?q=refund", "usage?to=2020-01-01", "audit?action=user.deleted"],
];

/** Name of the screenshots of a place. */
const nameOf = (place) => place.split("?")[0] || "overview";

/** Places that call the service, of lists and of single items. */
const calling = ({ long, memory, operation, entity }) => [
  ...["", "search?q=refund", "context?q=refund", "conversations", "memories", "entities", "users", "events"],
  ...["operations", "usage", "audit", "keys", "webhooks", `conversations/${long}`, `memories/${memory}`],
  ...[`entities/${entity}`, `operations/${operation}`],
];

mkdirSync(screenshots, { recursive: true });
const browser = await launchChromium();
const pages = createPages({ browser, url, screenshots });
const { openPage, signIn, visit, check, send } = pages;
const organization = async (name) => {
  const { key } = await send(adminToken, "POST", "/v1/organizations", { name });
  return key.secret;
};

try {
  await measureFirstPaint(browser, url);
  await takePictures({ ...pages, folder: screenshots }, await organization("console, pictures"));
  const empty = await organization("console, empty");
  await signInByLink(empty);
  await walkEmptyStore(empty);
  const key = await organization("console");
  const seeded = await seed(key);
  await openEveryScreen(key, seeded);
  await readHostileMessages(key, seeded);
  await measureSearch(pages, key);
  await scrollLongConversation(key, seeded.long);
  await openForbidden(key, seeded);
  await openFailing(key, seeded);
  await walkConversations(pages, await organization("console, live"));
  await walkMessages(pages, await organization("console, messages"));
  await walkSearches(pages, await organization("console, searches"));
  await walkContext(pages, await organization("console, context"));
  await walkEntities(pages, await organization("console, entities"));
  await walkOrganizations(pages, key, adminToken);
  await walkWebhooks(pages, await organization("console, webhooks"));
  console.log(
    `Every screen of the console works; ${HOSTILE.length} hostile strings stay text; see ${screenshots}`,
  );
} finally {
  await browser.close();
}

/** A sign-in link works once, and does not stay in the history. */
async function signInByLink(key) {
  const { code } = await send(key, "POST", "/v1/sign-in-codes");
  const page = await openPage();
  await visit(page, `#/sign-in/${code}`);
  await page.getByText("Nothing is stored yet").waitFor();
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.ok(!`${page.url()} ${kept}`.includes("engram_"), "code and key are not kept");
  await page.goBack();
  assert.ok(!page.url().includes(code), "the code is not in the history");
  await page.checkRules("sign-in by link");
  await page.close();
  const late = await openPage();
  await visit(late, `#/sign-in/${code}`);
  await late.getByRole("alert").getByText("not valid").waitFor();
  await check(late, "sign-in-code-refused");
  await late.close();
}

/** The main path: empty store, first message, search, deletion with its progress. */
async function walkEmptyStore(key) {
  const page = await openPage();
  await page.getByLabel("Key", { exact: true }).fill("engram_sk_live_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  await check(page, "sign-in-refused");
  await signIn(page, key);
  await page.getByText("Nothing is stored yet").waitFor();
  await check(page, "overview-empty");
  for (const place of EMPTY) {
    await visit(page, `#/${place}`);
    await page.locator(".state.empty").first().waitFor({ timeout: pages.PAINT_MS });
    await check(page, `${nameOf(place)}-empty`);
  }
  await visit(page, "#/");
  await page.getByLabel("Paste a line").fill("The refund for order 1029 was sent on Monday.");
  await page.getByRole("button", { name: "Store it" }).click();
  await page.locator(".message").first().waitFor();
  await page.locator("h1").click();
  await page.keyboard.press("/");
  await page.locator("[data-search]").waitFor();
  await page.locator("[data-search]").fill("When was the refund sent?");
  await page.keyboard.press("Enter");
  await page.locator(".hit").first().waitFor();
  await page.getByText("Why it was found").first().click();
  await page.locator("h1").click();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.locator(".message.target").waitFor();
  assert.match(page.url(), /#\/conversations\/conv_\w+\?at=1$/, "a hit has a link");
  await page.goBack();
  await page.locator(".hit").first().waitFor();
  await page.goForward();
  await page.getByRole("button", { name: "Delete conversation" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Delete conversation" }).click();
  await dialog.getByText("Deletion").first().waitFor();
  await dialog.getByText("Requested").waitFor();
  await page.screenshot({ path: join(screenshots, "receipt.png") });
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByText("No conversations yet").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("Next item of the list").waitFor();
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.ok(!kept.includes(key) && !page.url().includes(key), "the key is not kept");
  await page.checkRules("the whole way");
  await page.close();
}

/** Conversations and memories with hostile strings in every field, and a long conversation. */
async function seed(key) {
  const call = (method, path, body) => send(key, method, path, body);
  // Metadata of a message has at most 16,384 bytes.
  const pick = (i) => HOSTILE[i % HOSTILE.length].slice(0, 2_000);
  // Ids, names and tags have no control characters and at most 256 characters.
  const named = HOSTILE.map((text) =>
    [...text.replace(/\p{Cc}|\p{Cs}/gu, "")].slice(0, 60).join("").trim(),
  ).filter(Boolean);
  const name = (i) => named[i % named.length];
  const { id } = await call("POST", "/v1/conversations", {
    ...{
      title: name(3),
      user_id: name(0),
      agent_id: name(1),
      external_id: name(2),
      tags: [name(4), name(5)],
    },
    metadata: { text: pick(6) },
  });
  const messages = HOSTILE.map((content, i) => ({
    ...{
      role: ["user", "assistant", "system", "tool"][i % 4],
      content,
      name: name(i),
      metadata: { i, text: pick(i + 1) },
    },
    ...(i % 4 === 3 && { tool_call_id: name(i + 1), tool_name: name(i + 2) }),
    parts: [{ type: "text", text: pick(i + 2) }],
  }));
  for (let i = 0; i < messages.length; i += 50)
    await call("POST", `/v1/conversations/${id}/messages`, { messages: messages.slice(i, i + 50) });
  for (let i = 0; i < 30; i++)
    await call("POST", "/v1/conversations", {
      title: name(i),
      user_id: name(i),
      agent_id: name(i + 7),
      tags: [name(i + 9)],
    });
  const memories = HOSTILE.map((content, i) => ({
    ...{
      content: `${i} ${content}`,
      user_id: name(i),
      source: name(i + 1),
      tags: [name(i + 2)],
      metadata: { text: pick(i) },
    },
  }));
  for (let i = 0; i < memories.length; i += 50)
    await call("POST", "/v1/memories/bulk", { memories: memories.slice(i, i + 50) });
  const long = await call("POST", "/v1/conversations", {
    title: "Support, order 1029",
    user_id: "user_4711",
    agent_id: "support",
    tags: ["billing", "vip"],
  });
  const lines = Array.from({ length: MESSAGES }, (_, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content: `Message ${i + 1}. ${"Where is the refund for order 1029? ".repeat(1 + (i % 7))}`,
  }));
  for (let i = 0; i < lines.length; i += 1_000)
    await call("POST", `/v1/conversations/${long.id}/messages`, { messages: lines.slice(i, i + 1_000) });
  const doomed = await call("POST", "/v1/memories", { content: "Soon deleted." });
  const operation = await call("DELETE", `/v1/memories/${doomed.id}`);
  for (let i = 0; i < 3; i++)
    await call("POST", "/v1/keys", { name: name(i), scopes: ["read", "search"], user_id: name(i + 1) });
  await call("POST", `/v1/conversations/${id}/messages`, {
    messages: [{ role: "user", content: "x".repeat(1_000_000) }],
  });
  const [memory] = (await call("GET", "/v1/memories?limit=1")).items;
  const [entity] = (await call("GET", "/v1/entities?limit=1")).items;
  return { hostile: id, long: long.id, memory: memory.id, operation: operation.id, entity: entity.id };
}

async function openEveryScreen(key, { hostile, long, memory, operation, entity }) {
  const screens = {
    overview: "#/",
    conversations: "#/conversations",
    filtered: "#/conversations?user_id=user_4711&sort=created_at&order=asc",
    conversation: `#/conversations/${long}?at=5000`,
    hostile: `#/conversations/${hostile}`,
    search: "#/search?q=refund%20order%201029&min_relevance=0.1",
    compared: "#/search?q=refund%20order%201029&b.q=refund&b.mode=keyword",
    "context-hostile": `#/context?q=invoice&conversation_id=${hostile}`,
    "entities-hostile": "#/entities",
    "entity-hostile": `#/entities/${entity}`,
    memories: "#/memories",
    memory: `#/memories/${memory}`,
    users: "#/users",
    events: "#/events?from=oldest",
    operations: "#/operations",
    operation: `#/operations/${operation}`,
    usage: "#/usage",
    audit: "#/audit",
    keys: "#/keys",
    connect: "#/connect",
  };
  const page = await openPage();
  await check(page, "sign-in");
  await signIn(page, key);
  for (const [name, hash] of Object.entries(screens)) {
    await visit(page, hash);
    assert.equal(await page.locator(".state.failed, .state.forbidden").count(), 0, `${name} does not fail`);
    if (name === "search" || name === "compared") await page.getByText("Why it was found").first().click();
    await check(page, name);
  }
  await page.close();
}

/** Each hostile message, as stored and as Markdown: nothing runs, and what cannot be seen is shown. */
async function readHostileMessages(key, { hostile }) {
  const page = await openPage();
  await signIn(page, key);
  await visit(page, `#/conversations/${hostile}`);
  for (const isMarkdown of [false, true]) {
    await page.getByLabel("Markdown").setChecked(isMarkdown);
    for (let at = 1; at <= HOSTILE.length + 1; at += 3) {
      await visit(page, `#/conversations/${hostile}?at=${at}`);
      await page.locator(".message.target").waitFor();
      await page.checkRules(`message ${at}, ${isMarkdown ? "Markdown" : "as stored"}`);
    }
    const override = HOSTILE.findIndex((text) => text.includes("\u202e")) + 1;
    await visit(page, `#/conversations/${hostile}?at=${override}`);
    await page.locator(".message.target .hidden-character").getByText("U+202E").first().waitFor();
    await check(page, isMarkdown ? "hostile-markdown" : "hostile-hidden");
  }
  await page.close();
}

/** Ten thousand messages: a jump, and a scroll to the end without a slow frame. */
async function scrollLongConversation(key, id) {
  const page = await openPage();
  await signIn(page, key);
  await visit(page, `#/conversations/${id}?at=7000`);
  await page.getByText("Message 7000.").waitFor();
  const rows = await page.locator(".virtual-row").count();
  assert.ok(rows < 60, `only visible rows are rendered, not ${rows}`);
  const list = page.locator(".virtual-list");
  await list.hover();
  await traceTasks(browser, page, async () => {
    for (let i = 0; i < 40; i++) {
      await page.mouse.wheel(0, 1_500);
      await page.waitForTimeout(50);
    }
  });
  await page.getByRole("button", { name: "Latest" }).click();
  await page.getByText(`Message ${MESSAGES}.`).waitFor();
  await page.checkRules("the long conversation");
  await page.close();
}

async function openForbidden(key, seeded) {
  const { secret } = await send(key, "POST", "/v1/keys", { name: "writes only", scopes: ["write"] });
  const page = await openPage();
  await signIn(page, secret);
  for (const place of calling(seeded)) {
    await visit(page, `#/${place}`);
    const state = page.locator(".state.forbidden").first();
    await state.waitFor();
    assert.match(await state.textContent(), /req_\w+/, "the request id is shown");
    await check(page, `${nameOf(place).replace(/\/.*/, "-one")}-forbidden`);
  }
  await page.close();
}

async function openFailing(key, seeded) {
  const page = await openPage();
  await signIn(page, key);
  const problem = {
    ...{ type: `${url}/problems/internal`, title: "Internal error", status: 500, code: "internal" },
    ...{ detail: "Something failed <b>here</b>.", request_id: "req_06e3tqz8m1k4v9x2c7d0" },
  };
  await page.route("**/v1/**", (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      headers: { "x-request-id": problem.request_id },
      body: JSON.stringify(problem),
    }),
  );
  // Events are asked for again for as long as the service fails.
  for (const place of calling(seeded).filter((each) => each !== "events")) {
    await visit(page, `#/${place}`);
    const state = page.locator(".state.failed").first();
    await state.waitFor({ timeout: 15_000 });
    assert.match(await state.textContent(), /Something failed <b>here<\/b>\.[\s\S]*req_06e3tqz8m1k4v9x2c7d0/);
    await check(page, `${nameOf(place).replace(/\/.*/, "-one")}-failing`);
  }
  await visit(page, "#/keys");
  await page.locator(".state.failed").first().waitFor({ timeout: 15_000 });
  await page.unroute("**/v1/**");
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.locator("tbody tr").first().waitFor();
  await page.close();
}
