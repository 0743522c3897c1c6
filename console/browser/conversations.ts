import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { storeDemo } from "./demo.ts";
import { type Site, textOf } from "./pages.ts";

const HOSTILE_TITLE = "<img src=x onerror=globalThis.hostile=1>\u202e";

/** The list that is updated live, the update and the fork of a conversation, and its presence. */
export async function walkConversations({ open, client }: Site, key: string): Promise<void> {
  const { conversations, messages, keys } = client(key);
  const page = await open(key, "conversations?user_id=maria");
  const { dialog } = page;
  const row = (text: string) => page.locator("tbody tr").filter({ hasText: text });
  await page.getByText("Live", { exact: true }).waitFor();
  const first = await conversations.create({ title: "First refund", user_id: "maria", tags: ["billing"] });
  await row("First refund").waitFor();
  await conversations.create({ title: "Of another user", user_id: "jon" });
  const second = await conversations.create({ title: "Second refund", user_id: "maria" });
  await row("Second refund").waitFor();
  assert.equal(await row("Of another user").count(), 0, "the filters hold for new ones");
  assert.match(await textOf(page.locator("tbody tr").first()), /Second refund/, "new ones are on top");
  const said = ["one", "two", "three"].map((content) => ({ role: "user" as const, content }));
  await messages.append(first.id, { messages: said });
  await page.locator("tbody tr").first().filter({ hasText: "First refund" }).waitFor();
  assert.equal(await page.locator("tbody tr").count(), 2, "a changed one is shown once");
  await page.getByText("2 of 2").waitFor();
  await page.check("conversations-live");
  await conversations.delete(second.id);
  await row("Second refund").waitFor({ state: "detached" });
  await page.getByText("1 of 1").waitFor();

  await conversations.setPresence(first.id, { state: { status: HOSTILE_TITLE } });
  await page.visit(`conversations/${first.id}`);
  const present = page.getByRole("list", { name: "Present now" });
  await present.getByText("<img src=x").waitFor();
  await page.press("Edit");
  await dialog.getByLabel("Title").fill(HOSTILE_TITLE);
  await dialog.getByLabel("Tags").fill("billing\nvip, old");
  await page.check("conversation-edit");
  await page.confirm("Save");
  await page.getByRole("heading", { level: 1 }).getByText("<img src=x").waitFor();
  const { tags } = await conversations.get(first.id);
  assert.deepEqual(tags, ["billing", "vip, old"]);
  await page.check("conversation-present");
  await page.press("Fork");
  await dialog.getByLabel("Up to message no.").fill("2");
  await dialog.getByLabel("Title of the fork").fill("The fork");
  await page.check("conversation-fork");
  await page.confirm("Fork");
  await page.getByRole("heading", { level: 1 }).getByText("The fork").waitFor();
  await page.getByText("two", { exact: true }).waitFor();
  assert.equal(await page.getByText("three", { exact: true }).count(), 0, "later messages are not copied");
  assert.ok(!page.url().includes(first.id), "the fork is a conversation of its own");
  await page.checkRules("the conversations");
  await page.close();

  const { secret } = await keys.create({ name: "reads only", scopes: ["read"] });
  const reader = await open(secret, `conversations/${first.id}`);
  await reader.press("Fork");
  await reader.confirm("Fork");
  await reader.dialog.locator(".state.forbidden").waitFor();
  await reader.check("conversation-fork-forbidden");
  await reader.close();
}

const MARKDOWN = [
  "## Steps\n\n1. **send** it\n2. wait\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n<script>globalThis.hostile=1</script>\n```",
  "[the bank](http://192.0.2.1/leak) ![chart](http://192.0.2.1/leak) [run](javascript:globalThis.hostile=1)",
  "<img src=http://192.0.2.1/leak onerror=globalThis.hostile=1> <b>bold</b> &lt;b&gt;",
].join("\n\n");

