import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Disk } from "../../src/start/disk.ts";

const MB = 1_000_000;
const FULL =
  "e = workerd/util/sqlite.c++:1827: failed: SQLite failed; dbErrorMessage(err, db) = database or disk is full: SQLITE_FULL\nstack: /bin/workerd@1";

/** A disk of 100 MB, of which 5 MB are the reserve. */
function openDisk() {
  const path = mkdtempSync(join(tmpdir(), "engram-disk-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const state = { freeBytes: 50 * MB, totalBytes: 100 * MB, nowMs: 10_000 };
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line.replaceAll(path, "DATA"));
  const disk = new Disk({ path, note, measure: () => state, nowMs: () => state.nowMs });
  return { disk, state, lines, ballast: join(path, "ballast") };
}

test("a disk is full below its reserve and until twice the reserve is free, and one line reports each change", () => {
  const { disk, state, lines } = openDisk();
  const full = (freeBytes: number) => {
    state.freeBytes = freeBytes;
    return [disk.isFull(), disk.isFull()];
  };
  expect(full(5 * MB)).toEqual([false, false]);
  expect(full(5 * MB - 1)).toEqual([true, true]);
  expect(full(10 * MB - 1)).toEqual([true, true]);
  expect(full(10 * MB)).toEqual([false, false]);
  expect(lines).toEqual([
    "The disk of DATA is nearly full: 4 MB are free. Writes are refused until 10 MB are free. Reads and searches work.",
    "The disk of DATA has space again: 10 MB are free. Writes are accepted.",
  ]);
});

test("a full disk gets back the megabyte that was kept for reads, and keeps it again afterwards", () => {
  const { disk, state, ballast } = openDisk();
  expect(statSync(ballast).size).toBe(2 ** 20);
  state.freeBytes = 0;
  disk.isFull();
  expect(existsSync(ballast)).toBe(false);
  state.freeBytes = 50 * MB;
  disk.isFull();
  expect(statSync(ballast).size).toBe(2 ** 20);
});

test("an error of SQLite for lack of space, such as a quota's, counts for five seconds, and is reported once without its stack", async () => {
  const { disk, state, lines } = openDisk();
  expect(disk.explains("another error")).toBe(false);
  expect([disk.explains(FULL), disk.explains(FULL)]).toEqual([true, true]);
  expect(lines).toHaveLength(1);
  state.nowMs += 4_999;
  expect(await disk.isFullAfterFailure()).toBe(true);
  state.nowMs += 1;
  expect(disk.isFull()).toBe(false);
  expect(await disk.isFullAfterFailure()).toBe(false);
});

test("a start that finds no space says so in a sentence", () => {
  const { disk } = openDisk();
  const error = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(String(disk.toStartError(error))).toMatch(/The disk of .* is full\. Free some space/);
  const other = new Error("other");
  expect(disk.toStartError(other)).toBe(other);
});
