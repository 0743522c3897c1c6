import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { Site } from "./pages.ts";

declare global {
  /** Milliseconds from the end of an answer until its results are painted. */
  var painted: Promise<number>;
}

/** Milliseconds until the first screen is painted, on loopback. */
const FIRST_PAINT_MS = 500;
/** Milliseconds from the end of an answer until its results are painted. */
const RESULT_PAINT_MS = 50;
/** Milliseconds of work in one task of the page while it scrolls, and so in one frame. */
const TASK_MS = 100;
/**
 * A machine is too slow to be measured on if a page without scripts takes more than this share of a bound, or if other
 * programs take more than this share of the page's time.
 */
const IDLE_SHARE = 0.25;
const RUNS = 9;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Prints a figure. A bound that is missed fails only on a machine that is fast enough for it. */
function report(what: string, ms: number, boundMs: number, idle: { isSlow: boolean; text: string }): void {
  const figure = `Console: ${what} ${Math.round(ms)} ms`;
  if (ms < boundMs) {
    console.log(figure);
    return;
  }
  assert.ok(idle.isSlow, `${what} ${Math.round(ms)} ms, and the bound is ${boundMs} ms`);
  console.log(`Console: ${what} not measured: ${idle.text}`);
}

/** Loads the first screen and a page without scripts in turn, each with an empty cache, and compares the medians. */
export async function measureFirstPaint({ browser, url }: Site): Promise<void> {
  const times: Record<"console" | "plain", number[]> = { console: [], plain: [] };
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

async function firstPaint(browser: Browser, address: string, heading: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole("heading", { name: heading, exact: true }).waitFor();
  const paint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
  await page.waitForFunction(paint);
  const time = await page.evaluate(paint);
  await context.close();
  return time ?? Number.NaN;
}

/**
 * Searches several times, and compares the end of each answer with the time at which its results are painted. Before each
 * search, it measures how busy the machine is.
 */
export async function measureSearch({ open }: Site, key: string): Promise<void> {
  const page = await open(key, "search");
  const times: number[] = [];
  const shares: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    shares.push(await page.evaluate(takenShare));
    await page.evaluate(awaitResults);
    await page.locator("[data-search]").fill(`refund of order ${1_000 + i}`);
    await page.keyboard.press("Enter");
    times.push(await page.evaluate(() => globalThis.painted));
  }
  const share = median(shares);
  report("results painted after their answer by", median(times), RESULT_PAINT_MS, {
    isSlow: share > IDLE_SHARE,
    text: `other programs take ${Math.round(100 * share)} % of the page's time`,
  });
  await page.checkRules("the measured searches");
  await page.close();
}

/** Share of a page's time that other programs take: the jumps of the clock while it only reads the clock. */
function takenShare(): number {
  const startedAt = performance.now();
  let taken = 0;
  for (let before = startedAt; before - startedAt < 100; ) {
    const now = performance.now();
    if (now - before > 1) taken += now - before;
    before = now;
  }
  return taken / (performance.now() - startedAt);
}

/** Notes in `painted` how long after the end of the next answer its results are painted. */
function awaitResults(): void {
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
            const requests = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
            const answer = requests.findLast(({ name }) => name.endsWith("/v1/search"));
            resolve(paintedAt - (answer?.responseEnd ?? 0));
          }, 100);
        });
      });
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
}

/** An event of a trace. Durations are in microseconds. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  /** Time on the processor. */
  tdur?: number;
  args?: { name?: string };
}

/** Traces what a page does during `act`, and fails if one task of its main thread took too much processor time. */
export async function traceTasks(browser: Browser, page: Page, act: () => Promise<void>): Promise<void> {
  const categories = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"];
  await browser.startTracing(page, { categories });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const isMain = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid, dur = 0 }) => /RunTask$/.test(name) && dur > 0 && isMain.has(`${pid}/${tid}`),
  );
  assert.ok(tasks.length > 20, `the trace has the tasks of the page, not ${tasks.length}`);
  // Without the time during which other programs had the processor.
  const longest = Math.max(...tasks.map(({ dur = 0, tdur = dur }) => tdur)) / 1_000;
  console.log(`Console: ten thousand messages scroll, longest task ${Math.round(longest)} ms`);
  assert.ok(longest < TASK_MS, `a task of ${Math.round(longest)} ms`);
}
