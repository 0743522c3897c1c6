// Starts the service with the packed packages in each way that users start it, outside the folder of the packages, and
// ends only the launcher. No process of it may be left.
//   node launchers.mjs PACKAGES   (in an empty folder; PACKAGES holds the tarballs)
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { install } from "./installed.mjs";
import { until } from "./until.mjs";

const tarballs = globSync("*.tgz", { cwd: process.argv[2] }).map((file) => resolve(process.argv[2], file));
const elsewhere = resolve("elsewhere");
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"];
const registry = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout.trim();

mkdirSync(elsewhere);
const all = project("all", tarballs);
const engram = join(all, "node_modules/.bin/engram");
const local = join(all, "node_modules/.bin/engram-local");

for (const signal of SIGNALS) {
  await ends(`${signal} to engram start`, engram, ["start", "--port", "0"], signal);
  await ends(`${signal} to engram-local`, local, ["--port=0"], signal);
}
// npx passes on no other signal. Its shell lets the program decide on Ctrl-C, which a terminal sends to both.
for (const signal of ["SIGTERM", "SIGKILL"]) {
  const npx = ["--prefix", all];
  await ends(`${signal} to npx engram start`, "npx", [...npx, "engram", "start", "--port", "0"], signal);
  await ends(`${signal} to npx engram-local`, "npx", [...npx, "engram-local", "--port=0"], signal);
}

const alone = project(
  "alone",
  tarballs.filter((file) => !file.includes("engram-local")),
);
const { status, stderr } = spawnSync(join(alone, "node_modules/.bin/engram"), ["start"], {
  ...{ cwd: elsewhere, env: environment("alone"), encoding: "utf8" },
});
assert.equal(status, 1);
assert.match(
  stderr,
  /^(Downloading .*\n)?(error: )?The service is in the package @engram\/local@\S+, which is not installed, .*npm install/i,
);
assert.doesNotMatch(stderr, /npm error|^ +at /m);
console.log("engram start without the service's package says how to install it");

function project(name, packages) {
  const folder = resolve(name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  install(folder, packages, { env: environment(name) });
  return folder;
}

/** An empty home for each start, without what npm tells the programs that it runs. */
function environment(name) {
  const home = resolve(`home-${name.replaceAll(/\W+/g, "-")}`);
  const own = Object.entries(process.env).filter(
    ([key]) => !/^(ENGRAM|XDG|npm)_/i.test(key) && key !== "INIT_CWD",
  );
  return {
    ...Object.fromEntries(own),
    HOME: home,
    npm_config_registry: registry,
    ENGRAM_DATA: join(home, "data"),
  };
}

async function ends(title, command, args, signal) {
  const env = environment(title);
  const data = args.includes("start") ? join(env.HOME, ".local/share/engram") : env.ENGRAM_DATA;
  const child = spawn(command, args, { cwd: elsewhere, env, stdio: ["ignore", "ignore", "inherit"] });
  const record = join(data, "running.json");
  const key = join(data, "key");
  await until(() => existsSync(record) && existsSync(key), `${title}: the service starts`);
  const { pid, url } = JSON.parse(readFileSync(record, "utf8"));
  await until(
    () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    `${title}: the service answers`,
  );
  const { workerd } = JSON.parse(readFileSync(record, "utf8"));
  const pids = [child.pid, pid, ...workerd.map((each) => each.pid)];
  child.kill(signal);
  await until(() => !pids.some(runs), `${title}: all of ${pids.join(", ")} end`);
  console.log(`${title} ends the service`);
}

function runs(pid) {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
