import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { pack as packOwn } from "../../../../scripts/pack.ts";
import { findPackageProblems, type PackageProblems } from "../../../../sdk/package-problems.ts";
import { type Anchor, OWN } from "./anchors.ts";

const PROBE_TIMEOUT_MS = 180_000;

/** Result of a call for one kind of failure. */
export interface Outcome {
  end: "answer" | "error returned" | "thrown" | "no result";
  /** The error's class, which common fields it has, and whether one of them is the request id. */
  told?: { name: string; held: string[]; requestId: boolean };
  /** Whether the thrown value is the reason of the aborted signal. */
  isReason?: boolean;
  attempts: number;
  /** From the call, or from the abort, to the end of the call. */
  ms: number;
  /** Whether every request carried the same idempotency key. */
  key: "same" | "none" | "differing";
}

export interface Row {
  name: string;
  version: string;
  tarballBytes: number;
  /** Packages installed, including the library itself. */
  packages: number;
  installedBytes: number;
  /** Size of a browser bundle that creates a client; null when bundling fails. */
  bundleBytes: number | null;
  problems: PackageProblems;
  /** Where the library accepts an `AbortSignal`. */
  abort: Anchor["abort"];
  outcomes: Record<"500" | "429" | "lost answer" | "400" | "abort", Outcome>;
}

/** Install a library into a new folder, measure its size, and test how it handles failures. */
export async function measureAnchor(anchor: Anchor, parent: string): Promise<Row> {
  const folder = join(parent, anchor.name.replace(/\W+/g, "-"));
  mkdirSync(folder);
  const tarball =
    anchor.name === OWN ? packOwn("sdk", folder) : pack(`${anchor.name}@${anchor.version}`, folder);
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}\n');
  npm(folder, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=peer", tarball);
  const installed = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"));
  writeFileSync(
    join(folder, "call.mjs"),
    `${anchor.imports}
export const create = async (baseUrl, signal) => ${anchor.create};
export const call = async (client, signal) => ${anchor.call};\n`,
  );
  copyFileSync(join(import.meta.dirname, "probe.mjs"), join(folder, "probe.mjs"));
  const printed = execFileSync(process.execPath, ["probe.mjs"], {
    cwd: folder,
    encoding: "utf8",
    timeout: PROBE_TIMEOUT_MS,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, MEM0_TELEMETRY: "false" },
  });
  const own = JSON.parse(readFileSync(join(folder, "node_modules", anchor.name, "package.json"), "utf8"));
  return {
    name: anchor.name,
    version: own.version,
    tarballBytes: statSync(tarball).size,
    packages: Object.keys(installed.packages).length,
    installedBytes: bytesIn(join(folder, "node_modules")),
    bundleBytes: await bundledBytes(anchor, folder),
    problems: await findPackageProblems(readFileSync(tarball)),
    abort: anchor.abort,
    // The library may have printed other text first.
    outcomes: JSON.parse(printed.slice(printed.lastIndexOf('{"400"'))),
  };
}

function npm(folder: string, ...args: string[]): string {
  return execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

function pack(spec: string, folder: string): string {
  return join(folder, npm(folder, "pack", "--silent", spec).trim());
}

async function bundledBytes(anchor: Anchor, folder: string): Promise<number | null> {
  const contents = `${anchor.imports}\nexport const create = (baseUrl, signal) => ${anchor.create};`;
  try {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: folder },
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      write: false,
      logLevel: "silent",
    });
    return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).byteLength;
  } catch {
    return null;
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
