import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { exports, peerDependencies, publishConfig, typesVersions } from "../package.json" with {
  type: "json",
};

const GZIP_BYTES_MAX = 8_192;
const ADAPTER_GZIP_BYTES_MAX = 3_072;

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

const { ".": _, ...adapters } = exports;
describe.for(Object.entries(adapters))("the adapter %s", ([subpath, file]) => {
  test("is small compared with the client and its framework, and needs no Node API", async () => {
    const { outputFiles } = await build({
      entryPoints: [join(import.meta.dirname, "..", file)],
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      write: false,
      external: [...Object.keys(peerDependencies), "../errors.ts"],
    });
    const [bundle] = outputFiles;
    expect(gzipSync(bundle?.contents ?? "", { level: 9 }).byteLength).toBeLessThanOrEqual(
      ADAPTER_GZIP_BYTES_MAX,
    );
    expect(bundle?.text).not.toMatch(/["']node:/);
  });

  test("is published from where its source is built to", () => {
    const built = file.replace("./src/", "./dist/").replace(/\.ts$/, "");
    expect(new Map<string, unknown>(Object.entries(publishConfig.exports)).get(subpath)).toEqual({
      import: { types: `${built}.d.mts`, default: `${built}.mjs` },
      require: { types: `${built}.d.cts`, default: `${built}.cjs` },
    });
    // For resolvers that know no exports.
    const [types] = new Map(Object.entries(typesVersions["*"])).get(subpath.replace("./", "")) ?? [];
    expect(types).toBe(`${built}.d.cts`);
  });
});
