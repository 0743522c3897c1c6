import assert from "node:assert/strict";

/** A host name that does not resolve, and a URL that contains markup. */
const HOSTILE_URL =
  "https://hooks.invalid.example.com/<img src=x onerror=globalThis.hostile=1>?next=javascript:globalThis.hostile=1";

/** Creates a webhook, tests it, skips an event, resumes the webhook, replays events, rotates, disables and deletes it, as a user does. */
export async function walkWebhooks({ openPage, signIn, visit, check, send }, key) {
  const page = await openPage();
  const button = (name) => page.getByRole("button", { name, exact: true });
  const dialog = page.getByRole("dialog");
  await signIn(page, key);
  await visit(page, "#/webhooks");
  await check(page, "webhooks-empty");
  await button("Create webhook").click();
  await dialog.getByLabel("URL (https)").fill("https://127.0.0.1/");
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await dialog.getByRole("alert").getByText("must have a host name").waitFor();
  await dialog.getByLabel("URL (https)").fill(HOSTILE_URL);
  await dialog.getByLabel("Memory created").check();
  await check(page, "webhook-create");
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  const secret = await dialog.locator(".secret code").textContent();
  assert.match(secret, /^whsec_/, "the secret is shown");
  await button("I have stored it").click();
  await page.locator("[data-item]").waitFor();
  assert.ok(!(await page.content()).includes(secret), "the secret is shown once");
  await check(page, "webhooks");

  await send(key, "POST", "/v1/memories", { content: "The refund was sent on Monday." });
  const [webhook] = (await send(key, "GET", "/v1/webhooks")).items;
  await page.locator("[data-item]").click();
  const deliveries = page.getByRole("table", { name: "Deliveries" });
  await button("Send a test event").click();
  const test = page.getByRole("region", { name: "Test event" });
  await test.locator(".attempt").waitFor({ timeout: 15_000 });
  await untilAttempted(page);
  await check(page, "webhook");
  await page.reload();
  await button("Resume").click();
  await button("Skip").click();
  await deliveries.getByText("Skipped").waitFor();
  await button("Resume").waitFor({ state: "detached" });
  await page.getByLabel("Status").selectOption("delivered");
  await page.getByText("No delivery has this status").waitFor();
  await page.goBack();
  await deliveries.waitFor();

  await button("Disable").click();
  await button("Enable").waitFor();
  await button("Enable").click();
  await button("Disable").waitFor();
  await button("Replay events").click();
  await dialog.getByLabel("After the event no.").fill("0");
  await dialog.getByRole("button", { name: "Replay events" }).click();
  await dialog.waitFor({ state: "detached" });
  await button("Edit").click();
  assert.ok(await dialog.getByLabel("Memory created").isChecked(), "the chosen events are checked");
  await dialog.getByLabel("Memory created").uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal((await send(key, "GET", `/v1/webhooks/${webhook.id}`)).types, null, "no choice is all events");
  await button("Rotate secret").click();
  await dialog.getByRole("button", { name: "Rotate secret" }).click();
  assert.notEqual(await dialog.locator(".secret code").textContent(), secret, "a new secret");
  await button("I have stored it").click();
  await button("Delete webhook").click();
  await dialog.getByRole("button", { name: "Delete webhook" }).click();
  await page.getByText("No webhooks").waitFor();
  await page.checkRules("webhooks");
  await page.close();
}

/** Loads the deliveries again until an attempt is shown. */
async function untilAttempted(page) {
  const attempt = page.locator("tbody .attempt").first();
  for (let i = 0; i < 30 && !(await attempt.isVisible()); i++) {
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForTimeout(1_000);
  }
  await attempt.waitFor();
}
