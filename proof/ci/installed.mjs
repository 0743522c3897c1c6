// Tests each package as its users install it: in an empty project of its own.
//   node installed.mjs PACKAGES   (in an empty folder; PACKAGES holds the tarballs)
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { root } from "../../scripts/commands.mjs";
import { findPackagingProblems } from "../../sdk/package-problems.ts";

/** Packages whose scripts npm runs when they are installed. They only check or link their own programs. */
const WITH_SCRIPTS = ["esbuild", "fsevents", "sharp", "workerd"];

/** Modules that use the packages without programs. */
const USES = {
  sdk: `
    import { Engram } from "@engram/sdk";
    new Engram({ baseUrl: "http://127.0.0.1:26366", apiKey: "x" });`,
  sentences: `
    import { once } from "node:events";
    import { Worker } from "node:worker_threads";
    const worker = new Worker(new URL(import.meta.resolve("@engram/sentences/worker")), { execArgv: [] });
    worker.postMessage("Hello.");
    const [vector] = await once(worker, "message");
    if (vector.length !== 384) throw new Error(vector);
    await worker.terminate();`,
};

if (import.meta.main) {
  const files = globSync("engram-*.tgz", { cwd: process.argv[2] });
  const tarballs = Object.fromEntries(
    files.map((file) => [file.split("-")[1], resolve(process.argv[2], file)]),
  );
  assert.deepEqual(Object.keys(tarballs).sort(), ["cli", "local", "sdk", "sentences"]);
  for (const name of Object.keys(tarballs)) await checkInstalled(name, tarballs);
}

/** Fails unless a packed package asks for provenance, contains its licenses, brings no other install scripts and runs. */
async function checkInstalled(name, tarballs) {
  const tarball = tarballs[name];
  const project = resolve(`only-${name}`);
  mkdirSync(project);
  // npm does not have the other packages of this release yet.
  const siblings = Object.entries(tarballs).filter(([sibling]) => sibling !== name);
  const overrides = Object.fromEntries(
    siblings.map(([sibling, file]) => [`@engram/${sibling}`, `file:${file}`]),
  );
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module", overrides }));
  console.log(`\n> npm install @engram/${name}`);
  install(project, [tarball]);

  const installed = join(project, "node_modules/@engram", name);
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.equal(manifest.publishConfig?.provenance, true, `provenance of ${name}`);
  assert.ok(manifest.homepage, `homepage of ${name}`);
  checkPapers(name, installed);
  checkScripts(name, project);
  assert.deepEqual(await findPackagingProblems(readFileSync(tarball)), [], `publint of ${name}`);
  const bins = Object.keys(manifest.bin ?? {});
  for (const bin of bins) checkProgram(join(project, "node_modules/.bin", bin), manifest.version);
  const script = USES[name];
  if (script !== undefined)
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: project });
}

/** Such a script could report to others where the package is installed. */
function checkScripts(name, project) {
  const lock = JSON.parse(readFileSync(join(project, "node_modules/.package-lock.json"), "utf8"));
  const withScripts = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.split("node_modules/").at(-1));
  const unexpected = withScripts.filter((each) => !WITH_SCRIPTS.includes(each));
  assert.deepEqual(unexpected, [], `packages with install scripts that ${name} brings`);
}

function checkPapers(name, installed) {
  const license = readFileSync(join(root, "LICENSE"), "utf8");
  assert.equal(readFileSync(join(installed, "LICENSE"), "utf8"), license, `LICENSE of ${name}`);
  for (const file of ["README.md", "CHANGELOG.md"])
    assert.equal(existsSync(join(installed, file)), existsSync(join(root, name, file)), `${file} of ${name}`);
  if (name !== "local") return;
  const assets = join(installed, "dist/service/dist/assets");
  for (const file of ["swagger-ui-LICENSE.txt", "swagger-ui-NOTICE.txt", "swagger-ui-bundle.js.LICENSE.txt"])
    assert.ok(existsSync(join(assets, file)), `${file} of ${name}`);
  for (const font of ["inter", "jetbrains-mono"]) {
    assert.equal(
      globSync(`console/${font}-*.woff2`, { cwd: assets }).length,
      1,
      `the font ${font} of ${name}`,
    );
    assert.ok(existsSync(join(assets, `console/${font}-license`)), `license of ${font}`);
  }
}

function checkProgram(bin, version) {
  const run = (option) =>
    execFileSync(bin, [option], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  assert.equal(run("--version"), `${version}\n`);
  assert.match(run("--help"), /^Usage: /m);
}

/** Install into a project with npm, using the current registry. `options` go to npm. */
export function install(project, packages, { env = process.env, options = [] } = {}) {
  const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...options, ...packages], {
    cwd: project,
    env: {
      ...env,
      npm_config_registry: registry,
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    },
  });
}

/** Makes the working directory a project and installs packages into it, without running their scripts. */
export function installHere(packages) {
  writeFileSync("package.json", '{"private":true,"type":"module"}\n');
  install(".", packages, { options: ["--ignore-scripts"] });
}
