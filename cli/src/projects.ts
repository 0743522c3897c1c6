import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

/**
 * The project that a directory belongs to: the root of its Git repository, or the directory itself outside of one. All
 * worktrees of a repository are one project. The directory need not exist any more.
 */
export function projectOf(directory: string): string {
  // A transcript of another operating system has paths that this one does not know.
  if (!isAbsolute(directory)) return directory;
  for (let at = directory; ; at = dirname(at)) {
    const git = join(at, ".git");
    if (existsSync(git)) return realpathSync(mainRoot(at, git));
    if (dirname(at) === at) return directory;
  }
}

/** A worktree's `.git` is a file that names its own data, which name those of the repository. */
function mainRoot(root: string, git: string): string {
  try {
    if (statSync(git).isDirectory()) return root;
    const own = resolve(root, /^gitdir: (.+)$/m.exec(readFileSync(git, "utf8"))?.[1] ?? "");
    const common = resolve(own, readFileSync(join(own, "commondir"), "utf8").trim());
    return basename(common) === ".git" ? dirname(common) : common;
  } catch {
    // A submodule has no `commondir`: it is a repository of its own.
    return root;
  }
}
