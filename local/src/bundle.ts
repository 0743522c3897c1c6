import { readFileSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

/** The form of Miniflare's `modules` option. The first of a list is the entry. */
export interface WorkerModule {
  type: "ESModule" | "Data" | "CompiledWasm";
  path: string;
  contents: string | Uint8Array<ArrayBuffer>;
}

const EXTERNAL_TYPES: Readonly<Record<string, WorkerModule["type"]>> = {
  ".bin": "Data",
  ".wasm": "CompiledWasm",
};

/** Imported .bin and .wasm files stay separate modules. @throws {Error} esbuild's, with the file and line. */
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
    sourcemap: "inline",
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

/** The form of Miniflare 5's `config.manifest`. */
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
