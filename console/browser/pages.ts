// Opens pages of the console, and checks each screen by the same rules.
import assert from "node:assert/strict";
import { join } from "node:path";
import { Engram } from "@engram/sdk";
import axe from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";

declare global {
  /** Set by a hostile string that runs. */
  var hostile: unknown;
}

const WIDTHS = { phone: 390, tablet: 820, wide: 1440 };
/** Time limit for a screen, also on a busy machine that indexes the seeded messages. */
export const PAINT_MS = 20_000;
/** Time after which a step hangs. On a busy machine, a screenshot alone can take half a minute. */
const HANG_MS = 120_000;
const REQUEST_ID = "req_06e3tqz8m1k4v9x2c7d0";

/** A page of the console. */
export interface ConsolePage extends Page {
  dialog: Locator;
  signIn(key: string): Promise<void>;
  /** Opens a place, such as `keys`, and waits until nothing is loading. */
  visit(place: string): Promise<void>;
  /** Clicks the button with exactly this name. */
  press(name: string): Promise<void>;
  /** Chooses a filter in the menu "+ Filter" of the page or of a part of it. Resolves with its field. */
  addFilter(label: string, part?: Locator): Promise<Locator>;
  /** Clicks the first button with this name in the dialog. */
  confirm(name: string): Promise<void>;
  /** What the browser keeps after its tab is closed. */
  kept(): Promise<string>;
  /** Screenshots at each width, and accessibility checks in both themes. */
  check(name: string): Promise<void>;
  /** Fails if the page fetched, ran or complained about anything that it must not. */
  checkRules(where: string): Promise<void>;
  /** Answers requests to `pattern` in place of the service: with a problem, or else with a body. */
  answer(pattern: string, status: number, body: object): Promise<void>;
}

/** The console of a service, in a browser. */
export interface Site {
  browser: Browser;
  url: string;
  /** Folder of the screenshots. */
  screenshots: string;
  /** The client of a key or of the admin token. */
  client(secret: string): Engram;
  /** Opens a page, and signs in if there is a key. */
  open(key?: string, place?: string): Promise<ConsolePage>;
}

export function createSite(browser: Browser, url: string, screenshots: string): Site {
  return {
    ...{ browser, url, screenshots },
    client: (secret) => new Engram({ apiKey: secret, baseUrl: url }),
    open: async (key, place) => {
      const page = await openPage(browser, url, screenshots);
      if (key !== undefined) await page.signIn(key);
      if (place !== undefined) await page.visit(place);
      return page;
    },
  };
}

