import assert from "node:assert/strict";
import { type Site, textOf } from "./pages.ts";

const QUERY = "When was the refund <b>sent</b>?";

/** Stores a conversation and a memory of a user, and records a search that finds both. */
async function recordSearch(engram: ReturnType<Site["client"]>) {
  const { id } = await engram.conversations.create({ title: "Order 1029", user_id: "maria" });
  const said = ["Where is the refund?", "The refund was sent on Monday.", "Thank you."];
  const { message_ids } = await engram.messages.append(id, {
    messages: said.map((content, i) => ({ role: i === 1 ? "assistant" : "user", content })),
    wait: "indexed",
  });
  const memory = await engram.memories.create({
    ...{ content: "Maria waits for a refund.", user_id: "maria", tags: ["billing"], summary: "A refund." },
    wait: "indexed",
  });
  const { recall_id } = await engram.search({
    ...{ query: QUERY, user_id: "maria", in: ["conversations", "memories"] },
    record: { run_id: "run_<i>1</i>", metadata: { step: "answer" } },
  });
  assert.ok(recall_id, "the search is recorded");
  return { conversation: id, messages: message_ids, memory: memory.id, recall: recall_id };
}

/** From a message to the answers that had it, and what happened to the items of one since. */
export async function walkReceipts({ open, client }: Site, key: string): Promise<void> {
  const engram = client(key);
  const { conversation, messages, memory, recall } = await recordSearch(engram);
  const page = await open(key, `receipts/${recall}`);
  const items = page.getByRole("region", { name: "Items" }).locator("tbody tr");
  await page.getByRole("heading", { level: 1, name: QUERY }).waitFor();
  assert.match(
    await textOf(page.locator(".facts")),
    /OperationSearch.*Usermaria.*Runrun_<i>1<\/i>.*FiltersUser: maria/,
  );
  await items.nth(3).getByText("Intact").waitFor();
  await page.press("Replay");
  await page.getByText("The same answer", { exact: true }).waitFor();
  await page.check("receipt-same");

  await engram.messages.update(conversation, messages[1] ?? "", {
    content: "The refund left us on Tuesday.",
  });
  await engram.memories.delete(memory, { forget: true });
  await page.visit(`conversations/${conversation}`);
  const message = page.locator(".message").nth(1);
  await message.locator(".more > summary").click();
  await message.getByRole("link", { name: "Answers with this message" }).click();
  await page.getByRole("button", { name: `Edit filter Message or memory: ${messages[1]}` }).waitFor();
  await page.getByRole("link", { name: QUERY }).click();
  await items.getByText("Edited", { exact: true }).waitFor();
  await items.getByText("Deleted", { exact: true }).waitFor();
  assert.equal(await items.getByText("Intact", { exact: true }).count(), 2);
  await page.press("Replay");
  const differences = page.getByRole("region", { name: "Replay" }).locator("tbody tr");
  await differences.filter({ hasText: "Changed" }).getByText("Edited since").waitFor();
  await differences.filter({ hasText: "Missing" }).getByText("a tombstone refuses it").waitFor();
  await page.check("receipt-differs");

  await page.press("Make an evaluation");
  await page.getByText("Check at least one item as used").waitFor();
  await items.filter({ hasText: "left us on Tuesday" }).getByRole("checkbox").check();
  await page.getByLabel("Outcome").fill("answered <b>late</b>");
  await page.keyboard.press("Enter");
  await page.getByText(/^Noted/).waitFor();
  const noted = await engram.recalls.get(recall);
  assert.deepEqual([noted.used, noted.outcome], [[messages[1]], "answered <b>late</b>"]);
  await page.press("Make an evaluation");
  await page.getByRole("link", { name: "Saved as an evaluation" }).waitFor();
  const [evaluation] = (await engram.evaluations.list().page()).items;
  assert.deepEqual([evaluation?.from_recall, evaluation?.expected], [recall, [messages[1]]]);
  await page.check("receipt-noted");

  await page.visit("users/maria");
  await page.getByRole("link", { name: "Show: Receipts" }).click();
  await page.getByRole("button", { name: "Edit filter User: maria" }).waitFor();
  await page.getByText("answered <b>late</b>").waitFor();
  await page.check("receipts");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to" }).fill(recall);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Open in Search" }).click();
  await page.waitForURL(/search\?q=When.*user_id=maria/);
  await page.locator(".hit").first().waitFor();
  await page.checkRules("the receipts");
  await page.close();
}

/** From a conversation to what read and changed it, and from a change to its request. */
export async function walkTrace({ open, client }: Site, key: string): Promise<void> {
  const engram = client(key);
  const { conversation, messages } = await recordSearch(engram);
  await engram.search({ query: "weather in Rome", user_id: "nobody", record: true });
  await engram.memories.create({
    ...{ content: "Maria said thanks.", user_id: "maria", tags: ["polite"], summary: "Thanks." },
    sources: [{ message_id: messages[2] ?? "" }],
  });
  await engram.messages.delete(conversation, messages[1] ?? "");
  const page = await open(key, `conversations/${conversation}`);
  await page.getByRole("link", { name: "Show: Trace" }).click();
  await page.getByRole("heading", { level: 1, name: "Trace of Order 1029" }).waitFor();
  const part = (name: string) => page.getByRole("region", { name }).locator("tbody tr");
  await part("Answers that had its messages").getByRole("link", { name: QUERY }).waitFor();
  await page.getByText("1 receipt", { exact: true }).waitFor();
  await part("Changes").getByText("3 messages were added to").waitFor();
  await part("Memories derived from it").getByText("Maria said thanks.").waitFor();
  const deletion = part("Changes").filter({ hasText: "Message deleted" });
  await deletion.getByText("first key").last().waitFor();
  await page.check("trace");
  const request = await textOf(deletion.locator("td.extra a code"));
  await deletion.getByRole("link", { name: request }).last().click();
  await page.getByRole("heading", { level: 1, name: "Trace of a request" }).waitFor();
  await part("Changes").getByText("Message deleted").waitFor();
  await part("Answers that had what it changed").getByRole("link", { name: QUERY }).waitFor();
  await page.check("trace-request");

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to" }).fill("req_00000000000000000000");
  await page.keyboard.press("Enter");
  await page.getByText("No audit event has this request id").waitFor();
  await page.check("trace-request-empty");
  await page.close();

  const { secret } = await engram.keys.create({ name: "reads", scopes: ["read", "search"] });
  const reader = await open(secret, `trace/${conversation}`);
  await reader.getByText("Audit events are shown to a key with the scope admin.").waitFor();
  await reader.getByText("3 messages were added to").waitFor();
  await reader.check("trace-without-audit");
  await reader.close();
}
