import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { gatherConsoleAssets } from "../../src/start/console-assets.ts";
import { ROOT } from "../../src/start/service.ts";

/** Bytes of scripts that the first screen may load, compressed. */
const FIRST_SCREEN_BYTES_MAX = 41_000;
const STYLES_BYTES_MAX = 8_000;
/** Bytes of all fonts. They are compressed already. */
const FONTS_BYTES_MAX = 90_000;
/** Bytes of scripts that any other screen may add, compressed. */
const SCREEN_BYTES_MAX = 14_000;
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
  expect(bytesOf(first)).toBeLessThan(FIRST_SCREEN_BYTES_MAX);
  expect(bytesOf(["console-styles.css"])).toBeLessThan(STYLES_BYTES_MAX);
  const scripts = names.filter((name) => name.endsWith(".js") && !first.has(name));
  expect(scripts.length).toBeGreaterThan(20);
  for (const name of scripts) {
    const added = bytesOf([...withImports(name)].filter((each) => !first.has(each)));
    expect(added, name).toBeLessThan(name.startsWith("markdown-") ? MARKDOWN_BYTES_MAX : SCREEN_BYTES_MAX);
  }
});

test("the styles of the console load fonts of the console alone, each shipped with its license", () => {
  const urls = [...read("console-styles.css").matchAll(/url\(([^)]*)\)/g)].map(([, url = ""]) => url);
  const fonts = names.filter((name) => name.endsWith(".woff2"));
  expect(urls.toSorted()).toEqual(fonts.map((name) => `"./${name}"`).toSorted());
  const contents = fonts.map((name) => readFileSync(join(folder, "console", name)));
  for (const content of contents) expect(content.subarray(0, 4).toString()).toBe("wOF2");
  expect(contents.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(FONTS_BYTES_MAX);
  for (const font of ["inter", "jetbrains-mono"]) {
    expect(fonts.filter((name) => name.startsWith(font))).toHaveLength(1);
    expect(read(`${font}-license`)).toContain("SIL OPEN FONT LICENSE");
  }
});