/** Messages as Markdown, and the edit and deletion of one. */
export async function walkMessages({ open, client }: Site, key: string): Promise<void> {
  const { conversations, messages } = client(key);
  const { id } = await conversations.create({ title: "Markdown" });
  const said = [MARKDOWN, "two\r\nlines", "three"].map((content) => ({
    role: "assistant" as const,
    content,
  }));
  await messages.append(id, { messages: said });
  const page = await open(key, `conversations/${id}`);
  const { dialog } = page;
  const message = page.locator(".message");
  await page.locator(".markdown strong").getByText("send").waitFor();
  assert.equal(await page.locator(".markdown a").count(), 0, "links are off");
  await page.getByRole("button", { name: "the bank" }).click();
  const link = page.getByRole("link", { name: "http://192.0.2.1/leak" });
  assert.equal(await link.getAttribute("rel"), "noopener noreferrer", "a click shows where a link leads");
  await page.getByRole("button", { name: "chart" }).click();
  assert.equal(await link.count(), 2, "an image is a link");
  assert.equal(await page.getByRole("button", { name: "run" }).count(), 0, "a script is no link");
  await page.check("conversation-markdown");
  await page.keyboard.press("m");
  const raw = message.first().locator(".body .text");
  await raw.getByText("## Steps").waitFor();
  assert.equal(await textOf(raw), MARKDOWN, "the text as stored is exact");
  await page.reload();
  await raw.getByText("## Steps").waitFor();
  assert.equal(await page.getByLabel("Markdown").isChecked(), false, "the choice is kept");

  await message.nth(1).locator(".more > summary").click();
  await message.nth(1).getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("Metadata").fill("[]");
  await page.confirm("Save");
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Metadata").fill('{"checked":true}');
  await page.check("message-edit");
  await page.confirm("Save");
  await dialog.waitFor({ state: "detached" });
  const [, second] = (await messages.list(id).page()).items;
  assert.deepEqual(
    [second?.content, second?.metadata],
    ["two\r\nlines", { checked: true }],
    "the text is untouched",
  );
  await message.nth(2).locator(".more > summary").click();
  await message.nth(2).getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("Content").fill("3, edited");
  await page.confirm("Save");
  await page.getByText("3, edited", { exact: true }).waitFor();
  await message.nth(2).getByRole("button", { name: "Delete message" }).click();
  await page.confirm("Delete message");
  await dialog.getByText("Requested").waitFor();
  await page.confirm("Close");
  await page.getByText("Message 3 is not here").waitFor();
  await page.checkRules("the messages");

  // The events fail: the list says so, and follows them again.
  await page.answer("**/v1/events?*", 500, { detail: "No." });
  for (const [place, name] of [
    ["conversations", "conversations-not-live"],
    [`conversations/${id}`, "conversation-not-live"],
  ] as const) {
    await page.visit("connect");
    await page.visit(place);
    await page.getByText("Changes do not appear here any more").waitFor();
    await page.check(name);
  }
  await page.unroute("**/v1/events?*");
  await page.press("Try again");
  await page.getByText("Live", { exact: true }).waitFor();
  await page.close();
}

/** A conversation that has neither its first messages nor thousands in its middle. */
export async function walkGaps({ open, client }: Site, key: string): Promise<void> {
  const engram = client(key);
  const origin = await engram.conversations.create({ title: "The first part" });
  const branch = await engram.conversations.create({
    ...{ title: "The second part", metadata: { branch_of: origin.id } },
  });
  const said = Array.from({ length: 40 }, (_, i) => ({
    role: "user" as const,
    content: `Said before: ${i + 1}`,
  }));
  await engram.messages.append(origin.id, { messages: said });
  const [first] = (await engram.messages.list(origin.id, { limit: 1 }).page()).items;
  assert.ok(first, "the first message is listed");
  const lines = [41, 42, 9_000, 9_001].map((sequence) => ({
    ...first,
    ...{ type: "message" as const, conversation_id: branch.id, external_digest: null },
    ...{
      id: first.id.replace(/.{4}$/, String(sequence).padStart(4, "0")),
      sequence,
      content: `No. ${sequence}`,
    },
  }));
  const { problems } = await engram.import(lines);
  assert.deepEqual(problems, []);
  const page = await open(key, `conversations/${branch.id}`);
  for (const text of ["No. 41", "No. 42", "No. 9000", "No. 9001"])
    await page.getByText(text, { exact: true }).waitFor();
  assert.deepEqual(await page.locator(".message.gone").allTextContents(), [
    "40 messages are not here (1–40) Show the conversation that this one continues",
    "8,957 messages are not here (43–8999) ",
  ]);
  await page.check("conversation-gaps");
  await page.press("Latest");
  await page.getByText("No. 9001", { exact: true }).waitFor();
  await page.visit(`conversations/${branch.id}?at=500`);
  await page.getByText("8,957 messages are not here").waitFor();
  await page.getByText("Show the conversation that this one continues").click();
  await page.locator(".message.target").getByText("Said before: 40").waitFor();
  await page.checkRules("the gaps");
  await page.close();
}

