// Publishes the packages whose versions are not on npm yet. With --dry-run it publishes nothing: it shows the
// changelogs of the next versions, packs the packages, installs each alone and all together into empty
// projects, and uses them there.
//
//   npm run release -- --dry-run [--keep DIR]    # DIR keeps the tarballs
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root, run } from "./commands.mjs";
import { checkInstalled, install } from "./installed.mjs";
import { findRepository, whileOriginWritten } from "./origin.mjs";
import { pack } from "./pack.ts";

const PACKAGES = ["sdk", "cli", "local", "sentences"];
const START_TIMEOUT_MS = 120_000;

const { values } = parseArgs({ options: { "dry-run": { type: "boolean" }, keep: { type: "string" } } });
if (values["dry-run"]) await rehearse(values.keep);
else await publish();

async function publish() {
  const changed = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
  if (changed !== "") throw new Error(`what is not committed cannot be published:\n${changed}`);
  if (process.env.GITHUB_REPOSITORY === undefined)
    throw new Error("npm vouches only for what a workflow builds: .github/workflows/release.yml publishes");
  const { packageManager } = readManifest(root, ".");
  // npm accepts a package with provenance only from the repository that the package names. Changesets publishes with the
  // pnpm in PATH, where npx puts this one.
  await whileOriginWritten(root, PACKAGES, findRepository(root), () =>
    run(".", "npx", "-y", "--prefer-offline", packageManager, "exec", "changeset", "publish"),
  );
}

function readManifest(base, name) {
  return JSON.parse(readFileSync(join(base, name, "package.json"), "utf8"));
}

async function rehearse(keep) {
  const folder = mkdtempSync(join(tmpdir(), "engram-release-"));
  try {
    await rehearseVersions(folder);
    const repository = findRepository(root);
    console.log(`\nRepository of the packages: ${repository ?? "none, because git has no remote origin"}`);
    const packed = await whileOriginWritten(root, PACKAGES, repository, () =>
      Object.fromEntries(PACKAGES.map((name) => [name, pack(name, folder)])),
    );
    const tarballs = Object.values(packed);
    await run("sdk", "node", "check-package.ts");
    for (const name of PACKAGES) await checkInstalled(name, packed, folder, repository);
    await use(tarballs, folder);
    if (keep !== undefined) {
      mkdirSync(keep, { recursive: true });
      for (const tarball of tarballs) copyFileSync(tarball, resolve(keep, basename(tarball)));
    }
    console.log(`\nFit to be published: ${tarballs.map((file) => basename(file)).join(", ")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Show the next versions and changelogs, computed in a clone. */
async function rehearseVersions(folder) {
  const copy = join(folder, "versions");
  execFileSync("git", ["clone", "--quiet", root, copy]);
  const waiting = readdirSync(join(copy, ".changeset"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => readFileSync(join(copy, ".changeset", file), "utf8").split(/^---$/m));
  if (waiting.length === 0) return console.log("No changeset waits to be released.");
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  execFileSync("changeset", ["version"], { cwd: copy, stdio: ["ignore", "ignore", "inherit"] });
  const versions = new Set();
  for (const name of PACKAGES) {
    const manifest = readManifest(copy, name);
    const told = waiting.filter(([, packages]) => packages.includes(`"${manifest.name}"`));
    if (told.length === 0) continue;
    versions.add(manifest.version);
    const changelog = readFileSync(join(copy, name, "CHANGELOG.md"), "utf8");
    console.log(`\n${changelog.trim()}`);
    for (const summary of told.map(([, , text]) => text.trim().split("\n")[0]))
      if (!changelog.includes(`**${summary}**`))
        throw new Error(`${name}'s changelog does not tell: ${summary}`);
  }
  if (versions.size !== 1)
    throw new Error(`linked packages get versions of their own: ${[...versions].join(", ")}`);
}

/** The first steps of a new user: install, start the service, run the quickstart, search, run the doctor. */
async function use(tarballs, folder) {
  const project = join(folder, "project");
  const home = join(folder, "home");
  mkdirSync(project);
  mkdirSync(home);
  writeFileSync(join(project, "package.json"), '{"private":true,"type":"module"}\n');
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, ".config") };
  const inProject = (command, args, more = {}) =>
    execFileSync(command, args, { cwd: project, env: { ...env, ...more }, encoding: "utf8" });
  console.log(`\n> npm install ${tarballs.map((file) => basename(file)).join(" ")}`);
  install(project, tarballs, env);
  const bin = (name) => join(project, "node_modules/.bin", name);
  const data = join(home, "data");
  const child = spawn(bin("engram-local"), {
    cwd: project,
    env: { ...env, PORT: "0", ENGRAM_DATA: data },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await readUrl(child);
    const key = readFileSync(join(data, "key"), "utf8").trim();
    mkdirSync(join(project, "quickstart"));
    for (const file of ["service.ts", "quickstart/quickstart.ts"])
      copyFileSync(join(root, "examples", file), join(project, file));
    const asked = { ENGRAM_URL: url, ENGRAM_API_KEY: key };
    console.log("\n> node quickstart/quickstart.ts");
    console.log(inProject(process.execPath, ["quickstart/quickstart.ts"], asked));
    console.log("> engram search refund");
    const found = inProject(bin("engram"), ["search", "refund", "--limit", "1"], asked);
    console.log(found);
    if (!found.includes("refund")) throw new Error("what the quickstart stored is not found");
    console.log("> engram doctor");
    console.log(inProject(bin("engram"), ["doctor"], asked));
  } finally {
    const closed = once(child, "close");
    child.kill("SIGTERM");
    await closed;
  }
}

async function readUrl(child) {
  let printed = "";
  const timer = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT_MS);
  try {
    for await (const chunk of child.stdout) {
      printed += chunk;
      const url = /URL +(http:\S+)/.exec(printed)?.[1];
      if (url !== undefined && printed.includes("Press Ctrl-C")) return url;
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`The packed service did not start:\n${printed}`);
}
