// Runs the code blocks of the documents as a reader does: outside the repository, with the packed packages, an empty
// HOME and a new service. Compares the output with that in the documents.
//   node steps.mjs PACKAGES [DOCUMENT…]   (in an empty folder; PACKAGES holds the tarballs)
// scripts/blocks.mjs decides which blocks run. `asReader` lists what is replaced in them.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { blocksOf, STEP_DOCUMENTS } from "../../scripts/blocks.mjs";
import { root } from "../../scripts/commands.mjs";
import { install } from "./installed.mjs";
import { prepare, writeSectionFile } from "./steps/files.mjs";

const [packages, ...named] = process.argv.slice(2);
const tarballs = globSync("*.tgz", { cwd: packages }).map((file) => resolve(packages, file));
const folder = process.cwd();
const home = join(folder, "home");
const STEP_TIMEOUT_MS = 180_000;
const START_TIMEOUT_MS = 60_000;
const DOCUMENTED_URL = "http://127.0.0.1:26366";
/** Commands that run until they are ended, each started once per run. */
const STARTS = /^(npx @engram\/cli start|npx @engram\/local)\b.*$/gm;

const base = join(folder, "installed");
mkdirSync(base);
mkdirSync(home);
writeFileSync(join(base, "package.json"), '{"private":true}\n');
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(ENGRAM|XDG)_/.test(name))),
  // As after a global install, the command is `engram`.
  PATH: [dirname(process.execPath), join(base, "node_modules/.bin"), process.env.PATH].join(":"),
  HOME: home,
  TZ: "UTC",
  // Each document has a separate HOME. All use the same service.
  XDG_STATE_HOME: join(home, ".local/state"),
  npm_config_cache: join(home, ".npm"),
  npm_config_registry: (await output("npm", ["config", "get", "registry"], { env: process.env })).trim(),
  npm_config_update_notifier: "false",
};
install(base, tarballs, { env: environment });

const service = await start();
const failures = [];
let ran = 0;
try {
  const waiting = (named.length > 0 ? named : STEP_DOCUMENTS).values();
  const lane = async () => {
    for (const document of waiting) await runDocument(document);
  };
  await Promise.all([lane(), lane()]);
} finally {
  const closed = once(service.child, "close");
  process.kill(-service.child.pid, "SIGTERM");
  await closed;
}
console.log(`${ran} blocks ran as they stand in ${Math.round(performance.now() / 1_000)} s`);
for (const failure of failures) console.error(`FAILED: ${failure}`);
if (failures.length > 0) process.exitCode = 1;

