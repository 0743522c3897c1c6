import assert from "node:assert/strict";

/** Milliseconds until the first screen is painted, on loopback. */
const FIRST_PAINT_MS = 500;
/** Milliseconds from the end of an answer until its results are painted. */
const RESULT_PAINT_MS = 50;
/** Milliseconds of work in one task of the page while it scrolls, and so in one frame. */
const TASK_MS = 100;
/** A machine on which a page without scripts takes more than this share of a bound is too slow to be measured on. */
const IDLE_SHARE = 0.25;
const FRAME_MS = 1_000 / 60;
const RUNS = 9;

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Prints a figure. A bound that is missed fails only on a machine that is fast enough for it. */
function report(what, ms, boundMs, idle) {
  const figure = `Console: ${what} ${Math.round(ms)} ms`;
  if (ms < boundMs) return console.log(figure);
  assert.ok(idle.isSlow, `${what} ${Math.round(ms)} ms, and the bound is ${boundMs} ms`);
  console.log(`Console: ${what} not measured: ${idle.text}`);
}

/** Loads the first screen and a page without scripts in turn, each with an empty cache, and compares the medians. */
export async function measureFirstPaint(browser, url) {
  const times = { console: [], plain: [] };
  for (let i = 0; i < RUNS; i++) {
    times.plain.push(await firstPaint(browser, `${url}/problems`, "Error codes"));
    times.console.push(await firstPaint(browser, url, "Engram"));
  }
  const plain = median(times.plain);
  report("first screen painted after", median(times.console), FIRST_PAINT_MS, {
    isSlow: plain > FIRST_PAINT_MS * IDLE_SHARE,
    text: `a page without scripts takes ${Math.round(plain)} ms`,
  });
}

async function firstPaint(browser, address, heading) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole("heading", { name: heading, exact: true }).waitFor();
  const paint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
  await page.waitForFunction(paint);
  const time = await page.evaluate(paint);
  await context.close();
  return time;
}

/** Searches several times, and compares the end of each answer with the time at which its results are painted. */
export async function measureSearch({ openPage, signIn, visit }, key) {
  const page = await openPage();
  await signIn(page, key);
  await visit(page, "#/search");
  const frame = await page.evaluate(medianFrame);
  const times = [];
  for (let i = 0; i < RUNS; i++) {
    await page.evaluate(awaitResults);
    await page.locator("[data-search]").fill(`refund of order ${1_000 + i}`);
    await page.keyboard.press("Enter");
    times.push(await page.evaluate(() => globalThis.painted));
  }
  report("results painted after their answer by", median(times), RESULT_PAINT_MS, {
    isSlow: frame > 2 * FRAME_MS,
    text: `an idle page is painted every ${Math.round(frame)} ms`,
  });
  await page.checkRules("the measured searches");
  await page.close();
}

/** Milliseconds between two frames of a page on which nothing happens. */
function medianFrame() {
  return new Promise((resolve) => {
    const gaps = [];
    let before = performance.now();
    const next = () => {
      const now = performance.now();
      gaps.push(now - before);
      before = now;
      if (gaps.length < 30) requestAnimationFrame(next);
      else resolve(gaps.sort((a, b) => a - b)[15]);
    };
    requestAnimationFrame(next);
  });
}

/** Notes in `painted` how long after the end of the next answer its results are painted. */
function awaitResults() {
  globalThis.painted = new Promise((resolve) => {
    let isOldGone = false;
    const observer = new MutationObserver(() => {
      const isShown = document.querySelector(".hit") !== null;
      isOldGone ||= !isShown;
      if (!isOldGone || !isShown) return;
      observer.disconnect();
      // The task after a frame's callbacks runs when the frame is painted.
      requestAnimationFrame(() => {
        setTimeout(() => {
          const paintedAt = performance.now();
          // The entry of a request may come a moment later.
          setTimeout(() => {
            const answers = performance
              .getEntriesByType("resource")
              .filter(({ name }) => name.endsWith("/v1/search"));
            resolve(paintedAt - answers.at(-1).responseEnd);
          }, 100);
        });
      });
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
}

/** Traces what a page does during `act`, and fails if one task of its main thread took too much processor time. */
export async function traceTasks(browser, page, act) {
  const categories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"];
  await browser.startTracing(page, { categories });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const isMain = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid, dur }) => /RunTask$/.test(name) && dur > 0 && isMain.has(`${pid}/${tid}`),
  );
  assert.ok(tasks.length > 20, `the trace has the tasks of the page, not ${tasks.length}`);
  // Without the time during which other programs had the processor.
  const longest = Math.max(...tasks.map(({ dur, tdur = dur }) => tdur)) / 1_000;
  console.log(`Console: ten thousand messages scroll, longest task ${Math.round(longest)} ms`);
  assert.ok(longest < TASK_MS, `a task of ${Math.round(longest)} ms`);
}
