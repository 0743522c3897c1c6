import { defineConfig } from "tsdown";

// A file for each way of loading it, with openapi-fetch in it: the package installs nothing beside itself.
export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm", "cjs"],
  platform: "neutral",
  target: "es2022",
  fixedExtension: true,
  dts: true,
  sourcemap: true,
  deps: { onlyBundle: ["openapi-fetch", "openapi-typescript-helpers"] },
  // The sources are in the package, and what is documented in the types need not stand in the code.
  outputOptions: { sourcemapExcludeSources: true, comments: { jsdoc: false } },
});
