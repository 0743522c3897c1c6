import assert from "node:assert/strict";
import type { Engram } from "@engram/sdk";
import { HOSTILE_NAMES } from "./hostile.ts";
import { type ConsolePage, type Site, textOf } from "./pages.ts";

const QUOTE = "Never <b>store credit</b>, please\u202e.";
const CITED = 30;

/** A conversation, and memories that cite it, changed, and replaced one another. */
async function store({ conversations, messages, memories }: Engram) {
  const { id } = await conversations.create({ title: "Refund for <b>1029</b>", user_id: "maria" });
  const said = Array.from({ length: 40 }, (_, i) => ({
    role: i % 2 === 0 ? ("assistant" as const) : ("user" as const),
    content: i + 1 === CITED ? `I want the money on my card. ${QUOTE} Thanks.` : `Line ${i + 1} of the chat.`,
    created_at: new Date(Date.UTC(2026, 9, 2, 9, i)).toISOString(),
  }));
  await messages.append(id, { messages: said });
  const ofMaria = { user_id: "maria", summary: "About Maria." };
  const cited = await memories.create({
    ...{ ...ofMaria, content: "Maria wants refunds to her bank account.", tags: ["refunds", "bank"] },
    sources: [
      { conversation_id: id, sequence: CITED, quote: QUOTE },
      { conversation_id: id, sequence: 31 },
      { conversation_id: id, sequence: 32, quote: "Line 32" },
    ],
  });
  await memories.update(cited.id, { tags: ["refunds", HOSTILE_NAMES[0] ?? ""] });
  await memories.update(cited.id, {
    content: "Maria wants refunds to her <b>card</b>, never store credit.",
    metadata: { asked: true },
    occurred_at: "2026-10-02T09:29:00Z",
  });
  const berlin = await memories.create({ ...ofMaria, content: "Maria lives in Berlin.", tags: ["home"] });
  await memories.create({
    ...{ ...ofMaria, content: "Maria lives in Lisbon.", tags: ["home"], supersedes: berlin.id },
    ...{ valid_from: "2026-05-01T00:00:00Z", wait: "indexed" as const },
  });
  return { conversation: id, memory: cited.id, berlin: berlin.id };
}

/** What a memory cites and the way there and back, its versions, and what happens when its sources change. */
export async function walkMemories({ open, client }: Site, key: string): Promise<void> {
  const engram = client(key);
  const { conversation, memory, berlin } = await store(engram);
  const page = await open(key, `memories/${memory}`);
  const sources = page.getByRole("region", { name: "Sources" });
  await sources.getByText("Line 31 of the chat.").waitFor();
  assert.deepEqual(await sources.locator(".badge").allTextContents(), ["Intact", "Intact", "Intact"]);
  const versions = page.getByRole("region", { name: "Versions" });
  await versions.locator("del").getByText("bank account").waitFor();
  assert.equal(await versions.locator(".versions > li").count(), 3);
  await page.check("memory-cited");

  // To the very message, and back.
  await sources.getByRole("link", { name: `Message ${CITED}` }).click();
  await isMarked(page, "I want the money");
  await page.check("conversation-cited");
  await page.getByRole("link", { name: "Back to the memory" }).click();
  await sources.waitFor();
  await page.visit(`conversations/${conversation}?at=${CITED}`);
  await page.locator(".message.target .derived").click();
  await sources.waitFor();
  assert.ok(page.url().endsWith(`#/memories/${memory}`), "a message leads to the memory that cites it");

  // One source is edited, one is deleted for good.
  const [edited] = (await engram.messages.list(conversation, { from_sequence: CITED, limit: 1 }).page())
    .items;
  assert.ok(edited, "the cited message is listed");
  await engram.messages.update(conversation, edited.id, { content: "I changed my mind." });
  await page.visit(`conversations/${conversation}?at=31`);
  const cited = page.locator(".message.target");
  await cited.locator(".more > summary").click();
  await cited.getByRole("button", { name: "Delete message" }).click();
  await page.dialog.getByLabel("And never take it back in").check();
  await page.check("message-forget");
  await page.confirm("Delete message");
  await page.dialog.getByText("Memories flagged").waitFor();
  await page.dialog.getByText("In the database’s history until").waitFor();
  await page.check("message-forgotten");
  await page.confirm("Close");
  await page.getByText("Message 31 is not here").waitFor();
  await page.visit(`memories/${memory}`);
  await sources.getByText("The cited text was deleted with its message.").waitFor();
  assert.deepEqual(await sources.locator(".badge").allTextContents(), ["Edited", "Deleted", "Intact"]);
  assert.deepEqual(await page.locator("h1 .badge").allTextContents(), ["Source deleted", "Source edited"]);
  await page.check("memory-flagged");

  await page.visit(`memories/${berlin}`);
  await page.locator(".facts").getByRole("link", { name: "Maria lives in Lisbon." }).waitFor();
  await page.check("memory-ended");
  await page.visit("memories?user_id=maria");
  const row = (text: string) => page.locator("tbody tr").filter({ hasText: text });
  await row("Berlin").getByText("Ended").waitFor();
  await row("card").getByText("Source deleted").waitFor();
  await page.check("memories-marked");
  await page.visit("memories?user_id=maria&valid_at=2026-06-01");
  await row("Lisbon").waitFor();
  assert.equal(await row("Berlin").count(), 0, "the list of a day has no ended memory");
  await page.visit("search?q=Where%20does%20Maria%20live%3F&in=memories");
  await page.locator(".hit").filter({ hasText: "Berlin" }).getByText("Ended").first().waitFor();
  await page.check("search-ended");
  await page.visit("search?q=Line%2032&in=conversations");
  const time = page.locator(".hit header time").first();
  assert.match((await time.getAttribute("title")) ?? "", /\(2026-10-02T09:/, "the time when it was said");
  await (await page.addFilter("As of")).fill("2020-01-01");
  await page.keyboard.press("Enter");
  await page.getByText("Nothing was found").waitFor();
  await page.check("search-as-of");
  await page.visit(`context?conversation_id=${conversation}&as_of=${conversation}%3A5`);
  await page.getByText("Line 5 of the chat.").waitFor();
  assert.equal(await page.getByText("Line 6 of the chat.").count(), 0, "the context is that of the message");
  await page.checkRules("the memories");
  await page.close();
}

/** The message with this text is marked and in sight. */
async function isMarked(page: ConsolePage, text: string): Promise<void> {
  const target = page.locator(".message.target").filter({ hasText: text });
  await target.waitFor();
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector(".message.target")?.getBoundingClientRect() ?? {};
    return top !== undefined && bottom !== undefined && top >= 0 && bottom <= innerHeight;
  });
}

