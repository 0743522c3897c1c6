import assert from "node:assert/strict";
import { type Site, textOf } from "./pages.ts";

/** As many as have a summary of level 2, and some more. */
const MESSAGES = 200;

/** The summaries of a conversation, made on request, and the way from a sentence to its message. */
export async function walkSummaries({ open, client }: Site, key: string): Promise<void> {
  const engram = client(key);
  const { id } = await engram.conversations.create({ title: "Ledger" });
  const page = await open(key, `conversations/${id}?show=summaries`);
  await page.getByText("No messages yet").waitFor();
  await engram.messages.append(id, {
    messages: Array.from({ length: MESSAGES }, (_, i) => ({
      role: i % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: `Invoice ${i + 1} moves to the <b>new</b> ledger on March ${(i % 28) + 1}. The weather is fine.`,
    })),
  });
  await page.reload();
  await page.getByRole("link", { name: "Show: Summaries" }).click();
  await page.getByRole("region", { name: "Summaries" }).waitFor();
  await page.press("Summarize now");
  await page.getByRole("link", { name: "Level 2" }).waitFor();
  const one = page.locator(".sources > li");
  await one.getByRole("link", { name: "Messages 1–192" }).waitFor();
  await page.check("summaries");
  await page.getByRole("link", { name: "Level 1" }).click();
  await one.nth(8).getByText("so far").waitFor();
  assert.equal(await one.count(), 9);
  await page.check("summaries-level-1");
  const cite = one
    .nth(2)
    .getByRole("link", { name: /which says so/ })
    .first();
  const number = (await textOf(cite)).slice(1);
  await cite.click();
  await page.locator(".message.target").getByText(`Invoice ${number} moves`).waitFor();
  await page.goBack();
  await one.nth(8).waitFor();

  await engram.messages.append(id, { messages: [{ role: "user", content: "One more." }] });
  await page.answer(`**/v1/conversations/${id}/summaries?*from_sequence*`, 200, {
    items: [],
    next_cursor: null,
  });
  await page.press("Summarize now");
  await page.getByRole("status").getByText("Being made").waitFor();
  await page.check("summaries-pending");
  await page.unroute(`**/v1/conversations/${id}/summaries?*from_sequence*`);
  await page.getByRole("status").getByText("Being made").waitFor({ state: "detached" });
  await page.close();

  const { secret } = await engram.keys.create({ name: "reads only", scopes: ["read"] });
  const reader = await open(secret, `conversations/${id}?show=summaries`);
  await reader.press("Summarize now");
  await reader.locator(".state.forbidden").waitFor();
  await reader.check("summaries-forbidden");
  await reader.close();
}
