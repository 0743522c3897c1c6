// Makes what is published: the repository as the start knows it, under dist/. The start is compiled, each Worker
// is one file in the place of its sources, and everything that is only read is copied.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleWorker } from "../src/bundle.ts";
import { gatherConsoleAssets } from "../src/start/console-assets.ts";
import { gatherDocsAssets } from "../src/start/docs-assets.ts";
import { ROOT } from "../src/start/service.ts";
import { readProductionConfig } from "../src/start/workers.ts";

const PACKAGE = join(import.meta.dirname, "..");
const TARGET = join(PACKAGE, "dist");
const READ = ["wrangler.toml", "migrations", "local/assets/NOTICE.md", "local/assets/LICENSE-apache-2.0.txt"];
const WORKERS = ["service/src/worker.ts", "local/src/worker.ts", "local/src/database/service.ts"];

rmSync(TARGET, { recursive: true, force: true });
execFileSync("tsc", ["--project", "tsconfig.build.json"], { cwd: PACKAGE, stdio: "inherit" });
for (const path of READ) cpSync(join(ROOT, path), join(TARGET, path), { recursive: true });
for (const path of WORKERS) await buildWorker(path);
// Here, since the directory of an installed package may not be ours to write to.
const { assetsDirectory } = readProductionConfig(ROOT);
gatherDocsAssets(ROOT, join(TARGET, assetsDirectory));
await gatherConsoleAssets(ROOT, join(TARGET, assetsDirectory));

/** Bundles a Worker that imports only files of its own folder, under the name that the start expects. */
async function buildWorker(path: string): Promise<void> {
  const [script, ...files] = await bundleWorker(join(ROOT, path));
  const directory = dirname(join(TARGET, path));
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(TARGET, path), String(script?.contents));
  for (const file of files) writeFileSync(join(directory, file.path), file.contents);
}