/** Tool calls folded with their results, a row that unfolds, and the keys of a transcript. */
export async function walkTranscript({ open, client }: Site, key: string): Promise<void> {
  const engram = client(key);
  const { transcript, support } = await storeDemo(engram);
  const page = await open(key, `conversations/${transcript}`);
  const call = page.locator("details.call");
  await page.locator(".markdown table").waitFor();
  await page
    .getByText("Today", { exact: true })
    .or(page.getByText("Yesterday", { exact: true }))
    .first()
    .waitFor();
  assert.match(
    await textOf(call.first().locator("> summary")),
    /^read_filepath: test\/checkout\.test\.ts→ import/,
  );
  assert.equal(
    await page.locator("[data-index='3'], [data-index='4']").count(),
    0,
    "a result has no row of its own",
  );
  const time = page.locator(".message time").first();
  assert.match(await textOf(time), /^\d+[mh] ago$|^\d\d:\d\d$/);
  assert.match((await time.getAttribute("title")) ?? "", /\(\d{4}-.*Z\)$/, "the exact time is on hover");

  const below = page.locator("[data-index='5']");
  const before = (await below.boundingBox())?.y ?? 0;
  await call.first().locator("> summary").click();
  await call.first().locator("pre").getByText("charges once").waitFor();
  await page.waitForFunction(
    (y) => (document.querySelector("[data-index='5']")?.getBoundingClientRect().top ?? 0) > y + 100,
    before,
  );
  await page.check("conversation-unfolded");
  // Out of sight and back: the fold is as the user left it.
  const list = page.locator(".virtual-list");
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.getByText("Does a crash between").waitFor();
  await list.evaluate((element) => element.scrollTo(0, 0));
  await call.first().locator("pre").getByText("charges once").waitFor();

  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const focused = page.locator(".message:focus");
  assert.match(await textOf(focused), /fails about once in ten runs/);
  await page.keyboard.press("j");
  await page.keyboard.press("o");
  assert.equal(await focused.locator("details.call[open]").count(), 2, "o unfolds what is folded");
  await page.keyboard.press("Enter");
  assert.equal(await focused.locator("details.call[open]").count(), 0, "Enter folds it again");
  await page.keyboard.press("k");
  assert.match(await textOf(focused), /fails about once in ten runs/);
  await page.visit(`conversations/${transcript}?at=8`);
  await page.locator(".message.target").getByText("edit_file").waitFor();
  await page.check("conversation-transcript");
  await page.visit(`conversations/${support}`);
  await page.getByText("Done. You prefer e-mail").waitFor();
  await page.check("conversation-support");
  await stayInPlace();
  await page.keyboard.press("/");
  await page.locator("[data-search]:focus").waitFor();
  await page.checkRules("the transcript");
  await page.close();

  /** The message that is read stays in its place when all others change their height. */
  async function stayInPlace(): Promise<void> {
    const { id } = await engram.conversations.create({ title: "Lists" });
    const content = "| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n\n```\ncode\n```";
    await engram.messages.append(id, {
      messages: Array.from({ length: 40 }, () => ({ role: "assistant", content })),
    });
    await page.visit(`conversations/${id}?at=20`);
    const target = page.locator(".message.target");
    const top = async () => Math.round((await target.boundingBox())?.y ?? 0);
    await target.locator(".markdown table").waitFor();
    await list.hover();
    await page.mouse.wheel(0, -60);
    await page.waitForTimeout(200);
    const read = await top();
    for (const shown of [".prose", ".markdown"]) {
      await page.keyboard.press("m");
      await target.locator(shown).waitFor();
      await page.waitForTimeout(200);
      assert.ok(Math.abs((await top()) - read) <= 2, `the message stays at ${read}, not at ${await top()}`);
    }
  }
}