async function openPage(browser: Browser, url: string, screenshots: string): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: WIDTHS.wide, height: 900 } });
  const page = await context.newPage();
  // The browser may close first, and its contexts with it.
  page.once("close", () => void context.close().catch(() => {}));
  page.setDefaultTimeout(HANG_MS);
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const { origin } = new URL(request.url());
    const isForeign = origin !== new URL(url).origin && !request.url().startsWith("blob:");
    if (isForeign) foreign.push(request.url());
  });
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // A receipt asks for each of its items, also for those that are deleted.
    const isAbsent = /a status of 404/.test(message.text()) && message.location().url.includes("/v1/");
    if (message.type() === "error" && !isAbsent) complaints.push(message.text());
  });
  await page.goto(url);

  const checkRules = async (where: string) => {
    assert.deepEqual(foreign, [], `${where}: nothing is fetched from elsewhere`);
    const own = complaints.filter((text) => !/a status of (400|401|403|500|501)/.test(text));
    assert.deepEqual(own, [], `${where}: the page breaks no rule of its own`);
    assert.equal(await page.evaluate(() => globalThis.hostile), undefined, `${where}: nothing runs`);
    const elements = "body :is(img, iframe, object, embed, script, b, form[action])";
    assert.equal(await page.locator(elements).count(), 0, `${where}: no text is markup`);
  };

  return Object.assign(page, {
    dialog: page.getByRole("dialog"),
    checkRules,
    signIn: async (key: string) => {
      await page.getByLabel("Key", { exact: true }).fill(key);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.locator("nav").waitFor({ state: "attached" });
    },
    visit: async (place: string) => {
      await page.evaluate((to) => location.assign(to), `#/${place}`);
      await page.waitForTimeout(60);
      await page.locator(".skeleton").first().waitFor({ state: "detached", timeout: PAINT_MS });
    },
    addFilter: async (label: string, part: Locator = page.locator("main")) => {
      await part.getByRole("button", { name: "+ Filter" }).first().click();
      await page.getByRole("menuitem", { name: label, exact: true }).click();
      return part.locator(".chip.edited").getByLabel(label, { exact: true });
    },
    press: (name: string) => page.getByRole("button", { name, exact: true }).click(),
    confirm: (name: string) => page.getByRole("dialog").getByRole("button", { name }).last().click(),
    kept: () => page.evaluate(() => JSON.stringify({ ...localStorage })),
    check: async (name: string) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        for (const [size, width] of Object.entries(WIDTHS)) {
          await page.setViewportSize({ width, height: 900 });
          const overflow = await page.evaluate(overflowOfPage);
          assert.ok(overflow <= 0, `${name} at ${width} px is ${overflow} px too wide`);
          assert.deepEqual(await page.evaluate(cutInDialog), [], `the dialog of ${name} at ${width} px`);
          if (colorScheme === "light" || size === "wide")
            await page.screenshot({ path: join(screenshots, `${name}-${size}-${colorScheme}.png`) });
        }
        assert.deepEqual(await violations(page), [], `${name}, ${colorScheme}`);
      }
      await page.emulateMedia({ colorScheme: "light" });
      await checkRules(name);
    },
    answer: async (pattern: string, status: number, body: object) => {
      await page.unroute(pattern);
      const isProblem = status >= 400;
      await page.route(pattern, (route) =>
        route.fulfill({
          status,
          contentType: isProblem ? "application/problem+json" : "application/json",
          headers: { "x-request-id": REQUEST_ID },
          body: JSON.stringify(isProblem ? { ...problemOf(status), ...body } : body),
        }),
      );
    },
  });
}

const problemOf = (status: number) => ({
  ...{ type: "about:blank", status, code: "internal", title: "Internal error", request_id: REQUEST_ID },
});

/** Pixels by which the page or its main part is wider than its frame. */
const overflowOfPage = (): number =>
  Math.max(
    ...[document.documentElement, ...document.querySelectorAll("main")].map(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    ),
  );

/** What of the open dialog is cut off, or outside of it: its elements, and texts that do not scroll. */
function cutInDialog(): string[] {
  const dialog = document.querySelector("dialog[open]");
  if (dialog === null) return [];
  const frame = dialog.getBoundingClientRect();
  const isScrolled = (element: Element) =>
    ["auto", "scroll"].includes(getComputedStyle(element).overflowX) || element.closest("pre") !== null;
  // The browser draws options itself, outside of the page.
  return [dialog, ...dialog.querySelectorAll<HTMLElement>(":not(option)")].flatMap((element) => {
    const { left, right } = element.getBoundingClientRect();
    const isOutside = left < frame.left || right > frame.right + 0.5;
    const isField = element.matches("input, textarea, select");
    const isCut = !isField && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
    const isBad = isOutside || (isCut && (element === dialog || !isScrolled(element)));
    return isBad ? [`${isOutside ? "outside" : "cut"}: ${element.outerHTML.slice(0, 160)}`] : [];
  });
}

export const textOf = async (locator: Locator): Promise<string> => (await locator.textContent()) ?? "";

/** What axe finds. It is run through the debugger, to which the page's security policy does not apply. */
async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document),
  );
  return found.map(({ id, nodes }) => {
    const shown = nodes.slice(0, 3).map(({ html }) => html.slice(0, 160));
    return `${id}: ${shown.join(" | ")}`;
  });
}
