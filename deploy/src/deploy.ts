// Entry of `npm run deploy`.
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isKept, shown } from "./admin-token.ts";
import { type DeployArgs, readArgs, USAGE, UsageError } from "./args.ts";
import { DeployError } from "./deploy-error.ts";
import { type Deployment, deploy } from "./deployment.ts";
import { LeftOrganization } from "./smoke-test.ts";
import { askAt, showProgress } from "./terminal.ts";
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
  else await run(args);
} catch (error) {
  const isStopped = signal.aborted && !(error instanceof LeftOrganization);
  process.stderr.write(`\n${isStopped ? "Stopped." : explain(error)}\n`);
  process.exitCode = signal.aborted ? signal.reason : error instanceof UsageError ? 2 : 1;
}

async function run({ dryRun: isDryRun, location }: DeployArgs): Promise<void> {
  const { stdin, stdout, env } = process;
  const isAttended = stdin.isTTY && stdout.isTTY && !env.CI;
  stdout.write(isDryRun ? "\nChecking a deployment\n\n" : "\nDeploying Engram to Cloudflare\n\n");
  if (stdout.isTTY) stdout.write("  … Looking at the account");
  const deployment = await deploy({
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
    progress: showProgress(stdout, { isDryRun, signal }),
    isDryRun,
  });
  stdout.write(deployment === undefined ? "\nNothing was changed.\n\n" : summary(deployment));
}

function summary({ url = "https://<your host>", adminToken }: Deployment): string {
  const file = shown(adminToken.file);
  const isStored = isKept(adminToken);
  const token = isStored ? `$(cat '${file}')` : "$ENGRAM_ADMIN_TOKEN";
  return `
Engram is deployed.

  URL          ${url}
  Docs         ${url}/docs
  MCP          ${url}/mcp?tools=conversations,memories
${isStored ? `  Admin token  kept in ${file}\n` : ""}
Create an organization; the answer shows its first key, once:

  curl -s ${url}/v1/organizations -H "authorization: Bearer ${token}" -H "content-type: application/json" -d '{"name":"Acme"}'

Connect clients to the MCP URL, and sign in with a key on the page that opens:

  claude.ai  Settings, Connectors, Add custom connector
  ChatGPT    Settings, Apps & Connectors, Advanced settings, Developer mode; then Create, with OAuth
  Cursor     Settings, MCP, New MCP server: {"mcpServers":{"engram":{"url":"<MCP URL>"}}}; then Connect
  VS Code    Command palette, MCP: Add Server, HTTP; then Allow

Each step: https://engram.dev/connect

`;
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof DeployError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
