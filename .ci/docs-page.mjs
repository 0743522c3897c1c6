// Opens the docs page in headless Chromium, authorizes, presses "Try it out" and looks at the answer:
//   node docs-page.mjs URL KEY SCREENSHOT   (playwright-core in the working directory's node_modules)
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";

const { chromium } = createRequire(join(process.cwd(), "index.js"))("playwright-core");
const [url, key, screenshot] = process.argv.slice(2);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
    ...["--disable-background-networking", "--disable-component-update"],
  ],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1500 } });
  const foreign = [];
  const complaints = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) foreign.push(request.url());
  });
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${url}/docs`);
  await page.getByRole("button", { name: "Authorize" }).first().click();
  const dialog = page.locator(".auth-container").filter({ hasText: "apiKey" });
  await dialog.locator("input").fill(key);
  await dialog
    .getByRole("button", { name: "Apply credentials" })
    .or(dialog.locator("button.authorize"))
    .first()
    .click();
  await page.locator("button.btn-done").first().click();

  /** Open an operation, send its example as it stands, and resolve to what came back. */
  const tryOut = async (operationId) => {
    const operation = page.locator(`[id^=operations-][id$=-${operationId}]`);
    await operation.locator(".opblock-summary").click();
    await operation.getByRole("button", { name: "Try it out" }).click();
    await operation.getByRole("button", { name: "Execute" }).click();
    const answer = operation.locator(".live-responses-table");
    await answer.locator(".response-col_status").filter({ hasText: /\d{3}/ }).waitFor();
    return { operation, answer: (await answer.textContent()) ?? "" };
  };
  assert.match((await tryOut("createConversation")).answer, /201.*"id": "conv_/s);
  assert.match((await tryOut("listConversations")).answer, /200.*"items"/s);
  const search = await tryOut("search");
  assert.match(search.answer, /200.*"degraded": \[\]/s);
  await search.operation.evaluate((element) => element.scrollIntoView());
  await page.screenshot({ path: screenshot });

  assert.deepEqual(foreign, [], "nothing is fetched from elsewhere");
  assert.deepEqual(complaints, [], "the page breaks no rule of its own");
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.ok(!kept.includes(key), "the key is not kept");
  console.log(`The docs page works; see ${screenshot}`);
} finally {
  await browser.close();
}
