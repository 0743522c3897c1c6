// Entry of `npm run deploy`.
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type DeployArgs, readArgs, USAGE, UsageError } from "./args.ts";
import { DeployError } from "./deploy-error.ts";
import { carryOut, planDeployment } from "./deployment.ts";
import { summary } from "./summary.ts";
import { askAt, showProgress } from "./terminal.ts";
import { LeftOrganization } from "./test-organization.ts";
import { spawnWrangler } from "./wrangler.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const stopping = new AbortController();
const { signal } = stopping;
// `on` and not `once`: Ctrl-C reaches this process more than once, because its parent processes forward the
// signal, too.
for (const [name, code] of Object.entries(SIGNALS)) process.on(name, () => stopping.abort(code));

try {
  const args = readArgs(process.argv.slice(2), process.env);
  if (args.help) process.stdout.write(USAGE);
  else await deploy(args);
} catch (error) {
  const isStopped = signal.aborted && !(error instanceof LeftOrganization);
  process.stderr.write(`\n${isStopped ? "Stopped." : explain(error)}\n`);
  process.exitCode = signal.aborted ? signal.reason : error instanceof UsageError ? 2 : 1;
}

async function deploy({ dryRun, location }: DeployArgs): Promise<void> {
  const { stdin, stdout, env } = process;
  const isAttended = stdin.isTTY && stdout.isTTY && !env.CI;
  stdout.write(dryRun ? "\nWhat a deployment would do\n\n" : "\nDeploying Engram to Cloudflare\n\n");
  if (stdout.isTTY) stdout.write("  … Looking at the account");
  const deployment = await planDeployment({
    root: ROOT,
    // This folder contains the admin token. Git ignores it. It is not in `.engram`, the data directory of
    // `npm start`, because users may delete that.
    keepDirectory: join(ROOT, "deploy/.engram"),
    env,
    wrangler: spawnWrangler(ROOT, signal),
    fetch,
    sleep: (ms) => delay(ms, undefined, { signal }),
    ask: isAttended ? askAt(stdin, stdout, signal) : undefined,
    location,
    signal,
    isDryRun: dryRun,
  });
  const progress = showProgress(stdout);
  if (dryRun) {
    for (const step of deployment.steps) progress.planned(step);
    const login = deployment.account === undefined ? "npx wrangler login, then " : "";
    stdout.write(`\nNothing was changed. To do it: ${login}npm run deploy\n\n`);
    return;
  }
  try {
    await carryOut(deployment, progress, signal);
  } catch (error) {
    if (deployment.worker.deployed === undefined) {
      stdout.write("\nWhat is done stays: `npm run deploy` goes on from here.\n");
    }
    throw error;
  }
  stdout.write(summary(deployment));
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof DeployError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
