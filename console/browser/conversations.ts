import assert from "node:assert/strict";
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
  await page.getByText("## Steps").waitFor();
  await page.getByLabel("Markdown").check();
  await page.locator(".markdown strong").getByText("send").waitFor();
  assert.equal(await page.locator(".markdown a").count(), 0, "links are off");
  await page.getByRole("button", { name: "the bank" }).click();
  const link = page.getByRole("link", { name: "http://192.0.2.1/leak" });
  assert.equal(await link.getAttribute("rel"), "noopener noreferrer", "a click shows where a link leads");
  await page.getByRole("button", { name: "chart" }).click();
  assert.equal(await link.count(), 2, "an image is a link");
  assert.equal(await page.getByRole("button", { name: "run" }).count(), 0, "a script is no link");
  await page.check("conversation-markdown");
  await page.getByLabel("Markdown").uncheck();

  await message.nth(1).getByText("Details").click();
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
  await message.nth(2).getByText("Details").click();
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
