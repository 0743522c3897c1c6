// Opens every page of the built site in headless Chromium, at the widths of a desktop and of a phone:
//   node site.mjs SITE SCREENSHOTS   (SITE is the package's folder)
// Fails for an error in the console, a request to another host, a dead link or anchor, a page wider than a phone, a
// broken table of text, a search without results, and a page without its Markdown.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { launchChromium } from "../../console/browser/chromium.ts";

const [site, screenshots] = process.argv.slice(2);
const base = process.env.SITE_BASE ?? "/";
const WIDTHS = { desktop: 1280, phone: 375 };
/** Pages for screenshots, at both widths, in light and dark mode. */
const SHOWN = [
  "",
  "start",
  "recipes",
  "api/search",
  "sdk/reference/resources/messages",
  "cli/commands",
  "cli/",
  "limits",
  "guarantees",
];

/** What people look for, and what the page that the first result leads to says. */
const SEARCHES = {
  "delete a user's data": "Data protection",
  GDPR: "Data protection",
  sequence_conflict: "sequence_conflict",
};

const dist = join(site, "dist");
const paths = readdirSync(dist, { recursive: true })
  .filter((file) => file.endsWith(".html") && file !== "404.html")
  .map((file) => file.replace(/(^|\/)index\.html$/, "$1").replace(/\.html$/, ""))
  .sort();
assert.ok(paths.length > 50, `${paths.length} pages`);
mkdirSync(screenshots, { recursive: true });

/** Requests to other hosts and errors of pages. */
const complaints = [];
const { serve } = await import(join(site, "node_modules/vitepress/dist/node/index.js"));
const { server } = await serve({ root: site, port: 0 });
const url = `http://localhost:${server.address().port}${base}`;
const browser = await launchChromium();
try {
  /** The anchors and the links of each page. */
  const seen = new Map();
  const page = await newPage({});
  for (const path of paths) {
    await page.goto(url + path);
    for (const [name, width] of Object.entries(WIDTHS)) {
      await page.setViewportSize({ width, height: 900 });
      const found = await page.evaluate(() => ({
        title: document.title,
        ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
        links: [...document.querySelectorAll("a[href]")].map(({ href }) => href),
        width: document.documentElement.scrollWidth,
        clipped: [...document.querySelectorAll("[class*=language-]:not(.language-text, .language-) > pre")]
          .filter((code) => code.scrollWidth > code.clientWidth + 1)
          .map((code) => code.textContent.slice(0, 80)),
        broken: [...document.querySelectorAll(".text-tables .vp-doc table")].flatMap((table) => [
          ...(table.scrollWidth > table.clientWidth + 1
            ? [`${table.textContent.slice(0, 80)} is cut off`]
            : []),
          // A word of code on several lines means that its column is too narrow. A phone shows no columns.
          ...[...table.querySelectorAll("code")]
            .filter((code) => getComputedStyle(code.closest("td") ?? code).display === "table-cell")
            .filter((code) => /^\w{1,14}$/.test(code.textContent) && code.getClientRects().length > 1)
            .map((code) => `${code.textContent} is broken`),
        ]),
      }));
      assert.deepEqual(found.clipped, [], `code of ${path} that is cut off on a ${name}`);
      assert.deepEqual(found.broken, [], `tables of ${path} on a ${name}`);
      assert.ok(found.width <= width, `${path} is ${found.width} pixels wide on a ${name}`);
      assert.notEqual(found.title, "404 | Engram", path);
      seen.set(path, found);
      if (SHOWN.includes(path)) await take(page, picture(path, name));
    }
  }
  checkLinks(seen);
  await showInTheDark();
  await search();
  checkMarkdown();
  assert.deepEqual(complaints, [], "pages fetch nothing from elsewhere and break no rule of their own");
  console.log(`${paths.length} pages at ${Object.values(WIDTHS).join(" and ")} pixels; see ${screenshots}`);
} finally {
  await browser.close();
  server.close();
}

/** A page that records its errors and its requests to other hosts. */
async function newPage(options) {
  const context = await browser.newContext(options);
  // Otherwise each page also loads the code of the pages that it links to.
  await context.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const page = await context.newPage();
  page.on("request", (request) => {
    const at = request.url();
    if (!at.startsWith(url) && !at.startsWith("data:")) complaints.push(`${page.url()} fetches ${at}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error}`));
  return page;
}

function checkLinks(seen) {
  const dead = [];
  const files = new Set(readdirSync(dist, { recursive: true }));
  for (const [path, { links }] of seen) {
    for (const link of links.filter((each) => each.startsWith(url))) {
      const [target, anchor = ""] = link.slice(url.length).split("#");
      const page = seen.get(target) ?? seen.get(`${target}/`);
      const isFile = page === undefined && files.has(target);
      const isThere = page?.ids.includes(decodeURIComponent(anchor)) || (anchor === "" && (page || isFile));
      if (!isThere) dead.push(`${path} → ${target}#${anchor}`);
    }
  }
  assert.deepEqual([...new Set(dead)], [], "links that lead nowhere");
}

async function showInTheDark() {
  const page = await newPage({ colorScheme: "dark" });
  for (const path of SHOWN) {
    await page.goto(url + path);
    for (const [name, width] of Object.entries(WIDTHS)) {
      await page.setViewportSize({ width, height: 900 });
      await take(page, picture(path, `${name}-dark`));
    }
  }
}

async function search() {
  const page = await newPage({ viewport: { width: WIDTHS.desktop, height: 900 } });
  for (const [query, text] of Object.entries(SEARCHES)) {
    await page.goto(url);
    await openSearch(page);
    await page.locator(".VPLocalSearchBox input").fill(query);
    const result = page.locator(".VPLocalSearchBox .result").first();
    await result.waitFor();
    await take(page, picture("search", "desktop"));
    await result.click();
    await page.waitForURL((at) => at.href !== url);
    await page.locator("main").filter({ hasText: text }).waitFor();
  }
}

/** Presses the shortcut until the page, which may still be loading its scripts, knows it. */
async function openSearch(page) {
  const box = page.locator(".VPLocalSearchBox input");
  for (const end = Date.now() + 60_000; Date.now() < end && !(await box.isVisible()); ) {
    await page.keyboard.press("Control+k");
    await box.waitFor({ timeout: 2_000 }).catch(() => undefined);
  }
}

/** Checks that each page exists as Markdown with links to Markdown, is in llms.txt, and is part of llms-full.txt. */
function checkMarkdown() {
  const index = readFileSync(join(dist, "llms.txt"), "utf8");
  const full = readFileSync(join(dist, "llms-full.txt"), "utf8");
  for (const path of paths) {
    const file = path === "" ? "index.md" : `${path.replace(/\/$/, "")}.md`;
    const markdown = readFileSync(join(dist, file), "utf8");
    assert.match(markdown, /^# /m, file);
    for (const [, target] of markdown.matchAll(/\]\(\/([^)#]+\.md)[)#]/g))
      assert.ok(existsSync(join(dist, target)), `${file} → ${target}`);
    assert.ok(index.includes(`/${file})`), `llms.txt does not name ${file}`);
    assert.ok(
      full.includes(`url: ${base}${file}`) || full.includes(`url: /${file}`),
      `llms-full.txt lacks ${file}`,
    );
  }
}

/** A screenshot after all animations have ended. */
function take(page, path) {
  return page.screenshot({ path, animations: "disabled" });
}

function picture(path, name) {
  return join(screenshots, `${path.replaceAll("/", "-") || "home"}-${name}.png`);
}