/** Several conversations at once: a tag, an export, a deletion of which one fails, and views of filters. */
export async function walkSelection({ open, client }: Site, key: string): Promise<void> {
  const engram = client(key);
  await storeDemo(engram);
  const page = await open(key, "conversations");
  const { dialog } = page;
  const row = (text: string) => page.locator("tbody tr").filter({ hasText: text });
  await page.getByText("5 of 5").waitFor();
  const titles = await page.locator("td.wide > a").allTextContents();
  assert.deepEqual(titles, [
    ...["Flaky checkout test", "Login code never arrives", "Refund for order 1029"],
    ...["Where do I change the delivery address of…", "Invoice in another currency"],
  ]);
  await row("Login code").getByText("The code does not arrive by SMS.").waitFor();
  await row("Login code").getByText("3h ago").waitFor();
  await page.check("conversations-list");

  await row("Login code").getByRole("checkbox").click();
  await row("delivery address")
    .getByRole("checkbox")
    .click({ modifiers: ["Shift"] });
  await page.getByText("3 selected").waitFor();
  await page.check("conversations-selected");
  await page.press("Add tag");
  await dialog.getByLabel("Tag to add").fill(HOSTILE_TITLE);
  await page.check("conversations-add-tag");
  await page.confirm("Add tag");
  await dialog.getByText("3 conversations with the tag now").waitFor();
  await page.confirm("Close");
  await row("Login code").getByText("<img src=x").waitFor();
  const tagged = await engram.conversations.list({ tags_any: [HOSTILE_TITLE] }).toArray({ max: 9 });
  assert.equal(tagged.length, 3);
  assert.ok(
    tagged.every(({ tags }) => tags.includes("billing")),
    "the other tags stay",
  );
  await page.press("Remove tag");
  await dialog.getByRole("radio", { name: "<img src=x" }).check();
  await page.check("conversations-remove-tag");
  await page.confirm("Remove tag");
  await dialog.getByText("3 conversations without the tag now").waitFor();
  await page.confirm("Close");

  await page.press("Export");
  await page.check("conversations-export");
  const saved = page.waitForEvent("download");
  await page.confirm("Export");
  const file = await readFile(await (await saved).path(), "utf8");
  await dialog.getByText("3 conversations with 8 messages saved as conversations.ndjson").waitFor();
  const lines = file
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const chat = lines.find(({ title }) => title === "Refund for order 1029");
  const stored = await engram.messages.list(chat.id).toArray({ max: 100 });
  assert.deepEqual(chat.messages, stored, "the file has all messages as the API returns them");
  await page.confirm("Close");

  await engram.conversations.delete(chat.id);
  await row("Refund for order").waitFor({ state: "detached" });
  await page.getByText("2 selected").waitFor();
  await page.answer("**/v1/conversations/conv_*", 403, { code: "forbidden", detail: "It is <b>locked</b>." });
  await page.press("Delete");
  await page.check("conversations-delete");
  await page.confirm("Delete 2 conversations");
  await dialog.getByText("2 failed").waitFor();
  await dialog.getByText("Login code never arrives: It is <b>locked</b>.").waitFor();
  await page.check("conversations-delete-failed");
  await page.unroute("**/v1/conversations/conv_*");
  await page.confirm("Try again");
  await dialog.getByText("2 conversations deleted").waitFor();
  await page.confirm("Close");
  await page.getByText("2 of 2").waitFor();
  assert.equal(await page.locator(".selection-bar").count(), 0);

  await page.visit("conversations?tags_any=billing");
  await page.press("Save view");
  await dialog.getByLabel("Name").fill(HOSTILE_TITLE);
  await page.check("conversations-save-view");
  await page.confirm("Save");
  await page.visit("conversations");
  await page.getByRole("link", { name: "<img src=x" }).click();
  await page.getByText("1 of 1").waitFor();
  await page.reload();
  await page.locator(".view a[aria-current]").getByText("<img src=x").waitFor();
  await page.check("conversations-views");
  await page.getByRole("button", { name: "Delete the view" }).click();
  await page.locator(".view a[aria-current]").waitFor({ state: "detached" });
  await page.checkRules("the selection");
  await page.close();
}
