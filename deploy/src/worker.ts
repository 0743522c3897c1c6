import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { Context } from "./context.ts";
import { DeployError } from "./deploy-error.ts";
import { failed, parseJson, runWrangler, type WranglerResult } from "./wrangler.ts";

const Secrets = z.array(z.object({ name: z.string() }));
/**
 * What wrangler reports about a deployment. After a dry run, the report has no version and no targets
 * (URLs).
 */
const Deployed = z.object({
  type: z.literal("deploy"),
  version_id: z.string().nullable(),
  targets: z.array(z.string()).default([]),
  bundle_size: z.object({ raw_bytes: z.number(), gzip_bytes: z.number() }),
});
type Deployed = z.infer<typeof Deployed>;
const NOT_FOUND = /Worker "[^"]*".* not found/;
/** What an error of the upload means and what to do, by the code in its message. */
const EXPLANATIONS: [code: string, explanation: string][] = [
  [
    "[code: 7404]",
    "The Worker is bound to a database that is gone. Delete the Worker and run this again: npx wrangler delete",
  ],
  [
    // The API accepts `limits.cpu_ms` only on the paid plan.
    "[code: 100328]",
    "Engram needs the Workers Paid plan: on the free plan, a request has too little CPU time for a search.\n" +
      "Change the plan at the address above and run `npm run deploy` again. What is created stays.",
  ],
];

/** Names of the secrets of the deployed Worker. Undefined if the account has no such Worker. */
export async function readSecretNames({ wrangler }: Context): Promise<string[] | undefined> {
  const args = ["secret", "list", "--format", "json"];
  const result = await wrangler(args);
  if (result.code !== 0 && NOT_FOUND.test(result.stderr)) return undefined;
  const secrets = result.code === 0 ? parseJson(result.stdout, Secrets) : undefined;
  if (secrets === undefined) throw failed(args, result);
  return secrets.map(({ name }) => name);
}

export async function measureBundle(ctx: Context): Promise<{ bytes: number; gzipBytes: number }> {
  const args = ["deploy", "--dry-run"];
  const { bundle_size } = readDeployed(args, await runWrangler(ctx.wrangler, args));
  return { bytes: bundle_size.raw_bytes, gzipBytes: bundle_size.gzip_bytes };
}

export interface DeployedWorker {
  /** Undefined if no route is for a single host. */
  url: string | undefined;
  versionId: string;
  /** Measured by Cloudflare during the upload. Undefined if wrangler does not print it. */
  startupMs: number | undefined;
}

/**
 * Wrangler reads the values of `secrets` from a private file, which is removed afterwards. Other secrets of the Worker
 * stay.
 */
export async function deployWorker(
  { wrangler }: Context,
  { file, values }: { file: string; values: Record<string, string> },
): Promise<DeployedWorker> {
  const hasSecrets = Object.keys(values).length > 0;
  const args = ["deploy", ...(hasSecrets ? ["--secrets-file", file] : [])];
  try {
    if (hasSecrets) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, JSON.stringify(values), { mode: 0o600 });
    }
    const result = await wrangler(args);
    if (result.code !== 0) throw explained(failed(args, result));
    const { version_id, targets } = readDeployed(args, result);
    // If the deployment was interrupted, the report is empty or has no version.
    if (version_id === null) throw failed(args, result);
    const startup = /Worker Startup Time: (\d+) ms/.exec(result.stdout)?.[1];
    return {
      url: deployedUrl(targets),
      versionId: version_id,
      startupMs: startup === undefined ? undefined : Number(startup),
    };
  } finally {
    rmSync(file, { force: true });
  }
}

export function deployedUrl(targets: readonly string[]): string | undefined {
  const host = /^(?:(https?):\/\/)?([\w-]+(?:\.[\w-]+)+(?::\d+)?)(?:\/\*?)?(?: \(.*)?$/;
  const [, scheme = "https", name] = targets.map((target) => host.exec(target)).find(Boolean) ?? [];
  return name === undefined ? undefined : `${scheme}://${name}`;
}

function readDeployed(args: readonly string[], result: WranglerResult): Deployed {
  const deployed = result.report.split("\n").flatMap((line) => parseJson(line, Deployed) ?? []);
  const last = deployed.at(-1);
  if (last === undefined) throw failed(args, result);
  return last;
}

function explained(error: DeployError): DeployError {
  const explanation = EXPLANATIONS.find(([code]) => error.message.includes(code))?.[1];
  return explanation === undefined ? error : new DeployError(`${error.message}\n\n${explanation}`);
}
