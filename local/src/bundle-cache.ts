import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

export interface Bundle {
  script: string;
  /** Paths of the files that the script imports as separate modules. */
  externals: string[];
}

interface StoredBundle extends Bundle {
  /** Paths of all files that the bundle depends on. */
  inputs: string[];
  /** When bundling began, in milliseconds since 1970. */
  begunAtMs: number;
}

/** File systems note the time of a change with a clock that may be some milliseconds late. */
const CLOCK_LAG_MS = 50;
/**
 * Keeps bundles in a folder. A stored bundle is used until one of the files that it was made of changes. If the folder
 * cannot be read or written, bundles are made each time.
 */
export class BundleCache {
  readonly #root: string;
  readonly #folder: string;

  /** @param root folder with the lockfile and the packages. */
  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  read(entryPath: string): Bundle | null {
    try {
      const stored = JSON.parse(readFileSync(this.#fileOf(entryPath), "utf8")) as StoredBundle;
      const isCurrent = stored.inputs.every((path) => {
        const { mtimeMs, ctimeMs } = statSync(path);
        return Math.max(mtimeMs, ctimeMs) < stored.begunAtMs - CLOCK_LAG_MS;
      });
      return isCurrent ? stored : null;
    } catch {
      return null;
    }
  }

  write(entryPath: string, stored: StoredBundle): void {
    const file = this.#fileOf(entryPath);
    const unfinished = `${file}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true });
      const inputs = [...stored.inputs, ...this.#resolvingFiles()];
      writeFileSync(unfinished, JSON.stringify({ ...stored, inputs }));
      renameSync(unfinished, file);
    } catch {
      // The next start makes the bundle again.
    }
  }

  /** The files that decide which file an import means. */
  #resolvingFiles(): string[] {
    const packages = readdirSync(this.#root).map((folder) => join(folder, "package.json"));
    return ["pnpm-lock.yaml", "package.json", ...packages]
      .map((path) => join(this.#root, path))
      .filter((path) => existsSync(path));
  }

  #fileOf(entryPath: string): string {
    return join(this.#folder, `${createHash("sha256").update(entryPath).digest("hex").slice(0, 20)}.json`);
  }
}
