import { join } from "node:path";
import { gatherConsoleAssets } from "@engram/local/console-assets";
import { gatherDocsAssets } from "@engram/local/docs-assets";
import { type Account, LoginMissing, readAccount } from "./account.ts";
import { type AdminToken, adminTokenStep, readAdminToken, shown } from "./admin-token.ts";
import { UnexpectedAnswer } from "./calls.ts";
import { readConfig } from "./config.ts";
import { databaseStep, readDatabase, readLocation } from "./database.ts";
import { DeployError } from "./deploy-error.ts";
import { migrationsStep } from "./migrations.ts";
import { describePlacement } from "./placement.ts";
import type { Location } from "./regions.ts";
import { type SmokeTest, smokeTest } from "./smoke-test.ts";
import type { Step, StepContext } from "./steps.ts";
import type { Ask, Progress } from "./terminal.ts";
import { indexStep, metadataIndexesStep, readVectorIndex } from "./vectors.ts";
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
  ask?: Ask | undefined;
  /** Location of a new database, as given to the command. */
  location?: Location | undefined;
  signal: AbortSignal;
  /** Only the steps are wanted. Without a login, they are those for an account that has nothing yet. */
  isDryRun?: boolean;
}

export interface Deployment {
  /** Undefined in a dry run without a login. */
  account: Account | undefined;
  steps: Step[];
  worker: WorkerProgress;
}

export interface WorkerProgress {
  adminToken: AdminToken;
  /** True if the Worker did not exist before, so there is no version to roll back to. */
  isFirst: boolean;
  /** Undefined until the Worker is uploaded. */
  deployed: DeployedWorker | undefined;
  /** Of its database. Undefined until the Worker is uploaded, or if D1 does not name it. */
  location: Location | undefined;
  /** Where it runs, in words. */
  placement: string;
}

/**
 * Reads the state of the account and returns the steps of the deployment. Changes nothing in the account.
 *
 * @throws {DeployError} If wrangler fails, or if the settings or what the account already has prevent the
 * deployment.
 */
export async function planDeployment(input: DeploymentInput): Promise<Deployment> {
  const config = readConfig(input.root);
  const account = await readAccount(
    input.wrangler,
    config.accountId ?? (input.env.CLOUDFLARE_ACCOUNT_ID || undefined),
  ).catch((error: unknown) => {
    if (input.isDryRun !== true || !(error instanceof LoginMissing)) throw error;
    return undefined;
  });
  const wrangler: Wrangler = (args) =>
    input.wrangler(args, account === undefined ? {} : { CLOUDFLARE_ACCOUNT_ID: account.id });
  const ctx: StepContext = { wrangler, config, sleep: input.sleep };
  gatherDocsAssets(input.root, config.assetsDirectory);
  await gatherConsoleAssets(input.root, config.assetsDirectory);
  const read = <T>(look: (ctx: StepContext) => Promise<T>) => (account === undefined ? undefined : look(ctx));
  const [bundle, database, index, secretNames] = await Promise.all([
    measureBundle(ctx),
    read(readDatabase),
    read(readVectorIndex),
    read(readSecretNames),
  ]);
  const adminToken = readAdminToken({
    file: join(input.keepDirectory, account?.id ?? "ACCOUNT", `${config.name}.admin-token`),
    given: input.env.ENGRAM_ADMIN_TOKEN || undefined,
    isNew: !secretNames?.includes("ADMIN_TOKEN"),
  });
  const worker: WorkerProgress = {
    adminToken,
    isFirst: secretNames === undefined,
    deployed: undefined,
    location: database?.location,
    placement: describePlacement(config, database?.location),
  };
  const holdsMessages = (database?.appliedMigrations.length ?? 0) > 0;
  const steps: Step[] = [
    accountStep(account),
    { title: "Bundle", text: `${kib(bundle.bytes)}, ${kib(bundle.gzipBytes)} gzip` },
    adminTokenStep(adminToken, input.ask),
    databaseStep(ctx, database, input),
    indexStep(ctx, { index, holdsMessages }),
    // This step comes before the Worker's: a metadata index contains only vectors that are stored after it
    // was created.
    metadataIndexesStep(ctx, index),
    migrationsStep(ctx, database),
    workerStep(ctx, worker),
    smokeTestStep(input, worker),
  ];
  return { account, steps, worker };
}

