import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

const GZIP_BYTES_MAX = 8_192;

// For a browser esbuild resolves no module of Node's, so the bundle also shows that none is imported.
test("a bundle that makes a client is small and needs nothing of Node's", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { Engram } from "../src/index.ts"; export const client = (options) => new Engram(options);`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  const [bundle] = outputFiles;
  expect(gzipSync(bundle?.contents ?? "", { level: 9 }).byteLength).toBeLessThanOrEqual(GZIP_BYTES_MAX);
  expect(bundle?.text).not.toMatch(/["']node:/);
});
