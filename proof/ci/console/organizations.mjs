import assert from "node:assert/strict";
import { HOSTILE } from "./hostile.mjs";

/** The operator's view: the list, a new organization and the deletion of one, also with hostile names. */
export async function walkOrganizations({ openPage, signIn, visit, check, send, PAINT_MS }, key, adminToken) {
  const named = HOSTILE.map((text) =>
    [...text.replace(/\p{Cc}|\p{Cs}/gu, "")].slice(0, 60).join("").trim(),
  ).filter(Boolean);
  for (let i = 0; i < named.length; i += 8)
    await send(adminToken, "POST", "/v1/organizations", { name: named[i] });
  const page = await openPage();
  const dialog = page.getByRole("dialog");
  await page.getByLabel("Keep the key in this browser").check();
  await signIn(page, adminToken);
  await page.getByRole("heading", { name: "Organizations" }).waitFor();
  await page.locator("tbody tr").nth(9).waitFor();
  await check(page, "organizations");
  assert.deepEqual(await page.locator("nav a").allTextContents(), ["Organizations"]);
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.ok(!kept.includes(adminToken), "the admin token is not kept, even if asked for");
  assert.ok(!(await page.content()).includes(adminToken.slice(0, 12)), "no part of the token is shown");

  await page.getByRole("button", { name: "Create organization" }).click();
  await dialog.getByLabel("Name").fill("Made <b>here</b>");
  await dialog.getByRole("button", { name: "Create organization" }).click();
  const secret = await dialog.locator(".secret code").textContent();
  await page.getByRole("button", { name: "I have stored it" }).click();
  const row = page.locator("tbody tr").first();
  await row.getByText("Made <b>here</b>").waitFor();
  assert.ok(!(await page.content()).includes(secret), "the secret is shown once");
  assert.equal((await send(secret, "GET", "/v1/conversations")).items.length, 0, "the key works");

  await row.getByRole("button", { name: "Delete" }).click();
  await check(page, "organization-delete");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("Requested").waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const gone = page.getByText("Made <b>here</b>");
  const isDeleted = row.filter({ hasText: "Made <b>here</b>" }).getByText("Deleted", { exact: true });
  await page.locator("tbody tr").first().waitFor();
  assert.ok(
    (await gone.count()) === 0 || (await isDeleted.count()) === 1,
    "it is marked as deleted, or purged",
  );

  await answerInstead(page, 500, { code: "internal", title: "Internal error", detail: "Not <i>now</i>." });
  await visit(page, "#/unknown");
  await visit(page, "#/organizations");
  await page.locator(".state.failed").getByText("Not <i>now</i>.").waitFor({ timeout: PAINT_MS });
  await check(page, "organizations-failing");
  await answerInstead(page, 200, { items: [], next_cursor: null });
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No organizations").waitFor();
  await check(page, "organizations-empty");
  await page.close();

  const other = await openPage();
  await signIn(other, key);
  await visit(other, "#/organizations");
  await other.getByRole("alert").getByText("(401)").waitFor();
  await check(other, "organizations-forbidden");
  await other.close();
}

/** Replaces the service's response to the list. */
async function answerInstead(page, status, body) {
  await page.unroute("**/v1/organizations?*");
  await page.route("**/v1/organizations?*", (route) =>
    route.fulfill({
      status,
      contentType: status === 200 ? "application/json" : "application/problem+json",
      headers: { "x-request-id": "req_06e3tqz8m1k4v9x2c7d0" },
      body: JSON.stringify(status === 200 ? body : { type: "about:blank", status, ...body }),
    }),
  );
}