async function runDocument(document) {
  const started = performance.now();
  const blocks = blocksOf(readFileSync(join(root, document), "utf8"));
  const own = join(folder, document.replaceAll("/", "-").replace(/\.md$/, ""));
  const place = join(own, "engram");
  const home = join(own, "home");
  mkdirSync(join(place, ".engram"), { recursive: true });
  mkdirSync(home);
  // As if the packages were installed globally or published, so that npx and imports find them.
  symlinkSync(join(base, "node_modules"), join(place, "node_modules"));
  const key = await createOrganization(document);
  writeFileSync(join(place, ".engram/key"), key);
  writeFileSync(join(place, ".engram/admin-token"), service.adminToken);
  // `npm run packages` has run already.
  symlinkSync(resolve(packages), join(place, "packages"));
  symlinkSync(join(root, "sdk-python"), join(place, "sdk-python"));
  writeFileSync(join(place, "package.json"), '{"private":true,"scripts":{"packages":"true"}}\n');
  await prepare(document, { place, home, url: service.url, key: service.key });
  const reader = { cwd: place, env: { ...environment, HOME: home }, key, state: join(own, "shell") };
  let printed = null;
  let section;
  for (const [i, block] of blocks.entries()) {
    if (block.section !== section) {
      section = block.section;
      reader.cwd = place;
      writeSectionFile(document, section, place);
    }
    const where = `${document}:${block.line}`;
    const next = blocks[i + 1];
    if (block.kind === "save") writeFileSync(join(reader.cwd, block.file), asReader(block.code, key));
    if (block.kind === "run") {
      ran += 1;
      printed = await run(block, i, reader).catch((error) => {
        failures.push(`${where}: ${error.message}`);
        return null;
      });
      const isShown =
        next?.kind === "output" || block.mark === "output not shown" || block.language === "console";
      if (printed !== null && printed.trim() !== "" && !isShown)
        failures.push(`${where} prints what the document does not show:\n${asDocumented(printed)}`);
    }
    if (block.kind === "output" && printed !== null) compare(where, block.code, printed);
  }
  console.log(`${document}: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}

async function run(block, i, reader) {
  if (block.language === "console") return runConsole(block, reader);
  const code = asReader(block.code, reader.key);
  if (block.language === "sh") return runShell(code, reader);
  await untilIndexed(reader.key);
  const isPython = block.language === "python";
  const file = join(reader.cwd, `block-${i}.${isPython ? "py" : "mts"}`);
  writeFileSync(file, code);
  const program = isPython ? "python" : process.execPath;
  const env = { ...reader.env, ENGRAM_API_KEY: reader.key, ENGRAM_ADMIN_TOKEN: service.adminToken };
  return output(program, [file], { cwd: reader.cwd, env, withErrors: true });
}

/** A transcript: each line that begins with `$ ` is a command, and the lines after it are its output. */
async function runConsole({ code, line }, reader) {
  for (const part of code.split(/^(?=\$ )/m)) {
    const [command = "", ...expected] = part.split("\n");
    await untilIndexed(reader.key);
    const printed = await runShell(asReader(command.slice(2), reader.key), reader);
    compare(`line ${line}, ${command}`, expected.join("\n"), printed);
  }
  return "";
}

/** Runs lines in a shell that keeps its variables and its directory between blocks. */
async function runShell(code, reader) {
  const { state } = reader;
  const script = [
    "set -euo pipefail",
    `set -a; trap 'pwd >"${state}.cwd"; env -0 >"${state}.env"' EXIT`,
    code,
  ].join("\n");
  const printed = await output("bash", ["-c", script], { cwd: reader.cwd, env: reader.env });
  reader.cwd = readFileSync(`${state}.cwd`, "utf8").trim();
  const entries = readFileSync(`${state}.env`, "utf8").split("\0").filter(Boolean);
  reader.env = Object.fromEntries(entries.map((entry) => /^([^=]*)=([\s\S]*)$/.exec(entry)?.slice(1) ?? []));
  return printed;
}

/** Replacements in a block: address, key, and questions of a terminal. */
function asReader(code, key) {
  return code
    .replaceAll(DOCUMENTED_URL, service.url)
    .replaceAll(/https:\/\/(memory\.example\.com|engram\.YOUR-SUBDOMAIN\.workers\.dev)/g, service.url)
    .replaceAll("deploy/.engram/*/engram.admin-token", ".engram/admin-token")
    .replaceAll("engram_sk_live_…", key)
    .replace(/^((?:npx @engram\/cli|engram) (?:(?:mcp|hooks) (?:install|remove)) [^#\n]*)/gm, "$1 --yes ")
    .replace(STARTS, (command) => `bash "${join(import.meta.dirname, "steps/start.sh")}" ${command}`);
}

function compare(where, expected, printed) {
  const [wanted, got] = [asDocumented(expected), asDocumented(printed)];
  const pattern = wanted.split("…").map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (new RegExp(`^${pattern.join("[\\s\\S]*?")}$`).test(got)) return;
  failures.push(`${where} shows\n${wanted}\nand the block before it prints\n${got}`);
}

/** The text without parts that differ between runs: ids, keys, times, scores and addresses. */
function asDocumented(text) {
  return text
    .replaceAll(service.url, DOCUMENTED_URL)
    .replaceAll(/engram_sk_live_[A-Za-z0-9]+/g, "engram_sk_live_…")
    .replaceAll(/\b(conv|msg|mem|op|org|key|chk|req)_[0-9a-z]{20}\b/g, "$1_ID")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?/g, "TIME")
    .replaceAll(/durationMs: \d+/g, "durationMs: 1")
    .replaceAll(/(?<![\d.])\d+\.\d+(?:e-\d+)?(?![\d.])/g, "0.5")
    .trimEnd();
}

async function createOrganization(name) {
  const response = await fetch(`${service.url}/v1/organizations`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  return (await response.json()).key.secret;
}

/** Waits until the data of an earlier block can be found by meaning. A reader is slower than this program. */
async function untilIndexed(key) {
  for (let i = 0; i < 300; i += 1) {
    const response = await fetch(`${service.url}/v1/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: '{"query":"anything","in":["conversations","memories"]}',
    });
    if ((await response.json()).pending === 0) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error("what was stored is not indexed within 30 s");
}

/** Starts the packed service as a reader does. */
async function start() {
  const place = join(folder, "service");
  mkdirSync(place);
  symlinkSync(join(base, "node_modules"), join(place, "node_modules"));
  const env = { ...environment, PORT: "0" };
  const child = spawn("npx", ["@engram/local"], {
    cwd: place,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let banner = "";
  const url = await new Promise((done, fail) => {
    setTimeout(() => fail(new Error("the service does not start")), START_TIMEOUT_MS).unref();
    child.once("exit", () => fail(new Error(`the service ended: ${banner}`)));
    child.stdout.setEncoding("utf8").on("data", (text) => {
      banner += text;
      const found = /^ +URL +(\S+)$/m.exec(banner)?.[1];
      if (found !== undefined) done(found);
    });
  });
  const adminToken = readFileSync(join(place, ".engram/admin-token"), "utf8").trim();
  const key = readFileSync(join(place, ".engram/key"), "utf8").trim();
  return { child, url, adminToken, key };
}

/** Resolves to the output of a command, with its errors if they are part of it. Rejects if it fails. */
function output(command, args, { withErrors = false, ...options }) {
  return new Promise((done, fail) => {
    const child = execFile(
      command,
      args,
      { timeout: STEP_TIMEOUT_MS, ...options },
      (error, stdout, stderr) => {
        if (error === null) done(withErrors ? stdout + stderr : stdout);
        else fail(new Error(`it fails with ${error.code ?? error.signal}\n${stdout}${stderr}`));
      },
    );
    child.stdin?.end();
  });
}
