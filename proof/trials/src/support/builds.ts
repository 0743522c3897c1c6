import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../../..");
const BUILDS = join(ROOT, "node_modules/.cache/engram/builds");
/** Folders that the service's Worker is bundled from. Of other packages, those of the working tree are used. */
const PACKAGES = ["service", "spec"];

/** What a service is started with. */
export interface Build {
  /** Entry of the service's Worker. */
  entry: string;
  migrations: string;
  newestMigration: string;
}

const newestIn = (migrations: string): string => readdirSync(migrations).toSorted().at(-1) ?? "";

function buildIn(directory: string): Build {
  const migrations = join(directory, "migrations");
  const entry = join(directory, "service/src/worker.ts");
  return { entry, migrations, newestMigration: newestIn(migrations) };
}

/** The files as they are now. */
export const currentBuild = (): Build => buildIn(ROOT);

/**
 * The last commit before the newest migration was added: a version that lacks both the migration and what uses it.
 *
 * @throws {Error} In a copy of the repository without its history.
 */
export function commitBeforeNewestMigration(): string {
  const newest = newestIn(join(ROOT, "migrations"));
  const added = git("log", "--diff-filter=A", "--format=%H", "-1", "--", `migrations/${newest}`);
  if (added === "") throw new Error(`The history does not have the commit that added ${newest}`);
  return `${added}~1`;
}

/** The files of a commit. @throws {Error} If the history does not have it. */
export function buildOf(commit: string): Build {
  const hash = git("rev-parse", "--verify", `${commit}^{commit}`);
  const directory = join(BUILDS, hash);
  if (!existsSync(directory)) extract(hash, directory);
  return buildIn(directory);
}

function extract(hash: string, directory: string): void {
  const unfinished = `${directory}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const archive = join(unfinished, "files.tar");
  git("archive", `--output=${archive}`, hash, "migrations", ...PACKAGES);
  execFileSync("tar", ["-xf", "files.tar"], { cwd: unfinished });
  for (const name of PACKAGES) linkPackages(join(ROOT, name), join(unfinished, name), unfinished);
  rmSync(archive);
  renameSync(unfinished, directory);
}

/** Gives a folder the packages of another, except those of this repository, which are of the same commit. */
function linkPackages(from: string, to: string, build: string): void {
  const modules = join(to, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(from, "node_modules")))
    if (name !== "@engram" && !name.startsWith("."))
      symlinkSync(join(from, "node_modules", name), join(modules, name), "junction");
  // Resolved from here on up.
  const own = join(build, "node_modules/@engram");
  mkdirSync(own, { recursive: true });
  for (const name of PACKAGES)
    if (!existsSync(join(own, name))) symlinkSync(join("../..", name), join(own, name), "junction");
}

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
