import { join } from "node:path";

const SAID = [
  ["user", "Maria", "The kettle from order 1029 leaks. I sent it back, when do I get my money?"],
  ["assistant", null, "I am sorry about that. I look at the return first."],
  ["tool", null, '{"return":"R-4471","state":"received","refund":"sent","sent_on":"2026-11-02"}'],
  ["assistant", null, "Your refund left us on Monday. The bank takes three days."],
];

/** Takes the two pictures of the README: a search with its explanation, and a conversation. */
export async function takePictures({ openPage, signIn, visit, send, folder }, key) {
  const { id } = await send(key, "POST", "/v1/conversations", {
    ...{ title: "Refund for order 1029", user_id: "maria", agent_id: "support", tags: ["billing", "return"] },
  });
  const messages = SAID.map(([role, name, content]) => ({
    ...{ role, content },
    ...(name !== null && { name }),
    ...(role === "tool" && { tool_call_id: "call_1", tool_name: "find_return" }),
  }));
  await send(key, "POST", `/v1/conversations/${id}/messages`, { messages, wait: "indexed" });
  const memory = { content: "Maria prefers letters by e-mail.", user_id: "maria", tags: ["contact"] };
  await send(key, "POST", "/v1/memories", { ...memory, wait: "indexed" });
  const page = await openPage();
  await page.setViewportSize({ width: 1120, height: 760 });
  await signIn(page, key);
  await visit(page, "#/search?q=payment%20for%20a%20returned%20appliance");
  await page.getByText("Why it was found").first().click();
  await page.screenshot({ path: join(folder, "search.png") });
  await visit(page, `#/conversations/${id}`);
  await page.locator(".message").nth(3).waitFor();
  await page.screenshot({ path: join(folder, "conversation.png") });
  await page.checkRules("the pictures");
  await page.close();
}
