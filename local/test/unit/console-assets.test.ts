import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { gatherConsoleAssets } from "../../src/start/console-assets.ts";
import { ROOT } from "../../src/start/service.ts";

/** Bytes that the first screen may load, compressed. */
const FIRST_SCREEN_BYTES_MAX = 50_000;
/** Bytes of scripts that any other screen may add, compressed. */
const SCREEN_BYTES_MAX = 10_000;
/** The parser of Markdown is loaded when a user asks for it. */
const MARKDOWN_BYTES_MAX = 60_000;

const folder = mkdtempSync(join(tmpdir(), "engram-console-"));
afterAll(() => rmSync(folder, { recursive: true }));

await gatherConsoleAssets(ROOT, folder);
const names = readdirSync(join(folder, "console"));
const read = (name: string) => readFileSync(join(folder, "console", name), "utf8");
const bytesOf = (files: Iterable<string>) =>
  [...files].reduce((sum, name) => sum + gzipSync(read(name)).byteLength, 0);

/** A script with those that it imports at once. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other = ""] of read(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g))
    withImports(other, found);
  return found;
}

test("the first screen of the console loads few bytes, and each other screen few more", () => {
  const first = withImports("console.js");
  expect(bytesOf([...first, "console-styles.css"])).toBeLessThan(FIRST_SCREEN_BYTES_MAX);
  const scripts = names.filter((name) => name.endsWith(".js") && !first.has(name));
  expect(scripts.length).toBeGreaterThan(20);
  for (const name of scripts) {
    const added = bytesOf([...withImports(name)].filter((each) => !first.has(each)));
    expect(added, name).toBeLessThan(name.startsWith("markdown-") ? MARKDOWN_BYTES_MAX : SCREEN_BYTES_MAX);
  }
});
