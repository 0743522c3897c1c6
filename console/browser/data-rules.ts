import assert from "node:assert/strict";
import { HOSTILE_NAMES } from "./hostile.ts";
import type { ConsolePage, Site } from "./pages.ts";

const HOSTILE = HOSTILE_NAMES[0] ?? "";
/** As long as a name may be, without a blank. */
const LONG = "a-name-without-a-blank-".repeat(8);
const YEAR_MS = 365 * 24 * 3_600_000;

/** Rules of retention, legal holds and archives: created, changed and ended as an admin does. */
export async function walkDataRules({ open, client }: Site, key: string): Promise<void> {
  const { conversations, memories } = client(key);
  const expires_at = new Date(Date.now() + YEAR_MS).toISOString();
  const { id } = await conversations.create({ title: "Order 2210", user_id: "vera", expires_at });
  const memory = await memories.create({ content: "Vera prefers letters.", user_id: "vera", expires_at });
  const page = await open(key);
  for (const place of [`conversations/${id}`, `memories/${memory.id}`]) {
    await page.visit(place);
    await page.getByText("Expires", { exact: true }).waitFor();
  }
  await walkHolds(page, id);
  await walkRetention(page);
  await walkArchives(page);
  await page.checkRules("the data rules");
  await page.close();
}

async function walkHolds(page: ConsolePage, id: string): Promise<void> {
  const { dialog } = page;
  await page.visit("holds");
  for (const reason of [HOSTILE, LONG]) {
    await page.press("Create hold");
    await dialog.getByLabel("Reason").fill(reason);
    if (reason === LONG) await dialog.getByLabel("Ids of").fill(id);
    else await dialog.getByLabel("User").fill("vera");
    await page.check(`holds-create-${reason === LONG ? "ids" : "filter"}`);
    await page.confirm("Create hold");
    await dialog.waitFor({ state: "detached" });
  }
  await page.getByText("1 id", { exact: true }).waitFor();
  await page.check("holds");
  await page.locator("[data-item]").last().click();
  await dialog.getByText("1 conversation and 1 memory").waitFor();
  await page.check("holds-one");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Lift", exact: true }).first().click();
  await page.check("holds-lift");
  await page.confirm("Lift hold");
  await page.getByRole("table", { name: "Lifted" }).waitFor();
  await page.check("holds-lifted");
}

async function walkRetention(page: ConsolePage): Promise<void> {
  const { dialog } = page;
  const rows = page.locator("tbody tr");
  await page.visit("retention");
  await page.press("Create rule");
  await dialog.getByLabel("Name").fill(HOSTILE);
  await dialog.getByLabel("User").fill(LONG);
  await page.check("retention-create");
  await page.confirm("Preview");
  await dialog.getByText("Now, it would delete 0.").waitFor();
  await page.check("retention-preview");
  await page.confirm("Create rule");
  await rows.getByText("Only counts").waitFor();
  await page.check("retention");
  await page.press("Start deleting");
  await dialog.getByText("Now, it would delete 0.").waitFor();
  await page.check("retention-start");
  await page.confirm("Start deleting");
  await rows.getByText("Deletes").waitFor();
  await page.press("Delete");
  await page.check("retention-delete");
  await page.confirm("Delete rule");
  await page.getByText("No rules").waitFor();
}

async function walkArchives(page: ConsolePage): Promise<void> {
  const { dialog } = page;
  const rows = page.locator("tbody tr");
  await page.visit("archives");
  await page.answer("**/v1/archives", 501, { code: "not_configured" });
  await page.press("Create archive");
  await page.confirm("Create archive");
  await page.getByText("This service has no object store").waitFor();
  await page.check("archives-no-store");
  await page.unroute("**/v1/archives");
  await page.reload();
  await page.press("Create archive");
  await dialog.getByLabel("Delete it after days").fill("30");
  await page.check("archives-create");
  await page.confirm("Create archive");
  await rows.getByText("Complete").waitFor();
  await page.press("Schedule");
  await dialog.getByLabel("An archive each").fill("7");
  await page.check("archives-schedule");
  await page.confirm("Save");
  await page.getByText("Every 7 days, kept until deleted").waitFor();
  await page.check("archives");
  const before = await rows.count();
  await page.getByRole("button", { name: "Delete", exact: true }).last().click();
  await page.check("archives-delete");
  await page.confirm("Delete archive");
  await dialog.waitFor({ state: "detached" });
  assert.ok(before > 0, "an archive was listed");
}
