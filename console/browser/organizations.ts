import assert from "node:assert/strict";
import { HOSTILE_NAMES } from "./hostile.ts";
import { PAINT_MS, type Site, textOf } from "./pages.ts";

/** The operator's view: the list, a new organization and the deletion of one, also with hostile names. */
export async function walkOrganizations(
  { open, client }: Site,
  key: string,
  adminToken: string,
): Promise<void> {
  for (let i = 0; i < HOSTILE_NAMES.length; i += 8)
    await client(adminToken).organizations.create({ name: HOSTILE_NAMES[i] ?? "" });
  const page = await open();
  const { dialog } = page;
  await page.getByLabel("Keep the key in this browser").check();
  await page.signIn(adminToken);
  await page.getByRole("heading", { name: "Organizations" }).waitFor();
  await page.locator("tbody tr").nth(9).waitFor();
  await page.check("organizations");
  assert.deepEqual(await page.locator("nav a").allTextContents(), ["Organizations"]);
  const session = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  const kept = `${await page.kept()}${session}`;
  assert.ok(!kept.includes(adminToken), "the admin token is not kept, even if asked for");
  assert.ok(!(await page.content()).includes(adminToken.slice(0, 12)), "no part of the token is shown");

  await page.press("Create organization");
  await dialog.getByLabel("Name").fill("Made <b>here</b>");
  await page.confirm("Create organization");
  const secret = await textOf(dialog.locator(".secret code"));
  await page.press("I have stored it");
  const row = page.locator("tbody tr").first();
  await row.getByText("Made <b>here</b>").waitFor();
  assert.ok(!(await page.content()).includes(secret), "the secret is shown once");
  assert.equal((await client(secret).conversations.list().page()).items.length, 0, "the key works");

  await row.getByRole("button", { name: "Delete" }).click();
  await page.check("organization-delete");
  await page.confirm("Delete");
  await dialog.getByText("Requested").waitFor();
  await page.confirm("Close");
  const isDeleted = row.filter({ hasText: "Made <b>here</b>" }).getByText("Deleted", { exact: true });
  const isPurged = page.locator("tbody").filter({ hasNotText: "Made <b>here</b>" });
  await isDeleted.or(isPurged).first().waitFor();

  await page.answer("**/v1/organizations?*", 500, { detail: "Not <i>now</i>." });
  await page.visit("unknown");
  await page.visit("organizations");
  await page.locator(".state.failed").getByText("Not <i>now</i>.").waitFor({ timeout: PAINT_MS });
  await page.check("organizations-failing");
  await page.answer("**/v1/organizations?*", 200, { items: [], next_cursor: null });
  await page.press("Try again");
  await page.getByText("No organizations").waitFor();
  await page.check("organizations-empty");
  await page.close();

  const other = await open(key, "organizations");
  await other.getByRole("alert").getByText("(401)").waitFor();
  await other.check("organizations-forbidden");
  await other.close();
}
