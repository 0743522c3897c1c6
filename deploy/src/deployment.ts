import { join } from "node:path";
import { gatherConsoleAssets } from "@engram/local/console-assets";
import { gatherDocsAssets } from "@engram/local/docs-assets";
import { type Account, LoginMissing, readAccount } from "./account.ts";
import { type AdminToken, settleAdminToken, shown } from "./admin-token.ts";
import { createBucket, readBucket } from "./bucket.ts";
import { readConfig } from "./config.ts";
import type { Context } from "./context.ts";
import { createDatabase, readDatabase } from "./database.ts";
import { DeployError } from "./deploy-error.ts";
import type { Location } from "./locations.ts";
import { applyMigrations } from "./migrations.ts";
import { CheckFailed, smokeTest } from "./smoke-test.ts";
import type { Ask, Progress } from "./terminal.ts";
import { createVectorIndex, readVectorIndex } from "./vectors.ts";
import { type DeployedWorker, deployWorker, measureBundle, readSecretNames } from "./worker.ts";
import type { Wrangler } from "./wrangler.ts";

export interface DeploymentInput {
  root: string;
  /** Directory for admin tokens, with a subfolder for each account. */
  keepDirectory: string;
  env: Readonly<Record<string, string | undefined>>;
  wrangler: Wrangler;
  fetch: typeof fetch;
  sleep(ms: number): Promise<void>;
  /** Absent if there is no terminal. */
  ask?: Ask | undefined;
  /** Location of a new database, as given to the command. */
  location?: Location | undefined;
  signal: AbortSignal;
  progress: Progress;
  /** Changes nothing. Without a login, checks only the settings and the bundle. */
  isDryRun: boolean;
}

export interface Deployment {
  adminToken: AdminToken;
  /** Undefined if no route is for a single host. */
  url: string | undefined;
}

/**
 * Deploys, or prints in a dry run what a deployment would change. Reads the whole account before the first change.
 *
 * @returns Undefined after a dry run.
 * @throws {DeployError} If wrangler or the smoke test fails, or if the settings or what the account already has
 * prevent the deployment.
 */
export async function deploy(input: DeploymentInput): Promise<Deployment | undefined> {
  const { root, env, progress, isDryRun } = input;
  const config = readConfig(root, env);
  const account = await readAccount(
    input.wrangler,
    config.accountId ?? (env.CLOUDFLARE_ACCOUNT_ID || undefined),
  ).catch((error: unknown) => {
    if (!isDryRun || !(error instanceof LoginMissing)) throw error;
    return undefined;
  });
  const wrangler: Wrangler = (args) =>
    input.wrangler(args, account === undefined ? {} : { CLOUDFLARE_ACCOUNT_ID: account.id });
  const ctx: Context = { wrangler, config, progress, sleep: input.sleep };
  gatherDocsAssets(root, config.assetsDirectory);
  await gatherConsoleAssets(root, config.assetsDirectory);
  if (account !== undefined) return deployTo(account, ctx, input);
  progress.note("You are not logged in to Cloudflare, so only the settings and the bundle are checked.");
  await showBundle(ctx, await measureBundle(ctx));
  return undefined;
}

async function deployTo(
  account: Account,
  ctx: Context,
  input: DeploymentInput,
): Promise<Deployment | undefined> {
  const { config, progress } = ctx;
  const [bundle, database, index, bucket, secretNames] = await Promise.all([
    measureBundle(ctx),
    readDatabase(ctx),
    readVectorIndex(ctx),
    readBucket(ctx),
    readSecretNames(ctx),
  ]);
  refuseTwice(config, secretNames ?? []);
  await progress.step("Account", account.label);
  await showBundle(ctx, bundle);
  const applied = database?.appliedMigrations ?? [];
  const isFirst = secretNames === undefined;
  let adminToken: AdminToken;
  let deployed: DeployedWorker | undefined;
  try {
    adminToken = await settleAdminToken(progress, {
      file: join(input.keepDirectory, account.id, `${config.name}.admin-token`),
      given: input.env.ENGRAM_ADMIN_TOKEN || undefined,
      isNew: !secretNames?.includes("ADMIN_TOKEN"),
      ask: input.ask,
    });
    await createDatabase(ctx, database, input);
    // The metadata indexes come before the Worker: one contains only vectors that are stored after it was created.
    await createVectorIndex(ctx, index, { holdsMessages: applied.length > 0 });
    await createBucket(ctx, bucket);
    await applyMigrations(ctx, applied);
    deployed = await upload(ctx, adminToken, isFirst);
  } catch (error) {
    progress.note("What is done stays: `npm run deploy` goes on from here.");
    throw error;
  }
  const { value } = adminToken;
  await progress.step("Smoke test", "call the deployed URL", () =>
    test({ ...input, url: deployed?.url, adminToken: value }).catch((error: unknown) => {
      if (!(error instanceof CheckFailed)) throw error;
      throw new DeployError(`${error.message}\n\n${howToGoOn(error, deployed?.url, adminToken, isFirst)}`);
    }),
  );
  return deployed && { adminToken, url: deployed.url };
}

