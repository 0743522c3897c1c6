// Entry of `npm run proof`: runs the stages that take too long for .ci/run, or that depend on time, chance or a network.
//
//   npm run proof                    all stages
//   npm run proof -- sim recall      some stages
//   npm run proof -- trials crash    one stage, with arguments of its own
//
// Goes on after a failed stage. Ends with a table, and with exit code 1 when a stage failed.
import { spawn } from "node:child_process";
import { root } from "../scripts/commands.mjs";
import { secretsIn } from "../scripts/secrets.mjs";

/** The command of each stage, and the lines of its output that are its figures. */
const STAGES = {
  test: { command: ["npm", "run", "test:full", "--"], figures: /^ +(Test Files|Tests) +(.+)$/ },
  trials: {
    command: ["npm", "run", "-s", "trials", "--", "--short"],
    alone: ["--except", "noisy-neighbour", "--except", "slow-readers"],
    figures: /^- .* checks.*: (held|BROKEN .*)$/,
  },
  sim: { command: ["npm", "run", "-s", "sim", "--"], alone: ["--seeds", "500"], figures: /^\d+ seeds, .*$/ },
  load: {
    command: ["proof/ci/load.sh"],
    figures: /^(\d+ (appends|messages) .*|index_jobs .*|vector_deletions .*|operations .*)$/,
  },
  recall: { command: ["proof/ci/recall.sh"], figures: /^(?!=).*\bfloor.*$/ },
  browser: {
    command: ["proof/ci/served.sh", "proof/ci/browser.sh"],
    figures: /^(\d+ (pages|operations)|Console: ).*$/,
  },
  clients: {
    command: ["proof/ci/served.sh", "proof/ci/clients.sh"],
    figures: /^(.+: \d+ tools.*|plugin: .*)$/,
  },
  python: { command: ["proof/ci/served.sh", "proof/ci/python.sh"], figures: /^\d+ passed.*$/ },
  "python-frameworks": {
    command: ["proof/ci/served.sh", "proof/ci/python-frameworks.sh"],
    figures: /^(tried with |\d+ passed).*$/,
  },
  packages: {
    command: ["proof/ci/served.sh", "proof/ci/packages.sh"],
    figures: /^\d+ (bytes packed|tables).*$/,
  },
  neighbour: {
    command: ["npm", "run", "-s", "trials", "--", "--short", "noisy-neighbour", "slow-readers"],
    figures: /^- .*(quiet|worst|p99|not measured).*$/,
  },
};
/** Enough of a secret to find it in the output. */
const SECRET_SHOWN = 20;

const args = process.argv.slice(2);
const firstOwn = args.findIndex((arg) => !(arg in STAGES));
const named = firstOwn === -1 ? args : args.slice(0, firstOwn);
const own = args.slice(named.length);
if (own.length > 0 && named.length !== 1) {
  const names = Object.keys(STAGES).join(", ");
  console.error(`Usage: npm run proof -- [STAGE…], or one STAGE with its arguments. Stages: ${names}`);
  process.exit(2);
}
const results = [];
for (const name of named.length > 0 ? named : Object.keys(STAGES)) results.push(await runStage(name));

console.log("\n| stage | result | seconds | figures |\n| --- | --- | --- | --- |");
for (const { name, problems, seconds, figures } of results) {
  const result = problems.length === 0 ? "passed" : `FAILED: ${problems.join("; ")}`;
  console.log(`| ${name} | ${result} | ${seconds} | ${figures.join("; ").replaceAll("|", "/")} |`);
}
if (results.some(({ problems }) => problems.length > 0)) process.exitCode = 1;

/** Runs a stage, shows its output and searches it for secrets. */
async function runStage(name) {
  const { command, alone = [], figures } = STAGES[name];
  const [file, ...rest] = [...command, ...(own.length > 0 ? own : alone)];
  console.log(`\n##### ${name}: ${[file, ...rest].join(" ")}`);
  const started = performance.now();
  const child = spawn(file, rest, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])
    from.setEncoding("utf8").on("data", (text) => {
      output += text;
      to.write(text);
    });
  const code = await new Promise((done) => child.on("close", (exitCode, signal) => done(signal ?? exitCode)));
  const secrets = [...new Set(secretsIn(output))].map((secret) => secret.slice(0, SECRET_SHOWN));
  const lines = output.replaceAll(/\p{Cc}\[[\d;]*m/gu, "").split("\n");
  return {
    name,
    problems: [
      ...(code === 0 ? [] : [`exit code ${code}`]),
      ...(secrets.length === 0 ? [] : [`printed secrets: ${secrets.join(", ")}`]),
    ],
    seconds: Math.round((performance.now() - started) / 1_000),
    figures: lines.filter((line) => figures.test(line)).map((line) => line.replace(/^[-\s]+/, "").trim()),
  };
}
