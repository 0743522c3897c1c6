import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createSite, type Site } from "./pages.ts";

const PREFIX = "/engram";

/** The console and the page of the API behind a proxy that serves the service under a path, which it removes. */
export async function walkUnderPath(site: Site, key: string): Promise<void> {
  const paths = new Set<string>();
  const proxy = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "";
    if (!path.startsWith(`${PREFIX}/`)) {
      paths.add(path);
      outgoing.writeHead(404).end("Not under the path.");
      return;
    }
    const { method, headers } = incoming;
    const target = `${site.url}${path.slice(PREFIX.length)}`;
    const forwarded = request(target, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.once("close", () => forwarded.destroy());
    forwarded.once("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const under = createSite(site.browser, `${origin}${PREFIX}/`, site.screenshots);
  const { code } = await site.client(key).signInCodes.create();

  const page = await under.open(undefined, `sign-in/${code}`);
  await page.getByText("Nothing is stored yet").waitFor();
  await page.visit("connect");
  await page.getByText(`${origin}${PREFIX}/mcp`).first().waitFor();
  await page.press("Test the endpoint");
  await page.getByText(/Answers in \d+ ms/).waitFor();
  await page.check("connect-under-path");
  await page.close();

  for (const path of ["docs", "docs/"]) {
    const docs = await under.open();
    await docs.goto(`${origin}${PREFIX}/${path}`);
    await docs.getByLabel("Key", { exact: true }).fill(key);
    await docs.keyboard.press("Enter");
    await docs.locator("output").filter({ hasText: "Authorized" }).waitFor();
    const operation = docs.locator("[id$=-getIndexStatus]").first();
    await operation.locator(".opblock-summary").click();
    await operation.getByRole("button", { name: "Try it out" }).click();
    await operation.getByRole("button", { name: "Execute" }).click();
    await operation.locator(".live-responses-table .response").getByText("200").first().waitFor();
    await docs.close();
  }
  const problems = await under.open();
  await problems.goto(`${origin}${PREFIX}/problems/`);
  await problems.getByRole("link", { name: "not_found", exact: true }).click();
  await problems.getByRole("link", { name: "All error codes" }).click();
  await problems.getByRole("link", { name: "not_found", exact: true }).waitFor();
  await problems.close();
  // Browsers ask for it on their own.
  paths.delete("/favicon.ico");
  assert.deepEqual([...paths], [], "nothing is asked for outside of the path");
  proxy.closeAllConnections();
  proxy.close();
}