const accountStep = (account: Account | undefined): Step =>
  account === undefined
    ? {
        title: "Account",
        text: "unknown",
        note: "You are not logged in to Cloudflare. These are the steps for an account that has nothing of Engram yet.",
      }
    : { title: "Account", text: account.label };

export async function carryOut(
  { steps }: Deployment,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  for (const step of steps) {
    progress.started(step);
    try {
      signal.throwIfAborted();
      progress.done(step, (await step.change?.()) ?? step.text);
    } catch (error) {
      progress.failed(step);
      throw error;
    }
  }
}

function workerStep(ctx: StepContext, worker: WorkerProgress): Step {
  const { name, customDomains } = ctx.config;
  const { adminToken, isFirst } = worker;
  const withToken = adminToken.isNew ? ", with the admin token" : "";
  const where = isFirst && worker.location === undefined ? "near its database" : worker.placement;
  return {
    title: "Worker",
    text: `${isFirst ? "create" : "update"} ${name}${withToken}, ${where}`,
    note:
      customDomains.length === 0
        ? undefined
        : `${customDomains.join(", ")} will lead to this Worker, in place of any DNS record of that name.`,
    async change() {
      const secrets =
        adminToken.isNew && adminToken.value !== undefined
          ? { file: `${adminToken.file}.upload`, values: { ADMIN_TOKEN: adminToken.value } }
          : undefined;
      worker.location ??= await readLocation(ctx);
      worker.placement = describePlacement(ctx.config, worker.location);
      worker.deployed = await deployWorker(ctx, worker.location, secrets);
      const { versionId, startupMs } = worker.deployed;
      const startup = startupMs === undefined ? "" : `, starts in ${startupMs} ms`;
      return `version ${versionId}${startup}, ${worker.placement}`;
    },
  };
}

function smokeTestStep(input: DeploymentInput, worker: WorkerProgress): Step {
  return {
    title: "Smoke test",
    text: "call the deployed URL",
    async change() {
      const url = worker.deployed?.url;
      if (url === undefined) return "left out, as the routes name no single host";
      const test: SmokeTest = { ...input, url, adminToken: worker.adminToken.value };
      try {
        const passed = (await smokeTest(test)).join(", ");
        return test.adminToken === undefined
          ? `${passed}; set ENGRAM_ADMIN_TOKEN to test storing, too`
          : passed;
      } catch (error) {
        if (!(error instanceof UnexpectedAnswer)) throw error;
        throw new DeployError([error.message, "", ...howToGoOn(error, url, worker)].join("\n"));
      }
    },
  };
}

function howToGoOn(error: UnexpectedAnswer, url: string, { adminToken, isFirst }: WorkerProgress): string[] {
  if (error.status === 401 && !adminToken.isNew) {
    return [
      `The admin token known here, from ENGRAM_ADMIN_TOKEN or ${shown(adminToken.file)}, is not the Worker's.`,
      "Put the right one there, or give the Worker another: npx wrangler secret put ADMIN_TOKEN",
    ];
  }
  return [
    `The Worker is deployed at ${url}, and this does not work.`,
    ...(error.status === 403 ? ["ALLOWED_HOSTS in wrangler.toml must be empty or name this host."] : []),
    "See what it logs:            npx wrangler tail",
    ...(isFirst ? [] : ["Back to the version before:  npx wrangler rollback"]),
  ];
}

function kib(bytes: number): string {
  return `${Math.round(bytes / 1024).toLocaleString("en")} KiB`;
}
