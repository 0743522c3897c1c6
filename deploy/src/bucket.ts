import type { Context } from "./context.ts";
import { DeployError } from "./deploy-error.ts";
import { failed, runWrangler } from "./wrangler.ts";

/** What Cloudflare answers for a bucket that the account does not have. */
const NO_BUCKET = /\[code: 10006\]|bucket does not exist/i;
/** What it answers for an account that has not added R2 to its plan. */
const NO_R2 = /\[code: 10042\]|enable R2/i;
const TITLE = "R2 bucket";

/**
 * Whether the account has the bucket of the archives. Undefined if the settings name none.
 *
 * @throws {DeployError} If wrangler fails, or the account has no R2.
 */
export async function readBucket({ wrangler, config }: Context): Promise<boolean | undefined> {
  const { bucket } = config;
  if (bucket === undefined) return undefined;
  const args = ["r2", "bucket", "info", bucket, "--json"];
  const result = await wrangler(args);
  if (result.code === 0) return true;
  const answer = `${result.stdout}${result.stderr}`;
  if (NO_BUCKET.test(answer)) return false;
  if (NO_R2.test(answer))
    throw new DeployError(
      `The account has no R2, in which the archives of organizations are kept.\n` +
        "Enable it in the dashboard of Cloudflare (R2 object storage), which costs nothing by itself,\n" +
        "or remove [[r2_buckets]] from wrangler.toml: then no archives can be created.",
    );
  throw failed(args, result);
}

export async function createBucket(
  { wrangler, config, progress }: Context,
  exists: boolean | undefined,
): Promise<void> {
  const { bucket } = config;
  if (bucket === undefined)
    return progress.step(TITLE, "left out, as wrangler.toml names none: no archives can be created");
  if (exists) return progress.step(TITLE, `${bucket} is there`);
  await progress.step(TITLE, `create ${bucket}`, async () => {
    await runWrangler(wrangler, ["r2", "bucket", "create", bucket]);
    return `${bucket} created`;
  });
}
