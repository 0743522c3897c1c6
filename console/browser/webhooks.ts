import assert from "node:assert/strict";
import { type ConsolePage, type Site, textOf } from "./pages.ts";

/** A host name that does not resolve, and a URL that contains markup. */
const HOSTILE_URL =
  "https://hooks.invalid.example.com/<img src=x onerror=globalThis.hostile=1>?next=javascript:globalThis.hostile=1";

/** Creates a webhook, tests it, skips an event, resumes the webhook, replays events, rotates, disables and deletes it, as a user does. */
export async function walkWebhooks({ open, client }: Site, key: string): Promise<void> {
  const page = await open(key, "webhooks");
  const { webhooks, memories } = client(key);
  const { dialog } = page;
  await page.check("webhooks-empty");
  await page.press("Create webhook");
  await dialog.getByLabel("URL (https)").fill("https://127.0.0.1/");
  await page.confirm("Create webhook");
  await dialog.getByRole("alert").getByText("must have a host name").waitFor();
  await dialog.getByLabel("URL (https)").fill(HOSTILE_URL);
  await dialog.getByLabel("Memory created").check();
  await page.check("webhook-create");
  await page.confirm("Create webhook");
  const secret = await textOf(dialog.locator(".secret code"));
  assert.match(secret, /^whsec_/, "the secret is shown");
  await page.press("I have stored it");
  await page.locator("[data-item]").waitFor();
  assert.ok(!(await page.content()).includes(secret), "the secret is shown once");
  await page.check("webhooks");

  await memories.create({ content: "The refund was sent on Monday." });
  const [webhook] = (await webhooks.list()).items;
  assert.ok(webhook);
  await page.locator("[data-item]").click();
  const deliveries = page.getByRole("table", { name: "Deliveries" });
  await page.press("Send a test event");
  const test = page.getByRole("region", { name: "Test event" });
  await test.locator(".attempt").waitFor({ timeout: 15_000 });
  await untilAttempted(page);
  await page.check("webhook");
  await page.reload();
  await page.press("Resume");
  await page.press("Skip");
  await deliveries.getByText("Skipped").waitFor();
  await page.getByRole("button", { name: "Resume", exact: true }).waitFor({ state: "detached" });
  await page.getByLabel("Status").selectOption("delivered");
  await page.getByText("No delivery has this status").waitFor();
  await page.goBack();
  await deliveries.waitFor();

  await page.press("Disable");
  await page.getByRole("button", { name: "Enable", exact: true }).waitFor();
  await page.press("Enable");
  await page.getByRole("button", { name: "Disable", exact: true }).waitFor();
  await page.press("Replay events");
  await dialog.getByLabel("After the event no.").fill("0");
  await page.confirm("Replay events");
  await dialog.waitFor({ state: "detached" });
  await page.press("Edit");
  assert.ok(await dialog.getByLabel("Memory created").isChecked(), "the chosen events are checked");
  await dialog.getByLabel("Memory created").uncheck();
  await page.confirm("Save");
  await dialog.waitFor({ state: "detached" });
  assert.equal((await webhooks.get(webhook.id)).types, null, "no choice is all events");
  await page.press("Rotate secret");
  await page.confirm("Rotate secret");
  assert.notEqual(await textOf(dialog.locator(".secret code")), secret, "a new secret");
  await page.press("I have stored it");
  await page.press("Delete webhook");
  await page.confirm("Delete webhook");
  await page.getByText("No webhooks").waitFor();
  await page.checkRules("webhooks");
  await page.close();
}

/** Loads the deliveries again until an attempt is shown. */
async function untilAttempted(page: ConsolePage): Promise<void> {
  const attempt = page.locator("tbody .attempt").first();
  for (let i = 0; i < 30 && !(await attempt.isVisible()); i++) {
    await page.press("Refresh");
    await page.waitForTimeout(1_000);
  }
  await attempt.waitFor();
}
