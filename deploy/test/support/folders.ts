import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../../..");

const folders: string[] = [];

/** A folder for one test, removed by `removeFolders`. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "engram-deploy-"));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A repository with a modified wrangler.toml. */
export function repositoryWith(change: (toml: string) => string): string {
  const root = makeFolder();
  for (const folder of ["service", "migrations"]) symlinkSync(join(ROOT, folder), join(root, folder));
  writeFileSync(join(root, "wrangler.toml"), change(readFileSync(join(ROOT, "wrangler.toml"), "utf8")));
  return root;
}
