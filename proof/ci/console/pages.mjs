// Opens pages of the console, and checks each screen by the same rules.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const axe = createRequire(join(process.cwd(), "index.js")).resolve("axe-core");
const WIDTHS = { phone: 390, tablet: 820, wide: 1440 };
/** Time limit for a screen, also on a busy machine that indexes the seeded messages. */
const PAINT_MS = 20_000;
/** Time after which a step hangs. On a busy machine, a screenshot alone can take half a minute. */
const HANG_MS = 120_000;

/** Functions that open and check pages of the console at `url`. Screenshots go to the folder `screenshots`. */
export function createPages({ browser, url, screenshots }) {
  return { PAINT_MS, openPage, signIn, visit, check, send };

  async function openPage() {
    const page = await browser.newPage({ viewport: { width: WIDTHS.wide, height: 900 } });
    page.setDefaultTimeout(HANG_MS);
    const foreign = [];
    const complaints = [];
    page.on("request", (request) => {
      const { origin } = new URL(request.url());
      if (origin !== url && !request.url().startsWith("blob:")) foreign.push(request.url());
    });
    page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await page.goto(url);
    page.checkRules = async (where) => {
      assert.deepEqual(foreign, [], `${where}: nothing is fetched from elsewhere`);
      const own = complaints.filter((text) => !/a status of (400|401|403|500)/.test(text));
      assert.deepEqual(own, [], `${where}: the page breaks no rule of its own`);
      assert.equal(await page.evaluate(() => globalThis.hostile), undefined, `${where}: nothing runs`);
      assert.equal(
        await page.locator("#console :is(img, iframe, object, embed, script, b, form[action])").count(),
        0,
      );
    };
    return page;
  }

  async function signIn(page, key) {
    await page.getByLabel("Key", { exact: true }).fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator("nav").waitFor({ state: "attached" });
  }

  /** Opens an address and waits until nothing is loading. */
  async function visit(page, hash) {
    await page.evaluate((to) => location.assign(to), hash);
    await page.waitForTimeout(60);
    await page.locator(".skeleton").first().waitFor({ state: "detached", timeout: PAINT_MS });
  }

  /** Screenshots at each width, and accessibility checks in both themes. */
  async function check(page, name) {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const [size, width] of Object.entries(WIDTHS)) {
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${name} at ${width} px is ${overflow} px too wide`);
        if (colorScheme === "light" || size === "wide")
          await page.screenshot({ path: join(screenshots, `${name}-${size}-${colorScheme}.png`) });
      }
      (await page.evaluate(() => globalThis.axe)) || (await loadAxe(page));
      const { violations } = await page.evaluate(() => globalThis.axe.run(document));
      const found = violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(({ html }) => html.slice(0, 160))
            .join(" | ")}`,
      );
      assert.deepEqual(found, [], `${name}, ${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.checkRules(name);
  }

  /** Runs axe through the debugger, to which the page's security policy does not apply. */
  async function loadAxe(page) {
    await page.evaluate(readFileSync(axe, "utf8"));
  }

  async function send(token, method, path, body) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${answer.ok || (await answer.text())}`);
    return answer.json();
  }
}
