import assert from "node:assert/strict";
import { join } from "node:path";
import { PAINT_MS, type Site } from "./pages.ts";
import { EMPTY, nameOf } from "./screens.ts";

/** A sign-in link works once, and does not stay in the history. */
export async function signInByLink({ open, client }: Site, key: string): Promise<void> {
  const { code } = await client(key).signInCodes.create();
  const page = await open();
  await page.visit(`sign-in/${code}`);
  await page.getByText("Nothing is stored yet").waitFor();
  assert.ok(!`${page.url()} ${await page.kept()}`.includes("engram_"), "code and key are not kept");
  await page.goBack();
  assert.ok(!page.url().includes(code), "the code is not in the history");
  await page.checkRules("sign-in by link");
  await page.close();
  const late = await open(undefined, `sign-in/${code}`);
  await late.getByRole("alert").getByText("not valid").waitFor();
  await late.check("sign-in-code-refused");
  await late.close();
}

/** The main path: empty store, first message, search, deletion with its progress. */
export async function walkEmptyStore({ open, screenshots }: Site, key: string): Promise<void> {
  const page = await open();
  await page.getByLabel("Key", { exact: true }).fill("engram_sk_live_wrong");
  await page.press("Sign in");
  await page.getByRole("alert").waitFor();
  await page.check("sign-in-refused");
  await page.signIn(key);
  await page.getByText("Nothing is stored yet").waitFor();
  await page.check("overview-empty");
  for (const place of EMPTY) {
    await page.visit(place);
    await page.locator(".state.empty").first().waitFor({ timeout: PAINT_MS });
    await page.check(`${nameOf(place)}-empty`);
  }
  await page.visit("");
  await page.getByLabel("Paste a line").fill("The refund for order 1029 was sent on Monday.");
  await page.press("Store it");
  await page.locator(".message").first().waitFor();
  await page.locator("h1").click();
  await page.keyboard.press("/");
  await page.locator("[data-search]").waitFor();
  await page.locator("[data-search]").fill("When was the refund sent?");
  await page.keyboard.press("Enter");
  await page.locator(".hit").first().waitFor();
  await page.getByText("Why it was found").first().click();
  await page.locator("h1").click();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.locator(".message.target").waitFor();
  assert.match(page.url(), /#\/conversations\/conv_\w+\?at=1$/, "a hit has a link");
  await page.goBack();
  await page.locator(".hit").first().waitFor();
  await page.goForward();
  await page.press("Delete conversation");
  await page.confirm("Delete conversation");
  await page.dialog.getByText("Deletion").first().waitFor();
  await page.dialog.getByText("Requested").waitFor();
  await page.screenshot({ path: join(screenshots, "receipt.png") });
  await page.confirm("Close");
  await page.getByText("No conversations yet").waitFor();
  await page.keyboard.press("?");
  await page.dialog.getByText("Next item of the list").waitFor();
  assert.ok(!`${page.url()} ${await page.kept()}`.includes(key), "the key is not kept");
  await page.checkRules("the whole way");
  await page.close();
}
