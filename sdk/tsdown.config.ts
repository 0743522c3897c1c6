import { readFileSync } from "node:fs";
import { defineConfig } from "tsdown";

const { exports } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

// One file per subpath and module format, with openapi-fetch bundled: the package has no dependencies.
export default defineConfig({
  entry: Object.values<string>(exports),
  format: ["esm", "cjs"],
  platform: "neutral",
  target: "es2022",
  fixedExtension: true,
  dts: true,
  deps: { onlyBundle: ["openapi-fetch", "openapi-typescript-helpers"] },
  // The types carry the documentation. The code is left readable, so that it needs no map.
  outputOptions: { comments: { jsdoc: false } },
});
