// Runs Python in sdk-python, with the packages of a requirements file, in a virtual environment that it makes if needed:
//
//   node scripts/run.mjs scripts/python.mjs requirements.txt ARGUMENT…    (the arguments of `python`)
//   node scripts/run.mjs scripts/python.mjs                               (generates the client)
//
// Uses the network only to make the environment.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./commands.mjs";

const FOLDER = join(root, "sdk-python");
const CACHE = join(root, "node_modules/.cache/python");
const PYTHONS = ["python3", "python3.13", "python3.12", "python3.11", "python"];
/** Everything that the generated folder depends on. */
const INPUTS = ["../spec/openapi.json", "requirements.txt", "generator/**/*.py", "generator/**/*.jinja"];

const sha256 = (content) => createHash("sha256").update(content).digest("hex");

/**
 * Checks, without Python, that sdk-python was generated from the files as they are. The tests of sdk-python generate it
 * again and compare.
 *
 * @throws when an input has changed since.
 */
export function checkPython() {
  const names = globSync(INPUTS, { cwd: FOLDER }).map((name) =>
    join("sdk-python", name).replaceAll("\\", "/"),
  );
  const lines = names.sort().map((name) => `${name}\n${sha256(readFileSync(join(root, name)))}\n`);
  const noted = readFileSync(join(FOLDER, "src/engram_memories/generated/inputs.sha256"), "utf8").trim();
  if (sha256(lines.join("")) === noted) return;
  throw new Error(
    "sdk-python is not up to date: run `npm run generate:python`, which needs Python 3.11 or later",
  );
}

/** The path of the environment's Python. */
async function makeEnvironment(requirements) {
  const python = PYTHONS.find(
    (name) =>
      spawnSync(name, ["-c", "import sys, venv; sys.exit(sys.version_info < (3, 11))"], { stdio: "ignore" })
        .status === 0,
  );
  if (python === undefined) throw new Error("There is no Python 3.11 or later with the module venv");
  const name = sha256(readFileSync(join(FOLDER, requirements)) + python).slice(0, 16);
  const folder = join(CACHE, name);
  const own = join(folder, process.platform === "win32" ? "Scripts" : "bin", "python");
  if (existsSync(join(folder, "complete"))) return own;
  rmSync(folder, { recursive: true, force: true });
  await run(".", python, "-m", "venv", folder);
  const uv = /^uv==.*$/m.exec(readFileSync(join(FOLDER, requirements), "utf8"))?.[0];
  await run(".", own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", uv);
  await run("sdk-python", own, "-m", "uv", "pip", "install", "--quiet", "-r", requirements);
  writeFileSync(join(folder, "complete"), "");
  return own;
}

if (import.meta.main) {
  const [requirements = "requirements.txt", ...args] = process.argv.slice(2);
  const python = await makeEnvironment(requirements);
  await run("sdk-python", python, ...(args.length > 0 ? args : ["generator/generate.py"]));
}
