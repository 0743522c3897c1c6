import { readFileSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { type Bundle, BundleCache } from "./bundle-cache.ts";

/** An item of Miniflare's option `modules`. The first item of the list is the entry of the Worker. */
export interface WorkerModule {
  type: "ESModule" | "Data" | "CompiledWasm";
  path: string;
  contents: string | Uint8Array<ArrayBuffer>;
}

const EXTERNAL_TYPES: Readonly<Record<string, WorkerModule["type"]>> = {
  ".bin": "Data",
  ".wasm": "CompiledWasm",
};

const ROOT = resolve(import.meta.dirname, "../..");
const cache = new BundleCache(ROOT, join(ROOT, "node_modules/.cache/engram/bundles"));

/**
 * Bundles a Worker with esbuild, without a source map, which would take memory in each process. Stack traces name the
 * functions, and positions in the bundle. Imported .bin and .wasm files stay separate modules. A bundle whose files
 * have not changed since is not made again.
 *
 * @throws {Error} esbuild's error, with the file and line.
 */
export async function bundleWorker(entryPath: string): Promise<WorkerModule[]> {
  const { script, externals } = cache.read(entryPath) ?? (await makeBundle(entryPath));
  return [{ type: "ESModule", path: "worker.js", contents: script }, ...externals.map(readExternal)];
}

async function makeBundle(entryPath: string): Promise<Bundle> {
  const begunAtMs = Date.now();
  const externals = new Set<string>();
  const { outputFiles, metafile } = await build({
    entryPoints: [entryPath],
    bundle: true,
    write: false,
    metafile: true,
    absWorkingDir: ROOT,
    format: "esm",
    target: "es2024",
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    logLevel: "silent",
    plugins: [collectExternals(externals)],
  });
  const bundle = { script: outputFiles[0]?.text ?? "", externals: [...externals] };
  const sources = Object.keys(metafile.inputs).map((path) => resolve(ROOT, path));
  cache.write(entryPath, { ...bundle, begunAtMs, inputs: [import.meta.filename, ...sources, ...externals] });
  return bundle;
}

function readExternal(file: string): WorkerModule {
  const type = EXTERNAL_TYPES[extname(file)] ?? "Data";
  return { type, path: basename(file), contents: Uint8Array.from(readFileSync(file)) };
}

export function bundleLocalWorker(): Promise<WorkerModule[]> {
  return bundleWorker(join(import.meta.dirname, "worker.ts"));
}

const MANIFEST_TYPES = { ESModule: "esm", Data: "data", CompiledWasm: "wasm" } as const;

/** Converts the modules for Miniflare 5's option `config.manifest`. */
export function toManifest(modules: readonly WorkerModule[]) {
  return {
    mainModule: modules[0]?.path ?? "",
    modules: Object.fromEntries(
      modules.map(({ path, type, contents }) => [path, { type: MANIFEST_TYPES[type], contents }]),
    ),
  };
}

function collectExternals(externals: Set<string>): Plugin {
  return {
    name: "collect-externals",
    setup({ onResolve }) {
      onResolve({ filter: /\.(bin|wasm)$/ }, ({ path, resolveDir }) => {
        const file = resolve(resolveDir, path);
        externals.add(file);
        return { path: `./${basename(file)}`, external: true };
      });
    },
  };
}
