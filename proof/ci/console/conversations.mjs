import assert from "node:assert/strict";

const HOSTILE_TITLE = "<img src=x onerror=globalThis.hostile=1>\u202e";

/** The list that is updated live, the update and the fork of a conversation, and its presence. */
export async function walkConversations({ openPage, signIn, visit, check, send }, key) {
  const make = (body) => send(key, "POST", "/v1/conversations", body);
  const page = await openPage();
  const dialog = page.getByRole("dialog");
  const row = (text) => page.locator("tbody tr").filter({ hasText: text });
  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  await signIn(page, key);
  await visit(page, "#/conversations?user_id=maria");
  await page.getByText("Live", { exact: true }).waitFor();
  const first = await make({ title: "First refund", user_id: "maria", tags: ["billing"] });
  await row("First refund").waitFor();
  await make({ title: "Of another user", user_id: "jon" });
  const second = await make({ title: "Second refund", user_id: "maria" });
  await row("Second refund").waitFor();
  assert.equal(await row("Of another user").count(), 0, "the filters hold for new ones");
  assert.match(await page.locator("tbody tr").first().textContent(), /Second refund/, "new ones are on top");
  const messages = ["one", "two", "three"].map((content) => ({ role: "user", content }));
  await send(key, "POST", `/v1/conversations/${first.id}/messages`, { messages });
  await page.locator("tbody tr").first().filter({ hasText: "First refund" }).waitFor();
  assert.equal(await page.locator("tbody tr").count(), 2, "a changed one is shown once");
  await page.getByText("2 of 2").waitFor();
  await check(page, "conversations-live");
  await send(key, "DELETE", `/v1/conversations/${second.id}`);
  await row("Second refund").waitFor({ state: "detached" });
  await page.getByText("1 of 1").waitFor();

  await send(key, "PUT", `/v1/conversations/${first.id}/presence`, { state: { status: HOSTILE_TITLE } });
  await visit(page, `#/conversations/${first.id}`);
  const present = page.getByRole("list", { name: "Present now" });
  await present.getByText("<img src=x").waitFor();
  await press("Edit");
  await dialog.getByLabel("Title").fill(HOSTILE_TITLE);
  await dialog.getByLabel("Tags").fill("billing\nvip, old");
  await check(page, "conversation-edit");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1 }).getByText("<img src=x").waitFor();
  const { tags } = await send(key, "GET", `/v1/conversations/${first.id}`);
  assert.deepEqual(tags, ["billing", "vip, old"]);
  await check(page, "conversation-present");
  await press("Fork");
  await dialog.getByLabel("Up to message no.").fill("2");
  await dialog.getByLabel("Title of the fork").fill("The fork");
  await check(page, "conversation-fork");
  await dialog.getByRole("button", { name: "Fork" }).click();
  await page.getByRole("heading", { level: 1 }).getByText("The fork").waitFor();
  await page.getByText("two", { exact: true }).waitFor();
  assert.equal(await page.getByText("three", { exact: true }).count(), 0, "later messages are not copied");
  assert.ok(!page.url().includes(first.id), "the fork is a conversation of its own");
  await page.checkRules("the conversations");
  await page.close();

  const { secret } = await send(key, "POST", "/v1/keys", { name: "reads only", scopes: ["read"] });
  const reader = await openPage();
  await signIn(reader, secret);
  await visit(reader, `#/conversations/${first.id}`);
  await reader.getByRole("button", { name: "Fork", exact: true }).click();
  await reader.getByRole("dialog").getByRole("button", { name: "Fork" }).click();
  await reader.getByRole("dialog").locator(".state.forbidden").waitFor();
  await check(reader, "conversation-fork-forbidden");
  await reader.close();
}

const MARKDOWN = [
  "## Steps\n\n1. **send** it\n2. wait\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n<script>globalThis.hostile=1</script>\n```",
  "[the bank](http://192.0.2.1/leak) ![chart](http://192.0.2.1/leak) [run](javascript:globalThis.hostile=1)",
  "<img src=http://192.0.2.1/leak onerror=globalThis.hostile=1> <b>bold</b> &lt;b&gt;",
].join("\n\n");

/** Messages as Markdown, and the edit and deletion of one. */
export async function walkMessages({ openPage, signIn, visit, check, send }, key) {
  const { id } = await send(key, "POST", "/v1/conversations", { title: "Markdown" });
  const said = [MARKDOWN, "two\r\nlines", "three"].map((content) => ({ role: "assistant", content }));
  await send(key, "POST", `/v1/conversations/${id}/messages`, { messages: said });
  const page = await openPage();
  const dialog = page.getByRole("dialog");
  const message = page.locator(".message");
  await signIn(page, key);
  await visit(page, `#/conversations/${id}`);
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
  await check(page, "conversation-markdown");
  await page.getByLabel("Markdown").uncheck();

  await message.nth(1).getByText("Details").click();
  await message.nth(1).getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("Metadata").fill("[]");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Metadata").fill('{"checked":true}');
  await check(page, "message-edit");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const [, second] = (await send(key, "GET", `/v1/conversations/${id}/messages`)).items;
  assert.deepEqual(
    [second.content, second.metadata],
    ["two\r\nlines", { checked: true }],
    "the text is untouched",
  );
  await message.nth(2).getByText("Details").click();
  await message.nth(2).getByRole("button", { name: "Edit" }).click();
  await dialog.getByLabel("Content").fill("3, edited");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("3, edited", { exact: true }).waitFor();
  await message.nth(2).getByRole("button", { name: "Delete message" }).click();
  await dialog.getByRole("button", { name: "Delete message" }).click();
  await dialog.getByText("Requested").waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByText("Message 3 was deleted").waitFor();
  await page.checkRules("the messages");

  // The events fail: the list says so, and follows them again.
  const problem = {
    type: "about:blank",
    title: "Internal error",
    status: 500,
    code: "internal",
    detail: "No.",
  };
  await page.route("**/v1/events?*", (route) =>
    route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify(problem) }),
  );
  for (const [place, name] of [
    ["conversations", "conversations-not-live"],
    [`conversations/${id}`, "conversation-not-live"],
  ]) {
    await visit(page, "#/connect");
    await visit(page, `#/${place}`);
    await page.getByText("Changes do not appear here any more").waitFor();
    await check(page, name);
  }
  await page.unroute("**/v1/events?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.close();
}