/** Cloudflare refuses a Worker with a variable and a secret of one name. */
function refuseTwice({ ownSettings, givenSettings }: Context["config"], secretNames: string[]): void {
  for (const name of ownSettings) {
    if (Object.hasOwn(givenSettings, name))
      throw new DeployError(
        `${name} is in the environment and in wrangler.toml. Remove it from one of them.`,
      );
    if (secretNames.includes(name))
      throw new DeployError(
        `${name} is in wrangler.toml, and the Worker has it from the environment of an earlier deployment.\n` +
          `Remove it from wrangler.toml, or from the Worker: npx wrangler secret delete ${name}`,
      );
  }
}

const showBundle = ({ progress }: Context, { bytes, gzipBytes }: { bytes: number; gzipBytes: number }) =>
  progress.step("Bundle", `${kib(bytes)}, ${kib(gzipBytes)} gzip`);

async function upload(
  ctx: Context,
  { isNew, value, file }: AdminToken,
  isFirst: boolean,
): Promise<DeployedWorker | undefined> {
  const { name, customDomains, givenSettings } = ctx.config;
  if (customDomains.length > 0)
    ctx.progress.note(
      `${customDomains.join(", ")} will lead to this Worker, in place of any DNS record of that name.`,
    );
  let deployed: DeployedWorker | undefined;
  const secrets = [...(isNew ? ["the admin token"] : []), ...Object.keys(givenSettings)].join(", ");
  const what = `${isFirst ? "create" : "update"} ${name}${secrets === "" ? "" : `, with ${secrets}`}`;
  await ctx.progress.step("Worker", what, async () => {
    const values = { ...(isNew && value !== undefined ? { ADMIN_TOKEN: value } : {}), ...givenSettings };
    deployed = await deployWorker(ctx, { file: `${file}.upload`, values });
    const { versionId, startupMs } = deployed;
    return `version ${versionId}${startupMs === undefined ? "" : `, starts in ${startupMs} ms`}`;
  });
  return deployed;
}

async function test(
  input: Pick<DeploymentInput, "fetch" | "sleep" | "signal"> & {
    url: string | undefined;
    adminToken: string | undefined;
  },
): Promise<string> {
  const { url, adminToken } = input;
  if (url === undefined) return "left out, as the routes name no single host";
  const passed = (await smokeTest({ ...input, url })).join(", ");
  return adminToken === undefined ? `${passed}; set ENGRAM_ADMIN_TOKEN to test storing, too` : passed;
}

function howToGoOn(
  error: CheckFailed,
  url: string | undefined,
  { isNew, file }: AdminToken,
  isFirst: boolean,
): string {
  const lines =
    error.status === 401 && !isNew
      ? [
          `The admin token known here, from ENGRAM_ADMIN_TOKEN or ${shown(file)}, is not the Worker's.`,
          "Put the right one there, or give the Worker another: npx wrangler secret put ADMIN_TOKEN",
        ]
      : [
          `The Worker is deployed at ${url}, and this does not work.`,
          ...(error.status === 403
            ? ["ALLOWED_HOSTS in wrangler.toml must be empty or name this host."]
            : []),
          "See what it logs:            npx wrangler tail",
          ...(isFirst ? [] : ["Back to the version before:  npx wrangler rollback"]),
        ];
  return lines.join("\n");
}

function kib(bytes: number): string {
  return `${Math.round(bytes / 1024).toLocaleString("en")} KiB`;
}
