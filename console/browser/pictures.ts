import { join } from "node:path";
import { storeDemo } from "./demo.ts";
import type { Site } from "./pages.ts";

/** Takes the two pictures of the README: a search with its explanation, and a conversation. */
export async function takePictures({ open, client, screenshots }: Site, key: string): Promise<void> {
  const engram = client(key);
  const { transcript } = await storeDemo(engram);
  const memory = { content: "Maria prefers letters by e-mail.", user_id: "maria", tags: ["contact"] };
  await engram.memories.create({ ...memory, wait: "indexed" });
  const page = await open();
  await page.setViewportSize({ width: 1120, height: 990 });
  await page.signIn(key);
  await page.visit("search?q=when%20was%20the%20refund%20sent%3F&user_id=maria&min_relevance=0.05");
  await page.getByText("Why it was found").first().click();
  await page.screenshot({ path: join(screenshots, "search.png") });
  await page.setViewportSize({ width: 1120, height: 760 });
  await page.visit(`conversations/${transcript}`);
  await page.locator(".markdown table").waitFor();
  await page.screenshot({ path: join(screenshots, "conversation.png") });
  await page.checkRules("the pictures");
  await page.close();
}
