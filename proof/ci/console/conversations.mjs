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
