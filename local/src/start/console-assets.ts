import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { type Bundle, BundleCache } from "../bundle-cache.ts";

/** Files of the built console, by name. Base64, because fonts are not text. */
type ConsoleFiles = Record<string, string>;

/** Licenses of the fonts, which are shipped beside them. */
const LICENSES = {
  "inter-license": "@fontsource-variable/inter/LICENSE",
  "jetbrains-mono-license": "@fontsource-variable/jetbrains-mono/LICENSE",
};

/**
 * Builds the console into the folder `console` of the assets: `console.js`, `console-styles.css`, a script for each
 * screen, which the browser loads when the screen is opened, and the fonts with their licenses. Built files whose sources have not changed are used again.
 *
 * A published package has no sources, but the built files.
 *
 * @throws {Error} esbuild's error, with the file and line.
 */
export async function gatherConsoleAssets(root: string, directory: string): Promise<void> {
  if (!existsSync(join(root, "console/src"))) return;
  const target = resolve(root, directory, "console");
  const files = await buildConsole(root);
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target)) if (!Object.hasOwn(files, name)) rmSync(join(target, name));
  for (const [name, content] of Object.entries(files))
    update(join(target, name), Buffer.from(content, "base64"));
}

async function buildConsole(root: string): Promise<ConsoleFiles> {
  const folder = join(root, "console");
  const entry = join(folder, "src/main.tsx");
  const cache = new BundleCache(root, join(root, "node_modules/.cache/engram/bundles"));
  const cached = cache.read(entry);
  if (cached !== null) return JSON.parse(cached.script) as ConsoleFiles;
  const begunAtMs = Date.now();
  const { outputFiles, metafile } = await build({
    entryPoints: { console: entry, "console-styles": join(folder, "src/styles/console.css"), ...LICENSES },
    absWorkingDir: folder,
    outdir: join(folder, "dist"),
    assetNames: "[name]-[hash]",
    loader: { ".woff2": "file", "": "copy" },
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    minify: true,
    format: "esm",
    target: "es2024",
    platform: "browser",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "silent",
  });
  const files = Object.fromEntries(
    outputFiles.map(({ path, contents }) => [
      relative(join(folder, "dist"), path),
      Buffer.from(contents).toString("base64"),
    ]),
  );
  const inputs = Object.keys(metafile.inputs).map((path) => resolve(folder, path));
  const bundle: Bundle = { script: JSON.stringify(files), externals: [] };
  cache.write(entry, { ...bundle, begunAtMs, inputs: [import.meta.filename, ...inputs] });
  return files;
}

/** Writes only a changed file, because a running service could read a half-written one. */
function update(file: string, content: Buffer): void {
  if (!existsSync(file) || !readFileSync(file).equals(content)) writeFileSync(file, content);
}
