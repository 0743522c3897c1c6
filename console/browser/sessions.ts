import assert from "node:assert/strict";
import type { ConsolePage, Site } from "./pages.ts";

/** A session lasts for a reload and in further tabs, and a sign-out ends it in all of them, with the key of its link. */
export async function walkSessions({ open, client }: Site, key: string): Promise<void> {
  const { keys, signInCodes } = client(key);
  const { code } = await signInCodes.create();
  const page = await open(undefined, `sign-in/${code}`);
  await page.getByText("Nothing is stored yet").waitFor();
  await page.reload();
  await page.getByText("Nothing is stored yet").waitFor();
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Keys" }).click({ button: "middle" });
  const other = await opened;
  await other.getByText("Console sign-ins").waitFor();
  const stored = await other.evaluate(() => JSON.stringify({ ...localStorage }));
  assert.ok(!stored.includes("engram_sk_"), "no key is kept in the browser");

  await page.visit("keys");
  await page.getByText("1 of 1 active").waitFor();
  await page.check("keys-sign-ins");
  await page.press("Show");
  await page.getByRole("button", { name: "Rotate" }).nth(1).waitFor();
  await page.check("keys-sign-ins-open");

  await other.getByRole("button", { name: "Account" }).click();
  await other.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Key", { exact: true }).waitFor();
  await page.reload();
  await page.getByLabel("Key", { exact: true }).waitFor();
  const third = await page.context().newPage();
  await third.goto(page.url());
  await third.getByLabel("Key", { exact: true }).waitFor();
  await untilRevoked();
  await page.checkRules("the session");
  await page.close();

  async function untilRevoked(): Promise<void> {
    for (;;) {
      const all = await keys.list().toArray({ max: 10 });
      const [made] = all.filter(({ name }) => name === "console sign-in");
      if (made?.revoked_at !== null) return;
      await page.waitForTimeout(100);
    }
  }
}

/** A client's settings are copied with a key of its own, never with the key that is signed in. */
export async function walkConnect({ open, client }: Site, key: string): Promise<void> {
  const page = await open(key, "connect");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const first = page.locator(".card").filter({ hasText: "Claude Code" });
  await first.getByRole("button", { name: "Copy without key" }).click();
  assert.match(await copied(page), /Bearer YOUR_KEY"/, "no key is copied");
  await page.press("Create a key for a client");
  await page.dialog.getByLabel("Name").fill("Claude Code on the laptop");
  await page.dialog.getByLabel("Only data of the user").fill("maria");
  await page.check("connect-create");
  await page.confirm("Create a key for a client");
  await page.dialog.waitFor({ state: "detached" });
  await first.getByRole("button", { name: "Copy with key" }).click();
  const secret = /Bearer (engram_sk_\w+)/.exec(await copied(page))?.[1] ?? "";
  assert.notEqual(secret, key);
  await client(secret).conversations.list().page();
  const [made] = (await client(key).keys.list().page()).items;
  assert.deepEqual(
    [made?.name, made?.scopes, made?.user_id],
    ["Claude Code on the laptop", ["read", "write", "search"], "maria"],
  );
  await page.press("Test the endpoint");
  await page.getByText(/Answers in \d+ ms/).waitFor();
  await page.check("connect-key");
  await page.visit("keys");
  await page.visit("connect");
  assert.ok(!(await page.content()).includes(secret), "the key is shown once");
  await page.close();
}

const copied = (page: ConsolePage): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