/** A memory that may contradict another one, and memories and users that are deleted so that they stay away. */
export async function walkForgetting({ open, client }: Site, key: string): Promise<void> {
  const engram = client(key);
  const ofLea = { user_id: "lea", tags: ["flat"], summary: null };
  const before = await engram.memories.create({ ...ofLea, content: "The rent of Lea's flat is 950 euros." });
  const page = await open(key, "memories");
  const { dialog } = page;
  const rows = page.locator("tbody tr");
  await page.press("Store a memory");
  await dialog.getByLabel("Content").fill("The rent of Lea's flat is 1,020 euros.");
  await dialog.getByLabel("User").fill("lea");
  await page.confirm("Store a memory");
  const conflicts = page.getByRole("region", { name: "Possible conflicts" });
  await conflicts.getByRole("link", { name: "950 euros" }).waitFor();
  await page.check("memory-conflicts");
  await page.press("End it now");
  await conflicts.waitFor({ state: "detached" });
  assert.notEqual((await engram.memories.get(before.id)).valid_until, null, "the older one has ended");
  await page.press("Edit");
  await dialog.getByLabel("Valid from").fill("2026-05-01T10:00:00");
  await page.check("memory-edit-times");
  await page.confirm("Save");
  await page.locator(".facts").getByText("Valid from").waitFor();

  await page.visit("memories");
  await page.getByLabel("Select all").check();
  await page.check("memories-selected");
  await page.press("Delete");
  await dialog.getByLabel("And never take it back in").check();
  await page.check("memories-forget");
  await page.confirm("Delete 2 memories");
  await dialog.getByText("of 2 removed for good").waitFor();
  await page.check("memories-forgotten");
  await page.confirm("Close");
  await page.getByText("No memories yet").waitFor();
  await assert.rejects(
    engram.memories.create({ ...ofLea, content: "The rent of Lea's flat is 950 euros." }),
    /forgotten|deleted/i,
  );

  // Its conversation, and all data of a user whose name is markup.
  const user_id = "<img src=x onerror=globalThis.hostile=1>";
  const { id } = await engram.conversations.create({ title: "Refund", user_id: "lea" });
  await engram.messages.append(id, { messages: [{ role: "user", content: "Where is it?" }] });
  await engram.memories.create({ user_id, content: "Wants letters." });
  await page.visit(`conversations/${id}`);
  await page.press("Delete conversation");
  await dialog.getByLabel("And never take it back in").check();
  await page.check("conversation-forget");
  await page.confirm("Delete conversation");
  await dialog.getByText("Requested").waitFor();
  await page.confirm("Close");
  await engram.users.delete(user_id);

  await page.visit("tombstones");
  await rows.nth(3).waitFor();
  await rows.filter({ hasText: "All data of a user" }).getByText(user_id).waitFor();
  assert.match(await textOf(rows.filter({ hasText: "A conversation" })), /1 conversation, 1 message/);
  await page.check("tombstones");
  await rows.filter({ hasText: "All data of a user" }).getByRole("button", { name: "Lift" }).click();
  await page.check("tombstone-lift");
  await page.confirm("Lift tombstone");
  await rows.nth(3).waitFor({ state: "detached" });
  await engram.memories.create({ user_id, content: "Wants letters." });

  await page.visit("settings");
  await page.getByLabel("Delete the memory").check();
  await page.press("Save");
  await page.getByText("It holds from now on").waitFor();
  assert.equal((await engram.organizations.get("current")).on_source_deleted, "delete");
  await page.check("settings");
  await page.reload();
  await page.getByLabel("Delete the memory").and(page.locator(":checked")).waitFor();
  await page.checkRules("forgetting");
  await page.close();

  const { secret } = await engram.keys.create({ name: "reads only", scopes: ["read"] });
  const reader = await open(secret, "settings");
  await reader.getByLabel("Keep the memory").check();
  await reader.press("Save");
  await reader.locator("main .state.forbidden").waitFor();
  await reader.check("settings-forbidden-save");
  await reader.close();
}
