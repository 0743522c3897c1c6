import assert from "node:assert/strict";
import { HOSTILE_NAMES } from "./hostile.ts";
import type { Site } from "./pages.ts";

const LONG_NAME = "a-name-without-a-blank-".repeat(8);

/** Opens every dialog with long names and hostile ones. `check` finds what is cut off, at each width. */
export async function openEveryDialog({ open, client }: Site, key: string): Promise<void> {
  const { conversations, messages, memories, keys, members, webhooks } = client(key);
  const names = [LONG_NAME, HOSTILE_NAMES[0] ?? ""];
  for (const name of names) {
    const { id } = await conversations.create({ title: name, user_id: name });
    await messages.append(id, { messages: [{ role: "user", content: name }] });
    await keys.create({ name, scopes: ["read"] });
    await members.create({ name, role: "reader" });
  }
  const [conversation] = (await conversations.list().page()).items;
  const memory = await memories.create({ content: LONG_NAME });
  const webhook = await webhooks.create({ url: `https://hooks.example.com/${LONG_NAME}` });
  assert.ok(conversation, "the conversation is listed");

  /** The buttons that open a dialog, by place. The number says which of several buttons. */
  const dialogs: Record<string, readonly (readonly [string, number?])[]> = {
    keys: [["Create key"], ["Rotate"], ["Revoke"], ["Revoke", 1]],
    members: [["Add member"], ["Sign-in link"], ["Change role"], ["Remove"], ["Remove", 1]],
    connect: [["Create a key for a client"]],
    memories: [["Store a memory"]],
    webhooks: [["Create webhook"]],
    [`conversations/${conversation.id}`]: [
      ...[["Edit"], ["Fork"], ["Delete conversation"], ["Edit", 1], ["Delete message"]],
    ] as [string][],
    [`memories/${memory.id}`]: [["Edit"], ["Delete memory"]],
    [`webhooks/${webhook.id}`]: [["Edit"], ["Replay events"], ["Rotate secret"], ["Delete webhook"]],
  };
  const page = await open(key);
  for (const [place, buttons] of Object.entries(dialogs)) {
    await page.visit(place);
    if (place.startsWith("conversations/")) await page.locator(".more > summary").first().waitFor();
    for (const details of await page.locator(".more > summary").all()) await details.click();
    for (const [name, at = 0] of buttons) {
      await page.getByRole("button", { name, exact: true }).nth(at).click();
      await page.dialog.waitFor();
      const file = `dialog-${place.replace(/\/.*/, "-one")}-${name}-${at}`.replaceAll(/\W+/g, "-");
      await page.check(file.toLowerCase());
      await page.keyboard.press("Escape");
      await page.dialog.waitFor({ state: "detached" });
    }
  }
  for (const [i, name] of names.entries()) {
    await page.visit(`users/${encodeURIComponent(name)}`);
    await page.press("More actions");
    await page.getByRole("menuitem", { name: "Delete all data…" }).click();
    await page.dialog.waitFor();
    await page.check(`dialog-users-one-delete-all-data-${i}`);
    await page.keyboard.press("Escape");
    await page.dialog.waitFor({ state: "detached" });
  }
  await page.close();
}
