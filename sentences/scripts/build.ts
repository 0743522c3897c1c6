// Makes what is published: the program of the worker thread as one file. The package depends on no other then.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const PACKAGE = join(import.meta.dirname, "..");
const TARGET = join(PACKAGE, "dist");

rmSync(TARGET, { recursive: true, force: true });
await build({
  entryPoints: [join(PACKAGE, "src/worker.ts")],
  outfile: join(TARGET, "worker.js"),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
});
