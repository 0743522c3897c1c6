// Makes what is published: the program of the worker thread as one file, and the WebAssembly that it runs. The package
// depends on no other then. onnxruntime-web alone would be 138 MB, most of it for browsers.
import { cpSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

const PACKAGE = join(import.meta.dirname, "..");
const TARGET = join(PACKAGE, "dist");
const RUNTIME = "ort-wasm-simd-threaded.wasm";

rmSync(TARGET, { recursive: true, force: true });
await build({
  entryPoints: [join(PACKAGE, "src/worker.ts")],
  outfile: join(TARGET, "worker.js"),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22",
});
cpSync(createRequire(import.meta.url).resolve(`onnxruntime-web/${RUNTIME}`), join(TARGET, RUNTIME));
