import { readFileSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

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

/**
 * Bundles a Worker with esbuild, without a source map, which would take memory in each process. Stack traces name the
 * functions, and positions in the bundle. Imported .bin and .wasm files stay separate modules.
 *
 * @throws {Error} esbuild's error, with the file and line.
 */
export async function bundleWorker(entryPath: string): Promise<WorkerModule[]> {
  const externals = new Map<string, WorkerModule>();
  const { outputFiles } = await build({
    entryPoints: [entryPath],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    logLevel: "silent",
    plugins: [collectExternals(externals)],
  });
  const contents = outputFiles[0]?.text ?? "";
  return [{ type: "ESModule", path: "worker.js", contents }, ...externals.values()];
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

function collectExternals(externals: Map<string, WorkerModule>): Plugin {
  return {
    name: "collect-externals",
    setup({ onResolve }) {
      onResolve({ filter: /\.(bin|wasm)$/ }, ({ path, resolveDir }) => {
        const file = resolve(resolveDir, path);
        const name = basename(file);
        const type = EXTERNAL_TYPES[extname(file)] ?? "Data";
        externals.set(name, { type, path: name, contents: Uint8Array.from(readFileSync(file)) });
        return { path: `./${name}`, external: true };
      });
    },
  };
}
