import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BundleCache } from "../../src/bundle-cache.ts";

let root: string;
let cache: BundleCache;
let source: string;
const external = "/worker/weights.bin";
/** Later than all files of a test. */
const begunAtMs = Date.now() + 60_000;
const bundle = () => ({ script: "export {}", externals: [external], begunAtMs, inputs: [source] });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "engram-bundles-"));
  source = join(root, "worker.ts");
  writeFileSync(source, "export {}");
  writeFileSync(join(root, "pnpm-lock.yaml"), "");
  cache = new BundleCache(root, join(root, "cache"));
});
afterEach(() => rmSync(root, { recursive: true }));

const touch = (path: string): void => utimesSync(path, begunAtMs / 1_000, begunAtMs / 1_000);

describe("a stored bundle", () => {
  test("is used only for its own entry file", () => {
    cache.write(source, bundle());
    expect(cache.read(source)).toMatchObject({ script: "export {}", externals: [external] });
    expect(cache.read(join(root, "other.ts"))).toBeNull();
  });

  test.for(["worker.ts", "pnpm-lock.yaml"])("is not used once %s has changed", (name) => {
    cache.write(source, bundle());
    touch(join(root, name));
    expect(cache.read(source)).toBeNull();
  });

  test("is not used if one of its files is missing", () => {
    cache.write(source, bundle());
    rmSync(source);
    expect(cache.read(source)).toBeNull();
  });

  test("is not used if one of its files may have changed during the bundling", () => {
    cache.write(source, { ...bundle(), begunAtMs: Date.now() });
    expect(cache.read(source)).toBeNull();
  });
});

test("bundling does not fail if the cache folder is not writable", () => {
  const unwritable = new BundleCache(root, join(source, "cache"));
  unwritable.write(source, bundle());
  expect(unwritable.read(source)).toBeNull();
});
