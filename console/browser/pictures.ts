import { join } from "node:path";
import type { Site } from "./pages.ts";

/** Takes the two pictures of the README: a search with its explanation, and a conversation. */
export async function takePictures({ open, client, screenshots }: Site, key: string): Promise<void> {
  const engram = client(key);
  const { id } = await engram.conversations.create({
    ...{ title: "Refund for order 1029", user_id: "maria", agent_id: "support", tags: ["billing", "return"] },
  });
  const messages = [
    {
      ...{ role: "user" as const, name: "Maria" },
      content: "The kettle from order 1029 leaks. I sent it back, when do I get my money?",
    },
    { role: "assistant" as const, content: "I am sorry about that. I look at the return first." },
    {
      ...{ role: "tool" as const, tool_call_id: "call_1", tool_name: "find_return" },
      content: '{"return":"R-4471","state":"received","refund":"sent","sent_on":"2026-11-02"}',
    },
    {
      role: "assistant" as const,
      content: "Your refund left us on Monday. The bank takes three days.",
    },
  ];
  await engram.messages.append(id, { messages, wait: "indexed" });
  const memory = { content: "Maria prefers letters by e-mail.", user_id: "maria", tags: ["contact"] };
  await engram.memories.create({ ...memory, wait: "indexed" });
  const page = await open();
  await page.setViewportSize({ width: 1120, height: 760 });
  await page.signIn(key);
  await page.visit("search?q=payment%20for%20a%20returned%20appliance");
  await page.getByText("Why it was found").first().click();
  await page.screenshot({ path: join(screenshots, "search.png") });
  await page.visit(`conversations/${id}`);
  await page.locator(".message").nth(3).waitFor();
  await page.screenshot({ path: join(screenshots, "conversation.png") });
  await page.checkRules("the pictures");
  await page.close();
}
