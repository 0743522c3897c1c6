// The fields of a package that name its repository. The release writes them into the packages, because a fork, or a
// project that has moved, publishes from another repository than its sources say.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `https://HOST/OWNER/NAME`, of the workflow that runs or of the remote `origin`. Undefined if there is neither. */
export function findRepository(root, env = process.env) {
  if (env.GITHUB_REPOSITORY)
    return `${env.GITHUB_SERVER_URL ?? "https://github.com"}/${env.GITHUB_REPOSITORY}`;
  try {
    return toRepository(
      execFileSync("git", ["remote", "get-url", "origin"], { cwd: root, encoding: "utf8", stdio: "pipe" }),
    );
  } catch {
    return undefined;
  }
}

/** Undefined for a remote that is no web address, such as a folder. */
export function toRepository(remote) {
  const [, host, path] =
    /^(?:https?:\/\/(?:[^@/]*@)?|ssh:\/\/[^@/]*@|[^@/:]+@)([^/:]+)(?::\d+)?[/:]([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(
      remote.trim(),
    ) ?? [];
  return host === undefined ? undefined : `https://${host}/${path}`;
}

/** The manifest with the fields, after `homepage`, as npm requires them for provenance. */
export function withOrigin(manifest, directory, repository) {
  const fields = {
    bugs: `${repository}/issues`,
    repository: { type: "git", url: `git+${repository}.git`, directory },
  };
  const entries = Object.entries(manifest).flatMap((entry) =>
    entry[0] === "homepage" ? [entry, ...Object.entries(fields)] : [entry],
  );
  return { ...Object.fromEntries(entries), ...fields };
}

/** Does the work while the manifests of the packages have the fields; without a repository, while they have none. */
export async function whileOriginWritten(root, packages, repository, work) {
  if (repository === undefined) return work();
  const files = packages.map((name) => ({ name, file: join(root, name, "package.json") }));
  const before = files.map(({ file }) => readFileSync(file, "utf8"));
  try {
    for (const [i, { name, file }] of files.entries()) {
      const manifest = withOrigin(JSON.parse(before[i]), name, repository);
      writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
    }
    return await work();
  } finally {
    for (const [i, { file }] of files.entries()) writeFileSync(file, before[i]);
  }
}
