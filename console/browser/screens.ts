import assert from "node:assert/strict";
import { HOSTILE } from "./hostile.ts";
import { type Site, textOf } from "./pages.ts";
import { LONG, type Seeded } from "./seed.ts";
import { traceTasks } from "./speed.ts";

/** Places that show nothing in an empty store. */
export const EMPTY: readonly string[] = [
  ...[
    "conversations",
    "memories",
    "entities",
    "users",
    "operations",
    "webhooks",
    "tombstones",
    "members",
    "grants",
    "receipts",
    "evaluations",
    "retention",
    "holds",
    "archives",
  ],
  "events?type=memory.created",
  ...["search?q=refund", "context?q=refund", "usage?to=2020-01-01", "audit?action=user.deleted"],
];

/** Name of the screenshots of a place. An item has a screen of its own. */
export const nameOf = (place: string): string => (place.split("?")[0] || "overview").replace(/\/.*/, "-one");

/** Places that call the service, of lists and of single items. */
const calling = ({ long, memory, operation, entity, recall }: Seeded) => [
  ...["", "search?q=refund", "context?q=refund", "conversations", "memories", "entities", "users", "events"],
  ...["operations", "usage", "audit", "keys", "webhooks", `conversations/${long}`, `memories/${memory}`],
  ...[`entities/${entity}`, `operations/${operation}`, "users/user_4711", "tombstones", "grants", "settings"],
  ...["receipts", `receipts/${recall}`, "evaluations", `conversations/${long}?show=summaries`],
  ...["members", `trace/${long}`, "retention", "holds", "archives"],
];

export async function openEveryScreen({ open }: Site, key: string, seeded: Seeded): Promise<void> {
  const { hostile, long, memory, operation, entity, recall } = seeded;
  const screens = {
    overview: "",
    conversations: "conversations",
    filtered: "conversations?user_id=user_4711&sort=created_at&order=asc",
    conversation: `conversations/${long}?at=5000`,
    hostile: `conversations/${hostile}`,
    "trace-hostile": `trace/${hostile}`,
    "summaries-hostile": `conversations/${hostile}?show=summaries`,
    search: "search?q=refund%20order%201029&min_relevance=0.1",
    compared: "search?q=refund%20order%201029&b.q=refund&b.mode=keyword",
    "context-hostile": `context?q=invoice&conversation_id=${hostile}`,
    receipts: "receipts",
    evaluations: "evaluations",
    receipt: `receipts/${recall}`,
    "entities-hostile": "entities",
    "entity-hostile": `entities/${entity}`,
    memories: "memories",
    memory: `memories/${memory}`,
    users: "users",
    user: "users/user_4711",
    events: "events",
    operations: "operations",
    operation: `operations/${operation}`,
    usage: "usage",
    audit: "audit",
    tombstones: "tombstones",
    grants: "grants",
    members: "members",
    retention: "retention",
    holds: "holds",
    archives: "archives",
    keys: "keys",
    settings: "settings",
    connect: "connect",
  };
  const page = await open();
  await page.check("sign-in");
  await page.signIn(key);
  for (const [name, place] of Object.entries(screens)) {
    await page.visit(place);
    assert.equal(await page.locator(".state.failed, .state.forbidden").count(), 0, `${name} does not fail`);
    // Messages have no skeleton, but rows without text.
    await page.locator(".message.waiting").first().waitFor({ state: "detached" });
    if (name === "search" || name === "compared") await page.getByText("Why it was found").first().click();
    await page.check(name);
  }
  await page.close();
}

/** Each hostile message, as stored and as Markdown: nothing runs, and what cannot be seen is shown. */
export async function readHostileMessages({ open }: Site, key: string, { hostile }: Seeded): Promise<void> {
  const page = await open(key, `conversations/${hostile}`);
  for (const isMarkdown of [false, true]) {
    await page.getByLabel("Markdown").setChecked(isMarkdown);
    for (let at = 1; at <= HOSTILE.length + 1; at += 3) {
      await page.visit(`conversations/${hostile}?at=${at}`);
      await page.locator(".message.target").waitFor();
      await page.checkRules(`message ${at}, ${isMarkdown ? "Markdown" : "as stored"}`);
    }
    const override = HOSTILE.findIndex((text) => text.includes("\u202e")) + 1;
    await page.visit(`conversations/${hostile}?at=${override}`);
    await page.locator(".message.target .hidden-character").getByText("U+202E").first().waitFor();
    await page.check(isMarkdown ? "hostile-markdown" : "hostile-hidden");
  }
  await page.close();
}

/** Ten thousand messages: a jump, and a scroll to the end without a slow frame. */
export async function scrollLongConversation(
  { browser, open }: Site,
  key: string,
  { long }: Seeded,
): Promise<void> {
  const page = await open(key, `conversations/${long}?at=7000`);
  await page.getByText("Message 7000.").waitFor();
  // At each width, the list is as high as the window leaves it, and not as its messages.
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(() => (document.querySelector(".virtual-list")?.clientHeight ?? 0) < 900);
    const rows = await page.locator(".virtual-row").count();
    assert.ok(rows < 60, `only visible rows are rendered at ${width} px, not ${rows}`);
  }
  await page.locator(".message.target").waitFor();
  const list = page.locator(".virtual-list");
  await list.hover();
  await traceTasks(browser, page, async () => {
    for (let i = 0; i < 40; i++) {
      await page.mouse.wheel(0, 1_500);
      await page.waitForTimeout(50);
    }
  });
  await page.press("Latest");
  await page.getByText(`Message ${LONG}.`).waitFor();
  await page.checkRules("the long conversation");
  await page.close();
}

export async function openForbidden({ open, client }: Site, key: string, seeded: Seeded): Promise<void> {
  const { secret } = await client(key).keys.create({ name: "writes only", scopes: ["write"] });
  const page = await open(secret);
  for (const place of calling(seeded)) {
    await page.visit(place);
    const state = page.locator(".state.forbidden").first();
    await state.waitFor();
    assert.match(await textOf(state), /req_\w+/, "the request id is shown");
    await page.check(`${nameOf(place)}-forbidden`);
  }
  await page.close();
}

export async function openFailing({ open }: Site, key: string, seeded: Seeded): Promise<void> {
  const page = await open(key);
  await page.answer("**/v1/**", 500, { detail: "Something failed <b>here</b>." });
  const state = page.locator(".state.failed").first();
  for (const place of calling(seeded)) {
    await page.visit(place);
    await state.waitFor({ timeout: 15_000 });
    const shown = await textOf(state);
    assert.match(shown, /Something failed <b>here<\/b>\.[\s\S]*req_06e3tqz8m1k4v9x2c7d0/);
    await page.check(`${nameOf(place)}-failing`);
  }
  await page.visit("keys");
  await state.waitFor({ timeout: 15_000 });
  await page.unroute("**/v1/**");
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.locator("tbody tr").first().waitFor();
  await page.close();
}
