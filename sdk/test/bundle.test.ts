import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { exports, peerDependencies, publishConfig, typesVersions } from "../package.json" with {
  type: "json",
};

const GZIP_BYTES_MAX = 11_008;
const WEBHOOK_GZIP_BYTES_MAX = 1_280;
const SUBPATH_GZIP_BYTES_MAX = 7_552;

const SDK = join(import.meta.dirname, "..");

/** The size of a module's minified bundle for a browser. */
async function gzipBytesOf(contents: string, external: string[] = []): Promise<number> {
  const { outputFiles } = await build({
    ...{ stdin: { contents, resolveDir: SDK }, external, write: false },
    ...{ bundle: true, minify: true, format: "esm", platform: "browser" },
  });
  const [bundle] = outputFiles;
  // esbuild resolves no Node modules for browsers, so the bundle also shows that none is imported.
  expect(bundle?.text).not.toMatch(/["']node:/);
  return gzipSync(bundle?.contents ?? "", { level: 9 }).byteLength;
}

test("a bundle with the client is small and uses no Node API", async () => {
  const client = `import { Engram } from "./src/index.ts"; export const client = (options) => new Engram(options);`;
  expect(await gzipBytesOf(client)).toBeLessThanOrEqual(GZIP_BYTES_MAX);
});

test("a bundle with only verifyWebhook does not include the client", async () => {
  const webhook = `export { verifyWebhook } from "./src/index.ts";`;
  expect(await gzipBytesOf(webhook)).toBeLessThanOrEqual(WEBHOOK_GZIP_BYTES_MAX);
});

test.for(Object.keys(peerDependencies))("the README names the version of %s that the tests use", (name) => {
  const read = (file: string) => readFileSync(join(SDK, file), "utf8");
  const tested = new RegExp(`^  "?${name}"?: (\\S+)$`, "m").exec(read("../pnpm-workspace.yaml"))?.[1];
  expect(read("README.md")).toContain(`\`${name}\` ${tested}`);
});

const { ".": _, ...subpaths } = exports;
describe.for(Object.entries(subpaths))("the subpath %s", ([subpath, file]) => {
  test("is small compared with the client and its framework, and uses no Node API", async () => {
    const external = [...Object.keys(peerDependencies), "../errors.ts"];
    const all = `export * from ${JSON.stringify(file)};`;
    expect(await gzipBytesOf(all, external)).toBeLessThanOrEqual(SUBPATH_GZIP_BYTES_MAX);
  });

  test("is exported from the files that the build writes", () => {
    const built = file.replace("./src/", "./dist/").replace(/\.ts$/, "");
    expect(new Map<string, unknown>(Object.entries(publishConfig.exports)).get(subpath)).toEqual({
      import: { types: `${built}.d.mts`, default: `${built}.mjs` },
      require: { types: `${built}.d.cts`, default: `${built}.cjs` },
    });
    // For resolvers that do not support `exports`.
    const [types] = new Map(Object.entries(typesVersions["*"])).get(subpath.replace("./", "")) ?? [];
    expect(types).toBe(`${built}.d.cts`);
  });
});
